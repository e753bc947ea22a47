// The long form: GRINPAY_FAULT_ROUNDS rounds, 100 by default.
import { expect, test } from 'vitest'
import { runKillRounds } from './rail-kill-rounds.js'

const ROUNDS = Number(process.env.GRINPAY_FAULT_ROUNDS ?? 100)

test(`a till killed ${ROUNDS} times between the steps of the Nostr rail answers every payer with one S2`, async () => {
  const { faults, ...report } = await runKillRounds(ROUNDS)
  console.log(report)
  expect(faults).toEqual([])
  expect(report.killsBeforeReply).toBeGreaterThan(ROUNDS / 4)
})
