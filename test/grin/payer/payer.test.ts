// Payer and receiver of ours against each other, honest and not.
import { describe, expect, test } from 'vitest'
import { nanoGrin, parseGrin } from '../../../src/grin/amount/index.js'
import { outputIdentifier } from '../../../src/grin/keychain/index.js'
import { createS1, finalizeS2, payI1, planSpend } from '../../../src/grin/payer/index.js'
import { checkPaymentProof } from '../../../src/grin/proof/index.js'
import { finalizeInvoice, issueInvoice, ownAddresses, receiveS1 } from '../../../src/grin/receive/index.js'
import { decodeSlate, type Slate } from '../../../src/grin/slate/index.js'
import { validateTransaction } from '../../../src/grin/tx/index.js'
import { countingRandom, prove, verify, walletOf } from '../../support/grin.js'
import { codeOf, vectors } from '../../support/vectors.js'

const { wallets } = vectors('real/wallets.json')
const [payer, till] = [walletOf(wallets.miner.mnemonic), walletOf(wallets.bob.mnemonic)]
const at = (index: number) => outputIdentifier(0, index)
const amount = parseGrin('1.5')
const coins = [{ identifier: at(0), value: 60_000_000_000n, coinbase: true }]
const id = '11111111-2222-4333-8444-555555555555'
const addresses = ownAddresses(till)
const rules = { tip: 0, addresses }

const start = (withProof = true) =>
  createS1({
    amount,
    spend: planSpend(coins, amount, at(900)),
    id,
    random: countingRandom(3),
    ...(withProof && { proof: { recipient: addresses[0]!.publicKey, seed: payer.addressSeed(0, 0) } }),
  })
const answer = (slate: Slate) =>
  receiveS1({ keychain: till, slate, rules, keyIndex: 7, prove, random: countingRandom(99) })
const finish = (pending: ReturnType<typeof start>['pending'], slate: Slate) =>
  finalizeS2({ keychain: payer, pending, slate, prove, verifyRange: verify })

describe('sending', async () => {
  const started = start()
  const received = await answer(decodeSlate(started.bytes))
  const reply = decodeSlate(received.bytes)

  test('ends in a transaction a node takes, found by the excess the receiver stored', async () => {
    const done = await finish(started.pending, reply)
    expect(await validateTransaction(done.transaction, verify)).toBeUndefined()
    expect(done.excess).toEqual(received.excess)
    expect(done.transaction.outputs.some(({ commitment }) => Buffer.from(commitment).equals(received.commitment))).toBe(
      true,
    )
    checkPaymentProof(done.proof!)
    expect(done.proof).toMatchObject({ ...received.proof })
  })

  const [participant, output, proof] = [reply.participants[0]!, reply.commitments![0]!, reply.proof!]
  const flip = (value: Uint8Array, i: number) => value.map((byte, j) => (i === j ? byte ^ 1 : byte))
  const other = { ...proof, receiver: proof.sender }
  const { signature: _, ...unsigned } = proof
  const { proof: __, ...without } = reply
  const ANSWERS: readonly (readonly [string, Slate, string])[] = [
    ['of another state', { ...reply, state: 'S1' }, 'PAYER_REPLY'],
    ['of another payment', { ...reply, id: id.replace('1', '2') }, 'PAYER_REPLY'],
    ['with two participants', { ...reply, participants: [participant, participant] }, 'PAYER_REPLY'],
    ['without an output', { ...reply, commitments: [] }, 'PAYER_REPLY'],
    [
      'with a wrong signature',
      { ...reply, participants: [{ ...participant, part: flip(participant.part!, 50) }] },
      'PAYER_REPLY',
    ],
    [
      'with a damaged range proof',
      { ...reply, commitments: [{ ...output, proof: flip(output.proof!, 9) }] },
      'PAYER_REPLY',
    ],
    ['with another offset', { ...reply, offset: flip(reply.offset, 30) }, 'PAYER_REPLY'],
    ['without the proof asked for', without, 'PAYER_PROOF'],
    ['with the proof unsigned', { ...reply, proof: unsigned }, 'PAYER_PROOF'],
    ['with a proof of another address', { ...reply, proof: other }, 'PAYER_PROOF'],
    [
      'with a wrong proof signature',
      { ...reply, proof: { ...proof, signature: flip(proof.signature!, 3) } },
      'PAYER_PROOF',
    ],
    ['that claims another amount and fee', { ...reply, amount: nanoGrin(5n), fee: 1n }, 'ok'],
  ]
  test.each(ANSWERS)('an answer %s', async (_, slate, code) =>
    expect(await codeOf(() => finish(started.pending, slate))).toBe(code),
  )

  test('without a proof request there is no proof', async () => {
    const { bytes, pending } = start(false)
    const { slate } = await answer(decodeSlate(bytes))
    expect((await finish(pending, slate)).proof).toBeUndefined()
  })
})

