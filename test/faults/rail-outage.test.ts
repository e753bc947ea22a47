// The long form: GRINPAY_FAULT_ROUNDS rounds of each, 100 by default.
import { expect, test } from 'vitest'
import { runOutageRounds } from './rail-outage-rounds.js'

const ROUNDS = Number(process.env.GRINPAY_FAULT_ROUNDS ?? 100)

test.each([
  { what: 'relays', means: 'relays that die or go' },
  { what: 'node', means: 'a node that is away' },
  { what: 'hour', means: 'an hour without any relay' },
] as const)(`${ROUNDS} times $means: every payer has one S2 in the end`, async ({ what }) => {
  const { faults, ...report } = await runOutageRounds(what, ROUNDS)
  console.log(what, report)
  expect(faults).toEqual([])
})
