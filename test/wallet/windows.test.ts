// Two windows on one storage: every verb of the second decides on what the first has committed.
import { beforeAll, describe, expect, test } from 'vitest'
import { openKeychain } from '../../src/grin/keychain/index.js'
import { createMemoryStorage, type StoredRecord, type Wallet, type WalletStorage } from '../../src/wallet/index.js'
import { codeOf } from '../support/vectors.js'
import { createDirectChain, type DirectChain } from './direct-chain.js'
import { GRIN, walletFor } from './fixture.js'

const near = { minConfirmations: 1 }
const [ALICE, BOB, CAROL] = [1, 2, 3].map((seed) => openKeychain(new Uint8Array(32).fill(seed)))
let chain: DirectChain
let funded: readonly StoredRecord[]

beforeAll(async () => {
  chain = createDirectChain()
  for (const index of [0, 1]) await chain.mineTo(ALICE!, index, 20n * GRIN)
  chain.mine(5)
  const first = await walletFor(ALICE!)
  await first.wallet.restore(chain)
  funded = (await first.storage.load()).records
})

/** Storages that know their revision are asked for it, others are loaded again. */
const STORAGES: readonly (readonly [string, () => WalletStorage])[] = [
  ['a storage with revisions', () => createMemoryStorage(funded)],
  [
    'a storage that only loads and commits',
    () => {
      const { load, commit } = createMemoryStorage(funded)
      return { load, commit }
    },
  ],
]

interface Windows {
  /** Changes the storage. */
  readonly quick: Wallet
  /** Opened, and used, before that. */
  readonly stale: Wallet
  readonly bob: Wallet
  /** How many transactions the nodes were given. */
  readonly pushed: () => number
  readonly chain: DirectChain
}

async function openWindows(storage: WalletStorage): Promise<Windows> {
  const [quick, stale, bob] = [
    await walletFor(ALICE!, storage),
    await walletFor(ALICE!, storage),
    await walletFor(BOB!),
  ]
  await bob.wallet.refresh(chain)
  let pushed = 0
  const node = {
    ...chain.node,
    push: async () => {
      pushed += 1
    },
  }
  return {
    quick: quick.wallet,
    stale: stale.wallet,
    bob: bob.wallet,
    pushed: () => pushed,
    chain: { ...chain, node },
  }
}

async function finalized({ quick, bob }: Windows): Promise<string> {
  const s1 = await quick.send({ amount: GRIN, ...near })
  await quick.finalize((await bob.receive(s1.slate)).slate)
  return s1.slateId
}

interface Case {
  readonly verb: keyof Wallet
  readonly does: string
  /** What the first window does; the second has read the wallet before. Answers what the second one does. */
  readonly after: (windows: Windows) => Promise<() => Promise<unknown>>
  /** Of the second window: an error's code, or what it answers in part. */
  readonly expected: unknown
}

