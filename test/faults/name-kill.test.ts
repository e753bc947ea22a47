// The long form: GRINPAY_FAULT_ROUNDS rounds, 100 by default.
import { expect, test } from 'vitest'
import { runNameKillRounds } from './name-kill-rounds.js'

const ROUNDS = Number(process.env.GRINPAY_FAULT_ROUNDS ?? 100)

test(`name authorities killed ${ROUNDS} times on one database lose nothing and take nothing twice`, async () => {
  const { faults, ...report } = await runNameKillRounds(ROUNDS)
  console.log(report)
  expect(faults).toEqual([])
  expect(report.done.claim).toBeGreaterThan(ROUNDS)
  expect(report.done.buy).toBeGreaterThan(ROUNDS / 10)
  expect(report.replays).toBeGreaterThan(report.requests)
})
