// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runNameKillRounds } from '../faults/name-kill-rounds.js'
import { ROUNDS_MS } from '../support/rounds.js'

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