const CASES: readonly Case[] = [
  {
    verb: 'post',
    does: 'hands out no payment that was cancelled',
    async after(windows) {
      const id = await finalized(windows)
      expect(await windows.stale.transactions()).toHaveLength(3)
      await windows.quick.cancel(id)
      return async () => [await codeOf(() => windows.stale.post(id, windows.chain)), windows.pushed()]
    },
    expected: ['WALLET_NOTHING_TO_POST', 0],
  },
  {
    verb: 'post',
    does: 'finds a payment that was finalized',
    async after(windows) {
      const id = await finalized(windows)
      return async () => [await codeOf(() => windows.stale.post(id, windows.chain)), windows.pushed()]
    },
    expected: ['ok', 1],
  },
  {
    verb: 'finalize',
    does: 'completes a payment that was begun',
    async after({ quick, stale, bob }) {
      const s1 = await quick.send({ amount: GRIN, ...near })
      const s2 = await bob.receive(s1.slate)
      return () => codeOf(() => stale.finalize(s2.slate))
    },
    expected: 'ok',
  },
  {
    verb: 'finalize',
    does: 'signs nothing for a payment that was cancelled',
    async after({ quick, stale, bob }) {
      const s1 = await quick.send({ amount: GRIN, ...near })
      const s2 = await bob.receive(s1.slate)
      await stale.transactions()
      await quick.cancel(s1.slateId)
      return () => codeOf(() => stale.finalize(s2.slate))
    },
    expected: 'WALLET_SLATE_USED',
  },
  {
    verb: 'finalize',
    does: 'completes an invoice that was issued',
    async after({ quick, stale, bob }) {
      const i1 = await bob.invoice({ amount: GRIN })
      const i2 = await quick.pay(i1.slate, near)
      const own = await quick.invoice({ amount: GRIN })
      expect(i2.slate.state).toBe('I2')
      const carol = await payerFor(own.slate.amount)
      const answer = await carol.pay(own.slate, near)
      return () => codeOf(() => stale.finalize(answer.slate))
    },
    expected: 'ok',
  },
  {
    verb: 'receive',
    does: 'signs for an address that was handed out',
    async after({ quick, stale }) {
      const { address } = await quick.nextAddress()
      const carol = await payerFor(GRIN)
      const s1 = await carol.send({ amount: GRIN, recipient: address, ...near })
      return () => codeOf(() => stale.receive(s1.slatepack))
    },
    expected: 'ok',
  },
  {
    verb: 'receive',
    does: 'answers an S1 as it was answered',
    async after({ quick, stale }) {
      const s1 = await (await payerFor(GRIN)).send({ amount: GRIN, ...near })
      const { slate } = await quick.receive(s1.slate)
      return async () =>
        JSON.stringify((await stale.receive(s1.slate)).slate.participants) === JSON.stringify(slate.participants)
    },
    expected: true,
  },
  {
    verb: 'read',
    does: 'opens what is encrypted to an address that was handed out',
    async after({ quick, stale }) {
      const { address } = await quick.nextAddress()
      const s1 = await (await payerFor(GRIN)).send({ amount: GRIN, recipient: address, ...near })
      return async () => (await stale.read(s1.slatepack)).encrypted
    },
    expected: true,
  },
  {
    verb: 'send',
    does: 'spends coins that were freed',
    async after({ quick, stale }) {
      const s1 = await quick.send({ amount: 39n * GRIN, ...near })
      expect(await codeOf(() => stale.send({ amount: GRIN, ...near }))).toBe('WALLET_NOT_ENOUGH')
      await quick.cancel(s1.slateId)
      return () => codeOf(() => stale.send({ amount: 39n * GRIN, ...near }))
    },
    expected: 'ok',
  },
  {
    verb: 'pay',
    does: 'spends coins that were freed',
    async after({ quick, stale, bob }) {
      const s1 = await quick.send({ amount: 39n * GRIN, ...near })
      const i1 = await bob.invoice({ amount: 30n * GRIN })
      expect(await codeOf(() => stale.pay(i1.slate, near))).toBe('WALLET_NOT_ENOUGH')
      await quick.cancel(s1.slateId)
      return () => codeOf(() => stale.pay(i1.slate, near))
    },
    expected: 'ok',
  },
  {
    verb: 'pay',
    does: 'pays no invoice whose payment was cancelled',
    async after({ quick, stale, bob }) {
      const i1 = await bob.invoice({ amount: GRIN })
      await quick.pay(i1.slate, near)
      await stale.transactions()
      await quick.cancel(i1.slateId)
      return () => codeOf(() => stale.pay(i1.slate, near))
    },
    expected: 'WALLET_SLATE_USED',
  },
  {
    verb: 'cancel',
    does: 'finds a payment that was begun',
    async after({ quick, stale }) {
      const { slateId } = await quick.send({ amount: GRIN, ...near })
      return async () => (await stale.cancel(slateId)).status
    },
    expected: 'cancelled',
  },
  {
    verb: 'cancel',
    does: 'cancels nothing twice',
    async after({ quick, stale }) {
      const { slateId } = await quick.send({ amount: GRIN, ...near })
      await stale.transactions()
      await quick.cancel(slateId)
      return () => codeOf(() => stale.cancel(slateId))
    },
    expected: 'WALLET_CANNOT_CANCEL',
  },
  {
    verb: 'invoice',
    does: 'is paid to an account that was created',
    async after({ quick, stale }) {
      await quick.createAccount('savings')
      return () => codeOf(() => stale.invoice({ amount: GRIN, account: 1 }))
    },
    expected: 'ok',
  },
  {
    verb: 'paymentProof',
    does: 'exports the proof of a payment that was finalized',
    async after({ quick, stale, bob }) {
      const s1 = await quick.send({ amount: GRIN, recipient: await bob.address(), ...near })
      await quick.finalize((await bob.receive(s1.slatepack)).slatepack)
      return () => codeOf(() => stale.paymentProof(s1.slateId))
    },
    expected: 'ok',
  },
  {
    verb: 'verifyProof',
    does: 'knows an address that was handed out',
    async after({ quick, stale, chain: { node } }) {
      const { address } = await quick.nextAddress()
      const carol = await payerFor(GRIN)
      const s1 = await carol.send({ amount: GRIN, recipient: address, ...near })
      await carol.finalize((await quick.receive(s1.slatepack)).slatepack)
      const proof = await carol.paymentProof(s1.slateId)
      return async () => (await stale.verifyProof(proof, { node })).recipientIsOurs
    },
    expected: true,
  },
  {
    verb: 'address',
    does: 'names an address that was handed out',
    async after({ quick, stale }) {
      const { index, address } = await quick.nextAddress()
      return async () => (await stale.address(0, index)) === address
    },
    expected: true,
  },
  {
    verb: 'nextAddress',
    does: 'hands out no address twice',
    async after({ quick, stale }) {
      const { index } = await quick.nextAddress()
      return async () => (await stale.nextAddress()).index - index
    },
    expected: 1,
  },
  {
    verb: 'createAccount',
    does: 'takes a label that became free',
    async after({ quick, stale }) {
      await quick.labelAccount(0, 'till')
      return async () => (await stale.createAccount('default')).index
    },
    expected: 1,
  },
  {
    verb: 'labelAccount',
    does: 'finds an account that was created',
    async after({ quick, stale }) {
      await quick.createAccount('savings')
      return async () => (await stale.labelAccount(1, 'rainy days')).label
    },
    expected: 'rainy days',
  },
  {
    verb: 'accounts',
    does: 'lists an account that was created',
    async after({ quick, stale }) {
      await quick.createAccount('savings')
      return async () => (await stale.accounts()).length
    },
    expected: 2,
  },
  {
    verb: 'balance',
    does: 'counts coins that were locked',
    async after({ quick, stale }) {
      await quick.send({ amount: GRIN, ...near })
      return async () => (await stale.balance(near)).locked
    },
    expected: 20n * GRIN,
  },
  {
    verb: 'outputs',
    does: 'lists change that was made',
    async after({ quick, stale }) {
      await quick.send({ amount: GRIN, ...near })
      return async () => (await stale.outputs()).map(({ status }) => status)
    },
    expected: ['locked', 'unspent', 'unconfirmed'],
  },
  {
    verb: 'transactions',
    does: 'lists a payment that was begun',
    async after({ quick, stale }) {
      await quick.send({ amount: GRIN, ...near })
      return async () => (await stale.transactions()).length
    },
    expected: 3,
  },
  {
    verb: 'height',
    does: 'is the height that was seen',
    async after({ quick, stale, chain: { node } }) {
      await quick.refresh({ node: { ...node, tip: async () => ({ height: 1000, hash: 'a'.repeat(64) }) } })
      return () => stale.height()
    },
    expected: 1000,
  },
  {
    verb: 'refresh',
    does: 'asks for what was sent',
    async after({ quick, stale, chain: { node } }) {
      await quick.send({ amount: GRIN, ...near })
      const asked: number[] = []
      const noting: typeof node = {
        ...node,
        outputs: (commitments, call) => {
          asked.push(commitments.length)
          return node.outputs(commitments, call)
        },
      }
      return async () => {
        await stale.refresh({ node: noting })
        return asked
      }
    },
    expected: [3],
  },
  {
    verb: 'restore',
    does: 'goes on where a scan was interrupted',
    async after({ quick, stale, chain: { node } }) {
      const stop = new AbortController()
      const interrupted = { node, pageSize: 1, signal: stop.signal, onProgress: () => stop.abort(new Error('closed')) }
      await quick.restore(interrupted).catch(() => undefined)
      return async () => (await stale.restore({ node, onProgress: () => undefined })).seen
    },
    expected: 2,
  },
  {
    verb: 'check',
    does: 'cancels a payment that was begun',
    async after({ quick, stale, chain: { node } }) {
      await quick.send({ amount: GRIN, ...near })
      return async () => {
        await stale.check({ node, cancelPending: true })
        return (await stale.transactions()).at(-1)?.status
      }
    },
    expected: 'cancelled',
  },
]

