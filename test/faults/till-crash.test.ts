// The long form: GRINPAY_FAULT_ROUNDS rounds, 200 by default.
import { expect, test } from 'vitest'
import { runTillRounds } from './till-rounds.js'

const ROUNDS = Number(process.env.GRINPAY_FAULT_ROUNDS ?? 200)

test(`a whole till killed ${ROUNDS} times under load loses and doubles nothing`, async () => {
  const { losses, ...report } = await runTillRounds(ROUNDS)
  console.log(report)
  expect(losses).toEqual([])
  expect(report.replies).toBeGreaterThan(ROUNDS / 4)
})
