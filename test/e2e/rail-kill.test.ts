// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runKillRounds } from '../faults/rail-kill-rounds.js'

/** Rounds of starts and deaths take as long as the machine needs. */
const ROUNDS_MS = 400_000

test(
  'a till killed between the steps of the Nostr rail answers every payer with one S2',
  async () => {
    const { faults, ...report } = await runKillRounds(4, false)
    expect(faults).toEqual([])
    expect(report.answered).toBeGreaterThan(4)
  },
  ROUNDS_MS,
)
