// A node of another network, one that is far behind and one on a fork beyond the horizon: refused by name, and nothing changes.
import { describe, expect, test } from 'vitest'
import { openKeychain } from '../../../src/grin/keychain/index.js'
import { firstBlockOf } from '../../../src/lib/chains.js'
import { systemRandom } from '../../../src/system/index.js'
import { HORIZON } from '../../../src/wallet/chain/own-chain.js'
import {
  type ChainType,
  createMemoryStorage,
  openWallet,
  type StoredRecord,
  type Wallet,
  type WalletNode,
} from '../../../src/wallet/index.js'
import { prove, verify } from '../../support/grin.js'
import { codeOf } from '../../support/vectors.js'
import { createDirectChain } from '../direct-chain.js'
import { GRIN, walletFor } from '../fixture.js'

/** An empty chain of so many blocks; `fork` names the blocks from a height up. */
interface FakeChain {
  readonly first: string
  readonly height: number
  readonly forkAt?: number
}

const hashOf = ({ first, forkAt = Number.POSITIVE_INFINITY }: FakeChain, height: number): string =>
  height === 0 ? first : `${height < forkAt ? 'a' : 'b'}${height}`.padEnd(64, '0')

/** A node of this chain that notes what it is asked. */
function nodeOf(chain: FakeChain) {
  const asked: string[] = []
  const noting = <T>(name: string, answer: T): Promise<T> => {
    asked.push(name)
    return Promise.resolve(answer)
  }
  const node: WalletNode = {
    tip: () => noting('tip', { height: chain.height, hash: hashOf(chain, chain.height) }),
    blockHash: (at) => noting(`block ${at}`, at > chain.height ? undefined : hashOf(chain, at)),
    kernelHeight: () => noting('kernel', undefined),
    outputs: () => noting('outputs', []),
    outputRange: () => noting('range', { first: 1, last: 0 }),
    outputPage: () => noting('page', { last: 0, highest: 0, outputs: [] }),
    push: () => noting('push', undefined),
  }
  return { node, asked }
}

async function open(chainType: ChainType) {
  const storage = createMemoryStorage()
  const keychain = openKeychain(new Uint8Array(32).fill(5))
  const parts = { keychain, prover: { prove, verify }, random: systemRandom.bytes, now: () => 0 }
  const wallet = await openWallet({ ...parts, chainType, storage })
  return { wallet, stored: async (): Promise<readonly StoredRecord[]> => (await storage.load()).records }
}

const MAINNET = firstBlockOf('mainnet') ?? ''
const TESTNET = firstBlockOf('testnet') ?? ''
const PRIVATE = 'c'.repeat(64)
const HEIGHT = 3 * HORIZON
const textOf = (job: Promise<unknown>): Promise<string> =>
  job.then(
    () => 'ok',
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : 'no error'),
  )

const LOOKS: Readonly<Record<string, (wallet: Wallet, node: WalletNode) => Promise<unknown>>> = {
  refresh: (wallet, node) => wallet.refresh({ node }),
  'thorough refresh': (wallet, node) => wallet.refresh({ node, thorough: true }),
  restore: (wallet, node) => wallet.restore({ node }),
  check: (wallet, node) => wallet.check({ node }),
}

