// A whole life on the simulated chain: send, receive, invoice, pay, cancel, restore.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeSlate } from '../../src/grin/slate/index.js'
import { codeOf } from '../support/vectors.js'
import { fundedWallet, GRIN, startChain, type TestChain, type TestWallet, walletFor } from './fixture.js'

let chain: TestChain
let alice: TestWallet
let bob: TestWallet
const near = { minConfirmations: 1 }

beforeAll(async () => {
  chain = await startChain()
  alice = await fundedWallet(chain, 1, [60n * GRIN, 60n * GRIN])
  bob = await walletFor(2)
  await bob.wallet.refresh(chain)
})
afterAll(() => chain.close())

const refreshBoth = async () => [await alice.wallet.refresh(chain), await bob.wallet.refresh(chain)] as const

test('restored coinbases are spendable when ripe', async () => {
  expect(await alice.wallet.balance(near)).toMatchObject({ total: 120n * GRIN, spendable: 120n * GRIN, immature: 0n })
  expect((await alice.wallet.transactions()).map(({ kind, status }) => [kind, status])).toEqual([
    ['coinbase', 'confirmed'],
    ['coinbase', 'confirmed'],
  ])
})

test('a payment to an address, with a proof', async () => {
  const recipient = await bob.wallet.address()
  const s1 = await alice.wallet.send({ amount: 7n * GRIN, recipient, ...near, label: 'rent' })
  expect(s1.fee).toBe(23_000_000n)
  expect(await alice.wallet.balance(near)).toMatchObject({
    spendable: 60n * GRIN,
    locked: 60n * GRIN,
    awaitingFinalization: 53n * GRIN - s1.fee,
  })

  const s2 = await bob.wallet.receive(s1.slatepack)
  expect(await bob.wallet.receive(s1.slatepack)).toMatchObject({ slate: s2.slate })
  expect(await bob.wallet.balance(near)).toMatchObject({ total: 0n, awaitingFinalization: 7n * GRIN })

  const done = await alice.wallet.finalize(s2.slatepack)
  expect((await alice.wallet.finalize(s2.slatepack)).slate).toEqual(done.slate)
  await alice.wallet.post(s1.slateId, chain)
  await alice.wallet.post(s1.slateId, chain)
  chain.sandbox.mine(1)
  const [ofAlice, ofBob] = await refreshBoth()
  expect([ofAlice.confirmed.length, ofBob.confirmed.length]).toEqual([1, 1])
  expect(await bob.wallet.balance(near)).toMatchObject({ total: 7n * GRIN, spendable: 7n * GRIN })
  expect(await alice.wallet.balance(near)).toMatchObject({ total: 113n * GRIN - s1.fee, locked: 0n })
  await alice.wallet.post(s1.slateId, chain)

  const proof = await alice.wallet.paymentProof(s1.slateId)
  expect(await bob.wallet.verifyProof(proof, chain)).toMatchObject({
    amount: 7n * GRIN,
    recipientIsOurs: true,
    senderIsOurs: false,
    confirmations: 1,
  })
})

test('an invoice', async () => {
  const i1 = await alice.wallet.invoice({ amount: 2n * GRIN })
  const i2 = await bob.wallet.pay(i1.slatepack, near)
  expect((await bob.wallet.pay(i1.slatepack, near)).slate).toEqual(i2.slate)
  const before = await alice.wallet.balance(near)
  const i3 = await alice.wallet.finalize(i2.slatepack)
  expect((await alice.wallet.finalize(i2.slatepack)).slate).toEqual(i3.slate)
  await alice.wallet.post(i1.slateId, chain)
  chain.sandbox.mine(1)
  await refreshBoth()
  expect((await alice.wallet.balance(near)).total).toBe(before.total + 2n * GRIN)
  expect((await bob.wallet.balance(near)).total).toBe(5n * GRIN - i2.fee)
})

test('a late lock chooses its coins when the reply is there', async () => {
  const s1 = await alice.wallet.send({ amount: 3n * GRIN, lateLock: true, ...near })
  expect(await alice.wallet.balance(near)).toMatchObject({ locked: 0n, awaitingFinalization: 0n })
  const s2 = await bob.wallet.receive(s1.slatepack)
  await alice.wallet.finalize(s2.slatepack)
  expect((await alice.wallet.balance(near)).locked).toBeGreaterThan(0n)
  await alice.wallet.post(s1.slateId, chain)
  chain.sandbox.mine(1)
  const [{ confirmed }] = await refreshBoth()
  expect(confirmed).toHaveLength(1)
})

test('a cancelled payment frees its coins and signs nothing', async () => {
  const before = await alice.wallet.balance(near)
  const s1 = await alice.wallet.send({ amount: GRIN, ...near })
  const s2 = await bob.wallet.receive(s1.slatepack)
  await alice.wallet.cancel(s1.slateId)
  expect(await alice.wallet.balance(near)).toEqual(before)
  expect(await codeOf(() => alice.wallet.finalize(s2.slatepack))).toBe('WALLET_SLATE_USED')
  expect((await bob.wallet.cancel(s1.slateId)).status).toBe('cancelled')
  expect(await codeOf(() => bob.wallet.cancel(s1.slateId))).toBe('WALLET_CANNOT_CANCEL')
})

test('everything comes back from the words', async () => {
  for (const { wallet, keychain } of [alice, bob]) {
    const copy = await walletFor(keychain)
    await copy.wallet.restore(chain)
    expect(await copy.wallet.balance(near)).toEqual(await wallet.balance(near))
    const [before, after] = [await wallet.accounts(), await copy.wallet.accounts()]
    expect(after[0]?.nextOutput).toBeGreaterThan(before[0]?.nextOutput ?? 0)
  }
})

test('a payment to oneself', async () => {
  const before = await alice.wallet.balance(near)
  const s1 = await alice.wallet.send({ amount: GRIN, recipient: await alice.wallet.address(), ...near })
  const s2 = await alice.wallet.receive(s1.slatepack)
  await alice.wallet.finalize(s2.slatepack)
  await alice.wallet.post(s1.slateId, chain)
  chain.sandbox.mine(1)
  expect((await alice.wallet.refresh(chain)).confirmed).toHaveLength(2)
  expect((await alice.wallet.balance(near)).total).toBe(before.total - s1.fee)
  expect(decodeSlate((await alice.wallet.transactions()).at(-1)?.slate ?? new Uint8Array()).state).toBe('S2')
})
