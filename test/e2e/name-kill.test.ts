// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runNameKillRounds } from '../faults/name-kill-rounds.js'

/** Rounds of starts and deaths take as long as the machine needs. */
const ROUNDS_MS = 400_000

test(
  'name authorities killed on one database lose nothing and take nothing twice',
  async () => {
    const { faults, ...report } = await runNameKillRounds(5)
    expect(faults).toEqual([])
    expect(report.done.claim).toBeGreaterThan(10)
    expect(report.replays).toBeGreaterThan(report.requests)
  },
  ROUNDS_MS,
)
