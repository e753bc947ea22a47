// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runRelayKillRounds } from '../faults/relay-kill-rounds.js'
import { ROUNDS_MS } from '../support/rounds.js'

test(
  'a relay killed under load keeps what it acknowledged, and nothing else',
  async () => {
    const { faults, ...report } = await runRelayKillRounds(5)
    expect(faults).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(100)
  },
  ROUNDS_MS,
)
