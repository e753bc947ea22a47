// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runTillRounds } from '../faults/till-rounds.js'
import { ROUNDS_MS } from '../support/rounds.js'

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
