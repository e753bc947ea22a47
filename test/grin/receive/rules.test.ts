// Every rule for an S1: its code, its words, its order, and that a refusal costs nothing.
import { describe, expect, test } from 'vitest'
import { nanoGrin, parseGrin } from '../../../src/grin/amount/index.js'
import { checkS1, ownAddresses, receiveS1, replyArmor, S1_RULES } from '../../../src/grin/receive/index.js'
import { decodeSlate, type Slate } from '../../../src/grin/slate/index.js'
import { addressOfSeed, readSlatepack } from '../../../src/grin/slatepack/index.js'
import { countingRandom, prove, walletOf } from '../../support/grin.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const run = vectors('wallet/run_standard.json').runs[1]
const keychain = walletOf(run.receiver_mnemonic)
const addresses = ownAddresses(keychain, [0, 1])
const rules = { tip: 100, addresses }
/** 1 GRIN, with a proof request to our index 0. */
const s1 = decodeSlate(bytes(run.s1.bin))
const participant = s1.participants[0]!
const N = bytes('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')
const proof = s1.proof!
const signed = { ...participant, part: new Uint8Array(64).fill(1) }

test('the honest S1 breaks no rule', () => {
  expect(checkS1(s1, rules)).toBeUndefined()
  expect(checkS1(s1, { ...rules, amount: s1.amount })).toBeUndefined()
  expect(checkS1({ ...s1, ttl: 101n }, rules)).toBeUndefined()
  expect(checkS1({ ...s1, ttl: 1n }, { ...rules, tip: 0 })).toBeUndefined()
  expect(checkS1({ ...s1, fee: 12_500_000n }, rules)).toBeUndefined()
  expect(checkS1({ ...s1, fee: (3n << 40n) | 100_000_000n }, rules)).toBeUndefined()
  expect(checkS1({ ...s1, offset: new Uint8Array(32).fill(0x11) }, rules)).toBeUndefined()
  expect(checkS1({ ...s1, proof: { ...proof, receiver: addresses[1]!.publicKey } }, rules)).toBeUndefined()
})

const REFUSED: readonly (readonly [code: string, change: Partial<Slate>, text: string])[] = [
  ['S1_STATE', { state: 'S2' }, 'this is an answer (S2), not a new payment'],
  ['S1_STATE', { state: 'S3' }, 'this payment is already complete (S3)'],
  ['S1_STATE', { state: 'I1' }, 'this is an invoice (I1), not a payment'],
  ['S1_STATE', { state: 'I2' }, 'this is the answer to an invoice (I2), not a new payment'],
  ['S1_STATE', { state: 'NA' }, 'this slatepack is in an unknown state'],
  ['S1_ZERO_AMOUNT', { amount: nanoGrin(0n) }, 'this slatepack is for 0 GRIN'],
  ['S1_WRONG_AMOUNT', { amount: parseGrin('2') }, 'this slatepack is for 2 GRIN, the invoice is 1'],
  ['S1_WRONG_AMOUNT', { amount: nanoGrin(999_999_999n) }, 'this slatepack is for 0.999999999 GRIN, the invoice is 1'],
  ['S1_PARTICIPANTS', { participants: [] }, 'this slatepack names 0 participants instead of one'],
  [
    'S1_PARTICIPANTS',
    { participants: [participant, participant] },
    'this slatepack names 2 participants instead of one',
  ],
  ['S1_SIGNED', { participants: [signed] }, 'this slatepack is signed before we could answer it'],
  ['S1_NUM_PARTS', { numParts: 3 }, 'this payment is between 3 participants, only two are possible here'],
  ['S1_NUM_PARTS', { numParts: 0 }, 'this payment is between 0 participants, only two are possible here'],
  ['S1_FEATURES', { features: 2, lockHeight: 5n }, 'locked or conditional'],
  ['S1_FEATURES', { features: 3 }, 'locked or conditional'],
  ['S1_FEATURES', { lockHeight: 12n }, 'locked or conditional'],
  ['S1_FEE_TOO_LOW', { fee: 12_499_999n }, 'the fee of 12499999 nanogrin is below 12500000'],
  ['S1_FEE_TOO_LOW', { fee: 0n }, 'the fee of 0 nanogrin is below 12500000'],
  ['S1_FEE_TOO_LOW', { fee: (4n << 40n) | 23_000_000n }, 'the fee of 1437500 nanogrin is below 12500000'],
  ['S1_FEE_FIELD', { fee: (1n << 44n) | 23_000_000n }, 'bits set that mean nothing'],
  ['S1_EXPIRED', { ttl: 100n }, 'this slatepack expired at block 100, the chain is at 100'],
  ['S1_OFFSET', { offset: N }, 'the offset is not a valid number'],
  ['S1_PROOF_SIGNED', { proof: { ...proof, signature: new Uint8Array(64) } }, 'the payment proof is already signed'],
  ['S1_PROOF_ADDRESS', { proof: { ...proof, receiver: proof.sender } }, 'from an address that is not ours'],
]

