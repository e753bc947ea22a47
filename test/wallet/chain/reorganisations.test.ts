// What a refresh makes of forks, of nodes that lag, of expiry, and of coins that another copy of the wallet spent.
import { beforeEach, describe, expect, test } from 'vitest'
import type { Wallet, WalletNode } from '../../../src/wallet/index.js'
import { codeOf } from '../../support/vectors.js'
import { type DirectChain, pay, startPair } from '../direct-chain.js'
import { GRIN, type TestWallet, walletFor } from '../fixture.js'

const near = { minConfirmations: 1 }
let chain: DirectChain
let alice: TestWallet
let bob: TestWallet

beforeEach(async () => {
  ;({ chain, alice, bob } = await startPair(2, 10))
})

const payBob = (amount: bigint, options?: { readonly ttlBlocks?: number }): Promise<string> =>
  pay({ chain, alice, bob }, amount, options)

const refreshBoth = async () => ({ alice: await alice.wallet.refresh(chain), bob: await bob.wallet.refresh(chain) })
const statusOf = async (wallet: Wallet, slateId: string) =>
  (await wallet.transactions()).find((one) => one.slateId === slateId)?.status
const statesOf = async (wallet: Wallet): Promise<string[]> =>
  (await wallet.outputs()).map(({ status }) => status).sort()

describe('a fork without the payment', () => {
  test('reverts it on both sides, and it comes back in a later block', async () => {
    const before = [await alice.wallet.balance(near), await bob.wallet.balance(near)] as const
    const id = await payBob(7n * GRIN)
    chain.mine()
    await refreshBoth()
    const paid = [await alice.wallet.balance(near), await bob.wallet.balance(near)] as const
    expect(paid[1].total).toBe(7n * GRIN)

    chain.chain.reorg(1, 0)
    const reverted = await refreshBoth()
    expect([reverted.alice.reverted.length, reverted.bob.reverted.length]).toEqual([1, 1])
    expect(await statusOf(alice.wallet, id)).toBe('reverted')
    expect(await statesOf(bob.wallet)).toEqual(['reverted'])
    expect(await bob.wallet.balance(near)).toMatchObject({ total: 0n, reverted: 7n * GRIN })
    expect(await alice.wallet.balance(near)).toMatchObject({ spendable: 60n * GRIN, locked: 60n * GRIN })

    chain.mine()
    const back = await refreshBoth()
    expect([back.alice.confirmed.length, back.bob.confirmed.length]).toEqual([1, 1])
    const height = chain.chain.ledger.tip().height
    expect((await bob.wallet.outputs())[0]).toMatchObject({ status: 'unspent', height })
    expect(await alice.wallet.balance(near)).toEqual({ ...paid[0], height })
    expect(before[0].total).toBe(paid[0].total + 7n * GRIN + 23_000_000n)
  })

  test('that nobody mines again: posted again it comes back, cancelled it frees the coins', async () => {
    const [first, second] = [await payBob(7n * GRIN), await payBob(8n * GRIN)]
    chain.mine()
    await refreshBoth()
    chain.chain.reorg(1, 0, { forget: true })
    await refreshBoth()
    chain.mine(3)
    await refreshBoth()
    expect(await statusOf(alice.wallet, first)).toBe('reverted')

    await alice.wallet.post(first, chain)
    await alice.wallet.cancel(second)
    await bob.wallet.cancel(second)
    chain.mine()
    await refreshBoth()
    expect(await statusOf(alice.wallet, first)).toBe('confirmed')
    expect(await alice.wallet.balance(near)).toMatchObject({
      total: 113n * GRIN - 23_000_000n,
      locked: 0n,
      reverted: 0n,
    })
    expect(await bob.wallet.balance(near)).toMatchObject({ total: 7n * GRIN, reverted: 0n })
  })

  test('takes a restored coinbase, whose kernel the wallet never knew', async () => {
    await chain.mineTo(alice.keychain, 2, 60n * GRIN)
    const copy = await walletFor(alice.keychain)
    await copy.wallet.restore(chain)
    expect(await copy.wallet.balance(near)).toMatchObject({ total: 180n * GRIN })
    chain.chain.reorg(1, 0)
    expect((await copy.wallet.refresh(chain)).reverted).toHaveLength(1)
    expect(await copy.wallet.balance(near)).toMatchObject({ total: 120n * GRIN, reverted: 60n * GRIN })
  })

  test('of coins that were spent on', async () => {
    await payBob(7n * GRIN)
    chain.mine()
    await refreshBoth()
    const s1 = await bob.wallet.send({ amount: 2n * GRIN, ...near })
    const s2 = await alice.wallet.receive(s1.slate)
    await bob.wallet.finalize(s2.slate)
    await bob.wallet.post(s1.slateId, chain)
    chain.mine()
    await refreshBoth()
    const before = await bob.wallet.balance(near)
    expect(before.total).toBe(5n * GRIN - 23_000_000n)

    chain.chain.reorg(2, 0)
    expect((await refreshBoth()).bob.reverted).toHaveLength(2)
    expect(await bob.wallet.balance(near)).toMatchObject({ total: 0n, locked: 0n })
    chain.mine()
    expect((await refreshBoth()).bob.confirmed).toHaveLength(2)
    expect(await bob.wallet.balance(near)).toEqual({ ...before, height: chain.chain.ledger.tip().height })
    expect(await statesOf(bob.wallet)).toEqual(['spent', 'unspent'])
  })
})

