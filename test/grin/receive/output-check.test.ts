// Before the commitment of an output of ours leaves, blinding factor and commitment are computed a second time by the curve library
// alone. A fault in our own code path would lock the coin for ever, and nothing else would notice.
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { recomputeOutput } from '../../../src/grin/crypto/index.js'
import { openKeychain, outputIdentifier } from '../../../src/grin/keychain/index.js'
import { createS1, planSpend } from '../../../src/grin/payer/index.js'
import { issueInvoice, ownAddresses, receiveS1 } from '../../../src/grin/receive/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { createFaultyKeychain } from '../../support/faulty-keychain.js'
import { countingRandom, prove } from '../../support/grin.js'
import { codeOf } from '../../support/vectors.js'
import { casesOf, scalar } from '../crypto/vectors.js'

const amount = nanoGrin(1_500_000_000n)
const id = '11111111-1111-4111-8111-111111111111'
const spend = planSpend(
  [{ identifier: outputIdentifier(0, 0), value: 60_000_000_000n }],
  amount,
  outputIdentifier(0, 1),
)
const { slate } = createS1({ amount, spend, id, random: countingRandom(5) })

type SwitchCase = Readonly<Record<'value' | 'blind' | 'switch_blind' | 'switch_commit', string>> & {
  readonly ok: boolean
}

test('the second way agrees with the C library', () => {
  const cases = casesOf<SwitchCase>('switch').filter(({ ok }) => ok)
  expect(cases.length).toBeGreaterThan(100)
  for (const one of cases) {
    const { blind, commitment } = recomputeOutput(BigInt(one.value), scalar(one.blind))
    expect([blind, toHex(commitment)]).toEqual([scalar(one.switch_blind), one.switch_commit])
  }
})

test('and with our own for many amounts and keys, commitment included', () => {
  const keychain = openKeychain(new Uint8Array(32).fill(4))
  for (let index = 0; index < 40; index += 1) {
    const value = 2n ** BigInt(index) + BigInt(index)
    const identifier = outputIdentifier(0, index)
    const { blind, commitment } = recomputeOutput(value, keychain.deriveKey(identifier))
    expect(blind).toBe(keychain.outputBlind(identifier, value))
    expect(toHex(commitment)).toBe(toHex(keychain.commitOutput(identifier, value)))
  }
})

describe('a fault in our own switch code', () => {
  const { keychain, fault } = createFaultyKeychain(openKeychain(new Uint8Array(32).fill(1)))
  const rules = { tip: 0, addresses: ownAddresses(keychain) }
  const receive = (keyIndex: number) =>
    codeOf(() => receiveS1({ keychain, slate, rules, keyIndex, prove, random: countingRandom(9) }))
  const issue = (keyIndex: number) =>
    codeOf(() => issueInvoice({ keychain, amount, keyIndex, id, prove, random: countingRandom(9), now: 0 }))

  test('lets no S2 and no I1 out', async () => {
    fault.on = true
    expect([await receive(1), await issue(2)]).toEqual(['OUTPUT_MISMATCH', 'OUTPUT_MISMATCH'])
    fault.on = false
    expect([await receive(3), await issue(4)]).toEqual(['ok', 'ok'])
  })
})