describe('paying an invoice', async () => {
  const issued = await issueInvoice({
    keychain: till,
    amount,
    keyIndex: 8,
    id,
    prove,
    random: countingRandom(40),
    now: 0,
  })
  const pay = async (spend = planSpend(coins, amount, at(901))) =>
    (await payI1({ keychain: payer, slate: decodeSlate(issued.bytes), spend, prove, random: countingRandom(70) })).slate
  const finalize = (slate: Slate) =>
    finalizeInvoice({ keychain: till, invoice: issued.invoice, slate, tip: 0, verifyRange: verify })

  test('ends in a transaction a node takes', async () => {
    const done = await finalize(await pay())
    expect(await validateTransaction(done.transaction, verify)).toBeUndefined()
    expect(done.slate.state).toBe('I3')
  })

  const changed = (by: bigint) => {
    const spend = planSpend(coins, amount, at(901))
    return { ...spend, change: spend.change.map((one) => ({ ...one, value: one.value + by })) }
  }
  // crafted_i2: the amount is enforced by the commitments, whatever the payer signs.
  test.each([
    ['one nanogrin less', 1n],
    ['one nanogrin more', -1n],
  ])('%s does not balance', async (_, by) =>
    expect(await codeOf(async () => finalize(await pay(changed(by))))).toBe('TX_KERNEL_SUM'),
  )

  test('a fee larger than the amount is the payer\u2019s own business', async () => {
    const spend = planSpend(coins, amount, at(901))
    const generous = {
      ...spend,
      fee: 6_000_000_000n,
      change: [{ identifier: at(901), value: 60_000_000_000n - amount - 6_000_000_000n }],
    }
    expect(await codeOf(async () => finalize(await pay(generous)))).toBe('ok')
  })

  test('a slate that is no invoice is not paid', async () => {
    const invoice = decodeSlate(issued.bytes)
    const paying = (slate: Slate) =>
      codeOf(() => payI1({ keychain: payer, slate, spend: changed(0n), prove, random: countingRandom() }))
    expect(await paying({ ...invoice, state: 'S1' })).toBe('PAYER_INVOICE')
    expect(await paying({ ...invoice, amount: nanoGrin(0n) })).toBe('PAYER_INVOICE')
    expect(await paying({ ...invoice, participants: [] })).toBe('PAYER_INVOICE')
    expect(await paying({ ...invoice, features: 2, lockHeight: 1n })).toBe('PAYER_INVOICE')
  })
})

describe('planning a spend', () => {
  test('gives back what is left after amount and least fee', () => {
    expect(planSpend(coins, amount, at(1))).toMatchObject({ fee: 23_000_000n, change: [{ value: 58_477_000_000n }] })
  })
  test('an exact sum has no change and the fee of one output', () => {
    const exact = [{ identifier: at(0), value: amount + 12_500_000n }]
    expect(planSpend(exact, amount, at(1))).toMatchObject({ fee: 12_500_000n, change: [] })
  })
  test.each([0n, amount, amount + 12_499_999n, amount + 12_500_001n, amount + 23_000_000n])(
    '%d nanogrin are not enough',
    async (value) => {
      expect(await codeOf(() => planSpend([{ identifier: at(0), value }], amount, at(1)))).toBe('PAYER_NOT_ENOUGH')
    },
  )
})
