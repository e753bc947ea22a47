// The long form: GRINPAY_FAULT_ROUNDS rounds, 100 by default.
import { expect, test } from 'vitest'
import { runRelayKillRounds } from './relay-kill-rounds.js'

const ROUNDS = Number(process.env.GRINPAY_FAULT_ROUNDS ?? 100)

test(`a relay killed ${ROUNDS} times under load keeps what it acknowledged, and nothing else`, async () => {
  const { faults, ...report } = await runRelayKillRounds(ROUNDS, {
    tell: (line) => void process.stdout.write(`${line}\n`),
    filled: 5500,
  })
  console.log(report)
  expect(faults).toEqual([])
  expect(report.readerAnswers).toBeGreaterThan(0)
  expect(report.acknowledged).toBeGreaterThan(50 * ROUNDS)
})
