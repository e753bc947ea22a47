// Payers and nodes that mean harm: numbers beyond every bound, a slate for two orders, payments that were cancelled, a made-up tip.
import { beforeEach, describe, expect, test } from 'vitest'
import { createMemoryStorage, type WalletNode } from '../../src/wallet/index.js'
import { codeOf } from '../support/vectors.js'
import { type DirectChain, startPair } from './direct-chain.js'
import { GRIN, type TestWallet, walletFor } from './fixture.js'

const near = { minConfirmations: 1 }
const BEYOND = 2n ** 64n - 1n
let chain: DirectChain
let alice: TestWallet
let bob: TestWallet

beforeEach(async () => {
  ;({ chain, alice, bob } = await startPair(3, 10))
})

/** As after a restart of the page. */
const reopened = async ({ keychain, storage }: TestWallet) => (await walletFor(keychain, storage)).wallet
const lying = (lies: Partial<WalletNode>) => ({ node: { ...chain.node, ...lies } })

describe('every row that is stored can be read again', () => {
  test.each([BEYOND, 2n ** 53n, 2n ** 53n - 1n])('after an S1 that expires at block %s', async (ttl) => {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const first = await bob.wallet.receive({ ...s1.slate, ttl })
    const wallet = await reopened(bob)
    expect(await wallet.balance()).toMatchObject({ awaitingFinalization: GRIN })
    expect((await wallet.receive({ ...s1.slate, ttl })).slate).toEqual(first.slate)
    expect((await alice.wallet.finalize(first.slate)).slate.state).toBe('S3')
  })

  test('after heights and indexes at the end of all numbers', async () => {
    const [most, before] = [Number.MAX_SAFE_INTEGER, await alice.wallet.outputs()]
    const outputs: WalletNode['outputs'] = async (asked) =>
      (await chain.node.outputs(asked)).map((output) => ({ ...output, height: most, coinbase: true }))
    expect(await codeOf(() => alice.wallet.refresh(lying({ outputs })))).toBe('WALLET_NODE_FAILED')
    const outputPage: WalletNode['outputPage'] = async (...asked) => ({
      ...(await chain.node.outputPage(...asked)),
      ...{ last: most, highest: most },
    })
    expect(await codeOf(() => alice.wallet.restore(lying({ outputPage })))).toBe('WALLET_NODE_FAILED')
    const wallet = await reopened(alice)
    expect(await wallet.outputs()).toEqual(before)
    await wallet.check({ ...chain, restart: true })
    expect(await wallet.balance(near)).toMatchObject({ spendable: 180n * GRIN })
  })

  test('after options that are no numbers of blocks', async () => {
    for (const minConfirmations of [-1, 0.5, Number.NaN])
      await expect(alice.wallet.send({ amount: GRIN, lateLock: true, minConfirmations })).rejects.toThrow(RangeError)
    expect(await (await reopened(alice)).balance(near)).toMatchObject({ spendable: 180n * GRIN })
  })
})

test('an S1 that was answered is not taken for an order of another amount', async () => {
  const s1 = await alice.wallet.send({ amount: GRIN, ...near })
  const first = await bob.wallet.receive(s1.slate, { amount: GRIN })
  expect(await codeOf(() => bob.wallet.receive(s1.slate, { amount: 100n * GRIN }))).toBe('S1_WRONG_AMOUNT')
  await bob.wallet.cancel(s1.slateId)
  expect(await codeOf(() => bob.wallet.receive(s1.slate, { amount: 100n * GRIN }))).toBe('S1_WRONG_AMOUNT')
  expect((await bob.wallet.transactions())[0]?.status).toBe('cancelled')
  expect((await bob.wallet.receive(s1.slate, { amount: GRIN })).slate).toEqual(first.slate)
})