/** Another wallet with coins: CAROL's storage, as if it had mined what ALICE has. */
async function payerFor(amount: bigint): Promise<Wallet> {
  const payer = await walletFor(CAROL!)
  const chainOfCarol = createDirectChain()
  await chainOfCarol.mineTo(CAROL!, 0, amount + 10n * GRIN)
  chainOfCarol.mine(5)
  await payer.wallet.restore(chainOfCarol)
  return payer.wallet
}

describe.each(STORAGES)('%s: a second window', (_, storage) => {
  test.each(CASES)('$verb $does', async ({ after, expected }) => {
    const windows = await openWindows(storage())
    await windows.stale.balance()
    const second = await after(windows)
    expect(await second()).toEqual(expected)
  })
})

test('every verb is in the table', async () => {
  const { wallet } = await walletFor(BOB!)
  const others = ['chainType', 'reload', 'subscribe']
  const verbs = Object.keys(wallet).filter((name) => !others.includes(name))
  expect([...new Set<string>(CASES.map(({ verb }) => verb))].sort()).toEqual(verbs.sort())
})

test.each(STORAGES)('%s: a wallet says that it changed until nobody listens', async (_, storage) => {
  const shared = storage()
  const [quick, other] = [await walletFor(ALICE!, shared), await walletFor(ALICE!, shared)]
  const heard = { quick: 0, other: 0 }
  const hear = (name: 'quick' | 'other') => ({ events: ['changed' as const], listener: () => heard[name]++ })
  const ends = [quick.wallet.subscribe(hear('quick')), other.wallet.subscribe(hear('other'))]
  await quick.wallet.createAccount('savings')
  await expect.poll(() => heard).toEqual({ quick: 1, other: shared.watch ? 1 : 0 })
  for (const end of ends) end()
  await quick.wallet.createAccount('rainy days')
  await quick.wallet.accounts()
  expect(heard.quick).toBe(1)
})