describe('refusals', () => {
  test.each(REFUSED)('%s %#', (code, change, text) => {
    const refusal = checkS1({ ...s1, ...change }, { ...rules, amount: parseGrin('1') })
    expect(refusal?.code).toBe(code)
    expect(refusal?.text).toContain(text)
  })

  test('every rule is tried above', () => {
    expect(new Set(REFUSED.map(([code]) => code))).toEqual(new Set(S1_RULES.map(({ code }) => code)))
  })

  test('of several, the first in order is named', () => {
    const worst = { ...s1, state: 'S2', amount: nanoGrin(0n), fee: 0n } as const
    expect(checkS1(worst, rules)?.code).toBe('S1_STATE')
    expect(checkS1({ ...worst, state: 'S1' }, rules)?.code).toBe('S1_ZERO_AMOUNT')
  })

  test('the text is what the customer reads: amounts in GRIN', () => {
    const refusal = checkS1({ ...s1, amount: parseGrin('2') }, { ...rules, amount: parseGrin('1.5') })
    expect(refusal?.text).toBe('this slatepack is for 2 GRIN, the invoice is 1.5')
  })

  test('nothing is drawn and nothing is proved for a refused slate', async () => {
    const never = () => {
      throw new Error('used')
    }
    const input = {
      keychain,
      slate: { ...s1, features: 2 },
      rules,
      keyIndex: 5,
      prove: never,
      random: countingRandom(),
    }
    expect(await codeOf(() => receiveS1(input))).toBe('S1_FEATURES')
  })
})

describe('receiving', () => {
  const receive = (slate: Slate, keyIndex = 5) =>
    receiveS1({ keychain, slate, rules, keyIndex, prove, random: countingRandom(keyIndex) })

  test('the reply is plain with our address, unless the request was encrypted and named its sender', async () => {
    const sender = addresses[0]!.publicKey
    const customer = new Uint8Array(32).fill(9)
    const { slate } = await receive(s1)
    const options = { prefix: 'grin', sender, random: countingRandom() } as const
    const read = (text: string) => readSlatepack(text, { prefix: 'grin', decryptWith: [customer] })
    const from = addressOfSeed(customer)
    const plainRequests = [undefined, { encrypted: false, sender: from }, { encrypted: true }]
    for (const request of plainRequests) {
      const reply = await read(await replyArmor(slate, { ...options, ...(request && { request }) }))
      expect([reply.encrypted, reply.sender, reply.slate]).toEqual([false, sender, slate])
    }
    const reply = await read(await replyArmor(slate, { ...options, request: { encrypted: true, sender: from } }))
    expect([reply.encrypted, reply.sender, reply.slate]).toEqual([true, sender, slate])
  })

  test('another index is another output and other secrets', async () => {
    const [a, b] = [await receive(s1, 5), await receive(s1, 6)]
    expect(a.commitment).not.toEqual(b.commitment)
    expect(a.excess).not.toEqual(b.excess)
    expect(a.digest).toEqual(b.digest)
    expect(keychain.rewindOutput(a.commitment, a.rangeProof)).toMatchObject({
      value: s1.amount,
      identifier: a.identifier,
    })
  })

  test('outputs a sender put into the S1 do not reach the S2', async () => {
    const foreign = { coinbase: false, commitment: new Uint8Array(33).fill(8), proof: new Uint8Array(675) }
    const { slate } = await receive({ ...s1, commitments: [foreign] })
    expect(slate.commitments).toHaveLength(1)
    expect(slate.commitments).not.toContainEqual(foreign)
  })

  test('what stands in the S1 otherwise comes back: id, ttl, version, proof request', async () => {
    const { slate, slateId, proof: receipt } = await receive({ ...s1, ttl: 500n, headerVersion: 5 })
    expect(slate).toMatchObject({ id: s1.id, ttl: 500n, headerVersion: 5, state: 'S2', amount: 0n, fee: 0n })
    expect(slateId).toBe(s1.id)
    expect(slate.proof).toEqual({ ...proof, signature: receipt!.signature })
  })
})

test('an own address whose account or index has another key signs nothing', async () => {
  const { publicKey } = ownAddresses(keychain, [3], 2)[0]!
  const slate = { ...s1, proof: { ...proof, receiver: publicKey } }
  const receive = (own: { account?: number; index: number }) =>
    receiveS1({
      keychain,
      slate,
      rules: { tip: 100, addresses: [{ ...own, publicKey }] },
      keyIndex: 40,
      prove,
      random: countingRandom(),
    })
  expect((await receive({ account: 2, index: 3 })).slate.proof?.signature).toHaveLength(64)
  await expect(receive({ index: 3 })).rejects.toThrow('address 3 of account 0 has another key')
  await expect(receive({ account: 2, index: 4 })).rejects.toThrow(RangeError)
})