describe('a node that lags', () => {
  const behind = (node: WalletNode): WalletNode => ({ ...node, tip: async () => ({ height: 3, hash: '0'.repeat(64) }) })

  test('changes nothing', async () => {
    const before = await alice.wallet.outputs()
    expect(await codeOf(() => alice.wallet.refresh({ node: behind(chain.node) }))).toBe('WALLET_NODE_BEHIND')
    expect(await alice.wallet.outputs()).toEqual(before)
  })

  test('that fails in the middle changes nothing either', async () => {
    await payBob(GRIN)
    chain.mine()
    const broken: WalletNode = { ...chain.node, outputs: () => Promise.reject(new Error('gone')) }
    const before = await alice.wallet.transactions()
    await expect(alice.wallet.refresh({ node: broken })).rejects.toThrow('gone')
    expect(await alice.wallet.transactions()).toEqual(before)
  })
})

describe('expiry', () => {
  test('cancels what is not complete, and frees its coins', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ttlBlocks: 2, ...near })
    await bob.wallet.receive(s1.slate)
    chain.mine(2)
    const { alice: ofAlice, bob: ofBob } = await refreshBoth()
    expect([ofAlice.expired.length, ofBob.expired.length]).toEqual([1, 1])
    expect(await alice.wallet.balance(near)).toMatchObject({ total: 120n * GRIN, locked: 0n })
    expect(await statesOf(bob.wallet)).toEqual([])
  })

  test('leaves a complete transaction alone: it may be mined at any time', async () => {
    const id = await payBob(GRIN, { ttlBlocks: 2 })
    chain.chain.mine(0, { empty: true })
    chain.chain.mine(0, { empty: true })
    await alice.wallet.refresh(chain)
    expect(await statusOf(alice.wallet, id)).toBe('pending')
  })

  test('refuses to sign', async () => {
    const s1 = await alice.wallet.send({ amount: GRIN, ttlBlocks: 2, ...near })
    const s2 = await bob.wallet.receive(s1.slate)
    chain.mine(2)
    await bob.wallet.refresh(chain)
    const late = await alice.wallet.send({ amount: GRIN, ttlBlocks: 1, ...near })
    expect(await codeOf(() => bob.wallet.receive(late.slate))).toBe('S1_EXPIRED')
    await alice.wallet.refresh(chain)
    expect(await codeOf(() => alice.wallet.finalize(s2.slate))).toBe('WALLET_SLATE_USED')
  })

  test('needs a tip', async () => {
    const fresh = await walletFor(3)
    expect(await codeOf(() => fresh.wallet.send({ amount: GRIN, ttlBlocks: 2 }))).toBe('WALLET_NOT_ENOUGH')
  })
})

describe('a cancelled payment that is mined nevertheless', () => {
  test('is confirmed on both sides', async () => {
    const id = await payBob(7n * GRIN)
    await alice.wallet.cancel(id)
    await bob.wallet.cancel(id)
    expect(await alice.wallet.balance(near)).toMatchObject({ total: 120n * GRIN, awaitingFinalization: 0n })
    chain.mine()
    await refreshBoth()
    await refreshBoth()
    expect(await statusOf(alice.wallet, id)).toBe('confirmed')
    expect((await alice.wallet.balance(near)).total).toBe(113n * GRIN - 23_000_000n)
    expect((await bob.wallet.balance(near)).total).toBe(7n * GRIN)
  })
})