test('a complete payment that was cancelled is neither handed out nor posted again', async () => {
  const s1 = await alice.wallet.send({ amount: GRIN, ...near })
  const s2 = await bob.wallet.receive(s1.slate)
  await alice.wallet.finalize(s2.slate)
  await alice.wallet.cancel(s1.slateId)
  expect(await codeOf(() => alice.wallet.finalize(s2.slate))).toBe('WALLET_SLATE_USED')
  expect(await codeOf(() => alice.wallet.post(s1.slateId, chain))).toBe('WALLET_NOTHING_TO_POST')
  const i1 = await alice.wallet.invoice({ amount: GRIN })
  const carol = await walletFor(3)
  await chain.mineTo(carol.keychain, 0, 60n * GRIN)
  chain.mine(4)
  await carol.wallet.restore(chain)
  const i2 = await carol.wallet.pay(i1.slate, near)
  await alice.wallet.finalize(i2.slate)
  await alice.wallet.cancel(i1.slateId)
  expect(await codeOf(() => alice.wallet.finalize(i2.slate))).toBe('WALLET_SLATE_USED')
  expect(await codeOf(() => alice.wallet.post(i1.slateId, chain))).toBe('WALLET_NOTHING_TO_POST')
})

describe('keys after a restore', () => {
  test('do not begin anew in an account of which the chain shows nothing', async () => {
    const before = await walletFor(7)
    const savings = await before.wallet.createAccount('savings')
    const kept: string[] = []
    for (const account of [0, savings.index]) {
      const { slateId } = await before.wallet.invoice({ amount: GRIN, account })
      const row = (await before.wallet.transactions()).find((one) => one.slateId === slateId)
      kept.push(...(row?.outputs ?? []).map(({ commitment }) => commitment))
    }
    const { wallet } = await walletFor(7)
    expect((await wallet.restore(chain)).found).toBe(0)
    const again = await wallet.createAccount('savings')
    expect(again.index).toBe(savings.index)
    for (const account of [0, again.index]) await wallet.invoice({ amount: GRIN, account })
    const made = (await wallet.outputs()).map(({ commitment }) => commitment)
    expect(made).toHaveLength(2)
    expect(made.filter((commitment) => kept.includes(commitment))).toEqual([])
    const counters = (await wallet.accounts()).map(({ nextOutput }) => nextOutput)
    expect(counters).toEqual([10_001, 10_001])
    await wallet.check(chain)
    expect((await wallet.accounts()).map(({ nextOutput }) => nextOutput)).toEqual(counters)
  })
})

describe('a node that made up its tip', () => {
  test('beyond every chain is not believed, and a payment with an expiry goes on', async () => {
    for (const height of [2 ** 32, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, -1, 0.5]) {
      const tip: WalletNode['tip'] = async () => ({ height, hash: 'ff'.repeat(32) })
      expect(await codeOf(() => alice.wallet.refresh(lying({ tip })))).toBe('WALLET_NODE_FAILED')
    }
    expect((await alice.wallet.send({ amount: GRIN, ttlBlocks: 10, ...near })).slate.ttl).toBeGreaterThan(0n)
    await expect(alice.wallet.send({ amount: GRIN, ttlBlocks: Number.MAX_SAFE_INTEGER, ...near })).rejects.toThrow(
      'ttlBlocks',
    )
  })

  test('that an older version stored is as good as none, until the next refresh', async () => {
    const { records } = await alice.storage.load()
    const value = JSON.stringify({ v: 1, row: { height: Number.MAX_SAFE_INTEGER, hash: 'ff'.repeat(32) } })
    const others = records.filter(({ key }) => key !== 'seenBlock/it')
    const poisoned = await walletFor(alice.keychain, createMemoryStorage([...others, { key: 'seenBlock/it', value }]))
    expect(await poisoned.wallet.height()).toBe(0)
    expect(await codeOf(() => poisoned.wallet.send({ amount: GRIN, ttlBlocks: 10, ...near }))).toBe('WALLET_NOT_ENOUGH')
    await poisoned.wallet.refresh(chain)
    expect(await codeOf(() => poisoned.wallet.send({ amount: GRIN, ttlBlocks: 10, ...near }))).toBe('ok')
  })

  test('leaves no payment that an honest one cannot find', async () => {
    const tip: WalletNode['tip'] = async () => ({ height: 1_000_000_000, hash: 'ff'.repeat(32) })
    await alice.wallet.refresh(lying({ tip }))
    expect(await alice.wallet.height()).toBe(1_000_000_000)
    const s1 = await alice.wallet.send({ amount: 60n * GRIN, feeIncluded: true, strategy: 'smallest', ...near })
    const s2 = await bob.wallet.receive(s1.slate)
    await alice.wallet.finalize(s2.slate)
    await alice.wallet.post(s1.slateId, chain)
    chain.mine()
    await alice.wallet.check(chain)
    expect((await alice.wallet.transactions()).find(({ slateId }) => slateId === s1.slateId)?.status).toBe('confirmed')
    // A refusal because its inputs are spent by itself is none.
    await alice.wallet.post(s1.slateId, chain)
  })
})

