// One S1 under the same options: the check and the answer refuse the same.
import { expect, test } from 'vitest'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { openKeychain } from '../../src/grin/keychain/index.js'
import { createS1 } from '../../src/grin/payer/index.js'
import { addressOfSeed } from '../../src/grin/slatepack/index.js'
import { feeField } from '../../src/grin/tx/index.js'
import { checkS1, ownAddresses, receiveS1 } from '../../src/library/receive.js'
import { systemRandom } from '../../src/system/index.js'
import { prove, verify } from '../support/grin.js'
import { codeOf } from '../support/vectors.js'

const keychain = openKeychain(new Uint8Array(32).fill(2))
const payer = openKeychain(new Uint8Array(32).fill(1))

/** An S1 that asks this address for a proof. */
const s1From = (recipient: Uint8Array) =>
  createS1({
    amount: nanoGrin(1_000_000_000n),
    spend: { coins: [], change: [], fee: feeField(23_000_000n) },
    id: '0436430c-2b02-624c-2032-570501212b00',
    random: systemRandom,
    proof: { recipient, seed: payer.addressSeed(0, 0) },
  }).slate

test.each([
  ['the published address', [0, 0], {}, undefined],
  ['that of another account', [1, 0], {}, 'S1_PROOF_ADDRESS'],
  ['that of the account that receives', [1, 0], { account: 1 }, undefined],
  ['that of account 0 when another one receives', [0, 0], { account: 1 }, 'S1_PROOF_ADDRESS'],
  ['a later address', [0, 3], {}, 'S1_PROOF_ADDRESS'],
  ['a later address that was named', [0, 3], { addresses: ownAddresses(keychain, { indices: [3] }) }, undefined],
  ['the published address when none was named', [0, 0], { addresses: [] }, 'S1_PROOF_ADDRESS'],
] as const)('a proof from %s', async (_, [account, index], options, code) => {
  const slate = s1From(addressOfSeed(keychain.addressSeed(account, index)))
  expect(checkS1(slate, { keychain, ...options })?.code).toBe(code)
  const receiving = () => receiveS1({ keychain, slate, keyIndex: 0, prover: { prove, verify }, ...options })
  expect(await codeOf(receiving)).toBe(code ?? 'ok')
})

test('without a keychain no address is known to be ours', () => {
  const slate = s1From(addressOfSeed(keychain.addressSeed(0, 0)))
  expect(checkS1(slate)?.code).toBe('S1_PROOF_ADDRESS')
  expect(checkS1(slate, { addresses: ownAddresses(keychain) })).toBeUndefined()
})
