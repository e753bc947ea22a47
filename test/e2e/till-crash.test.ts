// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runTillRounds } from '../faults/till-rounds.js'

/** Rounds of starts and deaths take as long as the machine needs. */
const ROUNDS_MS = 400_000

test(
  'a whole till killed under load loses and doubles nothing',
  async () => {
    const { losses, ...report } = await runTillRounds(6)
    expect(losses).toEqual([])
    expect(report.invoices).toBeGreaterThan(10)
    expect(report.replies).toBeGreaterThan(1)
  },
  ROUNDS_MS,
)