test('after a fork a transaction whose output is spent by a pending one cannot be cancelled', async () => {
  const s1 = await alice.wallet.send({ amount: 5n * GRIN, ...near })
  const s2 = await bob.wallet.receive(s1.slate)
  await alice.wallet.finalize(s2.slate)
  await alice.wallet.post(s1.slateId, chain)
  chain.mine()
  await bob.wallet.refresh(chain)
  const onward = await bob.wallet.send({ amount: GRIN, ...near })
  chain.chain.reorg(1, 0)
  await bob.wallet.refresh(chain)
  expect(await codeOf(() => bob.wallet.cancel(s1.slateId))).toBe('WALLET_CANNOT_CANCEL')
  await bob.wallet.cancel(onward.slateId)
  expect((await bob.wallet.cancel(s1.slateId)).status).toBe('cancelled')
})

test('an S2 that was never posted costs no question of its own, young or old', async () => {
  const s1 = await alice.wallet.send({ amount: GRIN, ...near })
  const s2 = await bob.wallet.receive(s1.slate)
  let asked = 0
  const kernelHeight: WalletNode['kernelHeight'] = (...question) => {
    asked += 1
    return chain.node.kernelHeight(...question)
  }
  await bob.wallet.refresh(lying({ kernelHeight }))
  chain.mine(11_600)
  await bob.wallet.refresh(lying({ kernelHeight }))
  expect(asked).toBe(0)
  await alice.wallet.refresh(chain)
  await alice.wallet.finalize(s2.slate)
  await alice.wallet.post(s1.slateId, chain)
  chain.mine()
  expect((await bob.wallet.refresh(chain)).confirmed).toHaveLength(1)
})

test('many S2 and cancelled payments cost a refresh one request for every hundred outputs, and those that are mined count', async () => {
  const SLATES = 30
  const s1s = []
  for (let made = 0; made < SLATES; made++) {
    const s1 = await alice.wallet.send({ amount: GRIN, ...near })
    const s2 = await bob.wallet.receive(s1.slate)
    s1s.push({ id: s1.slateId, s2 })
    if (made > 1) await alice.wallet.cancel(s1.slateId)
    if (made > 15) await bob.wallet.cancel(s1.slateId)
  }
  const calls = { kernels: 0, outputs: 0 }
  const noting = lying({
    kernelHeight: (...question) => {
      calls.kernels += 1
      return chain.node.kernelHeight(...question)
    },
    outputs: (...question) => {
      calls.outputs += 1
      return chain.node.outputs(...question)
    },
  })
  await bob.wallet.refresh(noting)
  expect(calls).toEqual({ kernels: 0, outputs: 1 })

  // Bob cancels one more, and Alice posts it nevertheless, with another one.
  await bob.wallet.cancel(s1s[0]!.id)
  for (const { id, s2 } of s1s.slice(0, 2)) {
    await alice.wallet.finalize(s2.slate)
    await alice.wallet.post(id, chain)
  }
  chain.mine()
  expect((await bob.wallet.refresh(noting)).confirmed).toEqual([0, 1])
  expect(calls).toEqual({ kernels: 0, outputs: 2 })
  expect(await bob.wallet.balance(near)).toMatchObject({ spendable: 2n * GRIN })
  await bob.wallet.check(chain)
  expect(await bob.wallet.balance(near)).toMatchObject({ spendable: 2n * GRIN })
})

test('of questions under way together a failing one ends the look, and changes nothing', async () => {
  for (let made = 0; made < 3; made++) await alice.wallet.invoice({ amount: GRIN })
  const before = await alice.wallet.outputs()
  const outputs: WalletNode['outputs'] = async () => {
    throw new Error('gone')
  }
  await expect(alice.wallet.refresh(lying({ outputs }))).rejects.toThrow('gone')
  expect(await alice.wallet.outputs()).toEqual(before)
})