describe.each(Object.entries(LOOKS))('%s', (_, look) => {
  test.each([
    { of: 'mainnet', at: 'testnet', first: TESTNET, names: [MAINNET, TESTNET, 'mainnet', 'testnet'] },
    { of: 'testnet', at: 'mainnet', first: MAINNET, names: [TESTNET, MAINNET] },
    { of: 'mainnet', at: 'a private chain', first: PRIVATE, names: [MAINNET, PRIVATE] },
    { of: 'usernet', at: 'testnet', first: TESTNET, names: ['usernet', TESTNET, 'testnet'] },
  ] as const)('a wallet of $of refuses a node of $at', async ({ of, first, names }) => {
    const { wallet, stored } = await open(of)
    const before = await stored()
    const { node, asked } = nodeOf({ first, height: HEIGHT })
    const text = await textOf(look(wallet, node))
    for (const name of names) expect(text).toContain(name)
    expect(await codeOf(() => look(wallet, node))).toBe('WALLET_NODE_CHAIN')
    expect(await stored()).toEqual(before)
    expect(asked.filter((one) => !/^(tip|block)/.test(one))).toEqual([])
  })

  test('another private chain than before, a fork beyond the horizon, a node far behind', async () => {
    const { wallet, stored } = await open('usernet')
    await wallet.refresh(nodeOf({ first: PRIVATE, height: HEIGHT }))
    const before = await stored()
    const other = nodeOf({ first: 'd'.repeat(64), height: HEIGHT + 5, forkAt: 1 })
    expect(await codeOf(() => look(wallet, other.node))).toBe('WALLET_NODE_CHAIN')
    const deep = nodeOf({ first: PRIVATE, height: HEIGHT + 5, forkAt: HEIGHT - HORIZON })
    const text = await textOf(look(wallet, deep.node))
    expect(text).toContain(`block ${HEIGHT - HORIZON} with a${HEIGHT - HORIZON}`)
    expect(text).toContain(`block ${HEIGHT - HORIZON} with b${HEIGHT - HORIZON}`)
    const far = nodeOf({ first: PRIVATE, height: HEIGHT - HORIZON - 1 })
    expect(await codeOf(() => look(wallet, far.node))).toBe('WALLET_NODE_BEHIND')
    expect(await stored()).toEqual(before)
  })
})

test('a fork within the horizon is followed', async () => {
  const { wallet } = await open('mainnet')
  await wallet.refresh(nodeOf({ first: MAINNET, height: HEIGHT }))
  const fork = nodeOf({ first: MAINNET, height: HEIGHT + 1, forkAt: HEIGHT - HORIZON + 1 })
  expect(await wallet.refresh(fork)).toMatchObject({ height: HEIGHT + 1 })
})

test('a chain that grows costs no further question, but for an anchor a day', async () => {
  const { wallet } = await open('mainnet')
  await wallet.refresh(nodeOf({ first: MAINNET, height: HEIGHT }))
  const next = nodeOf({ first: MAINNET, height: HEIGHT + 1 })
  await wallet.refresh(next)
  expect(next.asked).toEqual(['tip', `block ${HEIGHT}`])
  const same = nodeOf({ first: MAINNET, height: HEIGHT + 1 })
  await wallet.refresh(same)
  expect(same.asked).toEqual(['tip'])
  const later = nodeOf({ first: MAINNET, height: HEIGHT + 1440 })
  await wallet.refresh(later)
  expect(later.asked).toEqual(['tip', `block ${HEIGHT + 1}`, `block ${HEIGHT + 1440 - HORIZON}`])
})

test('a replaced private chain is accepted when asked for; another public chain never', async () => {
  const { wallet } = await open('usernet')
  await wallet.refresh(nodeOf({ first: PRIVATE, height: HEIGHT }))
  const anew = { ...nodeOf({ first: 'd'.repeat(64), height: 20, forkAt: 1 }), acceptChain: true }
  expect((await wallet.check(anew)).settled.height).toBe(20)
  expect(await wallet.refresh(anew)).toMatchObject({ height: 20 })
  const foreign = { ...nodeOf({ first: MAINNET, height: 20 }), acceptChain: true }
  expect(await codeOf(() => wallet.check(foreign))).toBe('WALLET_NODE_CHAIN')
})

test('nothing is posted to a node of another chain, and no proof is looked up there', async () => {
  const chain = createDirectChain()
  const [alice, bob] = [await walletFor(1), await walletFor(2)]
  await chain.mineTo(alice.keychain, 0, 60n * GRIN)
  chain.mine(5)
  await alice.wallet.restore(chain)
  const recipient = await bob.wallet.address()
  const s1 = await alice.wallet.send({ amount: GRIN, minConfirmations: 1, recipient })
  await alice.wallet.finalize((await bob.wallet.receive(s1.slatepack)).slatepack)
  const before = (await alice.storage.load()).records
  const { node, asked } = nodeOf({ first: MAINNET, height: 100 })
  expect(await codeOf(() => alice.wallet.post(s1.slateId, { node }))).toBe('WALLET_NODE_CHAIN')
  const proof = await alice.wallet.paymentProof(s1.slateId)
  expect(await codeOf(() => alice.wallet.verifyProof(proof, { node }))).toBe('WALLET_NODE_CHAIN')
  expect(asked.filter((one) => !/^(tip|block)/.test(one))).toEqual([])
  expect((await alice.storage.load()).records).toEqual(before)
  await alice.wallet.post(s1.slateId, chain)
})
