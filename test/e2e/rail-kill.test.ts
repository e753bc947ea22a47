// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runKillRounds } from '../faults/rail-kill-rounds.js'
import { ROUNDS_MS } from '../support/rounds.js'

test(
  'a till killed between the steps of the Nostr rail answers every payer with one S2',
  async () => {
    const { faults, ...report } = await runKillRounds(4, false)
    expect(faults).toEqual([])
    expect(report.answered).toBeGreaterThan(4)
  },
  ROUNDS_MS,
)
