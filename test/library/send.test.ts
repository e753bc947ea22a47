// What the library's verbs of sending take under an older name too.
import { expect, test } from 'vitest'
import { entropyFromMnemonic, mnemonicFromEntropy, openKeychain, outputIdentifier } from '../../src/library/keychain.js'
import { createS1, planSpend } from '../../src/library/send.js'
import { addressOfSeed } from '../../src/library/slatepack.js'

const payer = openKeychain(entropyFromMnemonic(mnemonicFromEntropy(new Uint8Array(32).fill(1))))
const recipient = addressOfSeed(openKeychain(new Uint8Array(32).fill(2)).addressSeed(0, 0))
const seed = payer.addressSeed(0, 0)
const coin = { identifier: outputIdentifier(0, 0), value: 60_000_000_000n, coinbase: true }
const spend = planSpend([coin], 1n, outputIdentifier(0, 1))
const fixed = { id: '0436430c-2b02-624c-2032-570501212b00', random: (n: number) => new Uint8Array(n).fill(7), now: 1 }

test('the recipient of a payment proof may be given by its first name, `from`', () => {
  const { slate } = createS1({ amount: 1n, spend, proof: { recipient, seed }, ...fixed })
  expect(slate.proof).toMatchObject({ sender: addressOfSeed(seed), receiver: recipient })
  expect(createS1({ amount: 1n, spend, proof: { from: recipient, seed }, ...fixed }).slate).toEqual(slate)
  expect(createS1({ amount: 1n, spend, ...fixed }).slate.proof).toBeUndefined()
})