describe('coins that another copy of the wallet spent', () => {
  test('are spent here after a refresh, and the pending payment with them can be cancelled', async () => {
    const copy = await walletFor(alice.keychain)
    await copy.wallet.restore(chain)
    const pending = await copy.wallet.send({ amount: 70n * GRIN, ...near })
    const s1 = await alice.wallet.send({ amount: 70n * GRIN, ...near })
    const s2 = await bob.wallet.receive(s1.slate)
    await alice.wallet.finalize(s2.slate)
    await alice.wallet.post(s1.slateId, chain)
    chain.mine()
    await copy.wallet.refresh(chain)
    expect(await statusOf(copy.wallet, pending.slateId)).toBe('pending')
    await copy.wallet.cancel(pending.slateId)
    await copy.wallet.refresh(chain)
    expect(await copy.wallet.balance(near)).toMatchObject({ total: 0n, locked: 0n })
    // The change of the other copy is unknown until a scan finds it.
    await copy.wallet.check(chain)
    await refreshBoth()
    expect((await copy.wallet.balance(near)).total).toBe((await alice.wallet.balance(near)).total)
  })
})

test('an output that another copy made under the same key is found once, and survives the cancellation here', async () => {
  const copy = await walletFor(alice.keychain)
  await copy.wallet.restore(chain)
  const pending = await copy.wallet.send({ amount: 70n * GRIN, ...near })
  await payBob(70n * GRIN)
  chain.mine()
  await refreshBoth()
  await copy.wallet.check(chain)
  await copy.wallet.cancel(pending.slateId)
  await copy.wallet.refresh(chain)
  expect(await copy.wallet.balance(near)).toMatchObject({ total: (await alice.wallet.balance(near)).total, locked: 0n })
})

test('a check that finds the change of a payment first leaves no input of it locked', async () => {
  await payBob(70n * GRIN)
  chain.mine()
  await alice.wallet.check(chain)
  expect(await alice.wallet.balance(near)).toMatchObject({ total: 50n * GRIN - 23_500_000n, locked: 0n, reverted: 0n })
})

test('a check that finds a cancelled payment takes its input from the payment that came after it', async () => {
  const first = await payBob(100n * GRIN)
  await alice.wallet.cancel(first)
  const second = await alice.wallet.send({ amount: 100n * GRIN, ...near })
  chain.mine()
  await alice.wallet.check(chain)
  await alice.wallet.cancel(second.slateId)
  expect(await statusOf(alice.wallet, first)).toBe('confirmed')
  expect(await alice.wallet.balance(near)).toMatchObject({ total: 20n * GRIN - 23_500_000n, locked: 0n })
  expect(await codeOf(() => alice.wallet.send({ amount: 20n * GRIN, ...near }))).toBe('WALLET_NOT_ENOUGH')
})

test('after a fork, a check frees no input of the payment that the fork took', async () => {
  const id = await payBob(100n * GRIN)
  chain.mine()
  await alice.wallet.refresh(chain)
  chain.chain.reorg(1, 0)
  await alice.wallet.check(chain)
  expect(await statusOf(alice.wallet, id)).toBe('reverted')
  expect(await alice.wallet.balance(near)).toMatchObject({ total: 0n, locked: 120n * GRIN })
})

test('check frees what never left', async () => {
  await alice.wallet.send({ amount: GRIN, ...near })
  await alice.wallet.check({ ...chain, cancelPending: true })
  expect(await alice.wallet.balance(near)).toMatchObject({ total: 120n * GRIN, locked: 0n })
})

test('unconfirmed change of a complete payment can be spent with 0 confirmations', async () => {
  await payBob(50n * GRIN)
  const again = await alice.wallet.send({ amount: 65n * GRIN, minConfirmations: 0 })
  const s2 = await bob.wallet.receive(again.slate)
  await alice.wallet.finalize(s2.slate)
  const [first] = await alice.wallet.transactions()
  expect(first?.status).toBe('confirmed')
  const pending = (await alice.wallet.transactions()).find(({ status }) => status === 'pending')
  expect(await codeOf(() => alice.wallet.cancel(pending?.id ?? 0))).toBe('WALLET_CANNOT_CANCEL')
  await alice.wallet.post(again.slateId, chain)
  chain.mine()
  await refreshBoth()
  expect(await alice.wallet.balance(near)).toMatchObject({ locked: 0n, total: 5n * GRIN - 46_500_000n })
})

test('an S2 that never came back cannot be spent, not even with 0 confirmations', async () => {
  const s1 = await alice.wallet.send({ amount: 7n * GRIN, ...near })
  await bob.wallet.receive(s1.slate)
  expect(await codeOf(() => bob.wallet.send({ amount: GRIN, minConfirmations: 0 }))).toBe('WALLET_NOT_ENOUGH')
})
