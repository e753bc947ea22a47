// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runRelayKillRounds } from '../faults/relay-kill-rounds.js'

/** Rounds of starts and deaths take as long as the machine needs. */
const ROUNDS_MS = 400_000

test(
  'a relay killed under load keeps what it acknowledged, and nothing else',
  async () => {
    const { faults, ...report } = await runRelayKillRounds(5)
    expect(faults).toEqual([])
    expect(report.acknowledged).toBeGreaterThan(100)
  },
  ROUNDS_MS,
)
