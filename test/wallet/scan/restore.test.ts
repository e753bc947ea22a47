// Restore: page by page, interrupted at every page, over forks, in several accounts.
import { beforeAll, describe, expect, test } from 'vitest'
import { openKeychain } from '../../../src/grin/keychain/index.js'
import { systemRandom } from '../../../src/system/index.js'
import {
  createMemoryStorage,
  openWallet,
  type ScanProgress,
  siftOutputs,
  type WalletNode,
  type WalletStorage,
} from '../../../src/wallet/index.js'
import { prove, verify } from '../../support/grin.js'
import { codeOf } from '../../support/vectors.js'
import { createDirectChain, type DirectChain } from '../direct-chain.js'
import { GRIN, walletFor } from '../fixture.js'

const near = { minConfirmations: 1 }
const ours = openKeychain(new Uint8Array(32).fill(1))
const foreign = openKeychain(new Uint8Array(32).fill(9))
/** Account and index of the own coinbases, foreign ones between them. */
const OWN = [
  [0, 3],
  [0, 7],
  [2, 0],
  [5, 40],
] as const

let chain: DirectChain
beforeAll(async () => {
  chain = await filled()
})

async function filled(): Promise<DirectChain> {
  const made = createDirectChain()
  for (const [at, [account, index]] of OWN.entries()) {
    await made.mineTo(foreign, at, GRIN)
    await made.mineTo(ours, index, BigInt(at + 1) * GRIN, account)
  }
  await made.mineTo(foreign, 99, GRIN)
  made.mine(5)
  return made
}

const TOTAL = 10n * GRIN

/** A node that counts its pages, and fails at one of them. */
function counting(node: WalletNode, failAt = -1) {
  const pages: number[] = []
  const counted: WalletNode = {
    ...node,
    async outputPage(first, ...rest) {
      if (pages.length === failAt) throw new Error('unplugged')
      pages.push(first)
      return node.outputPage(first, ...rest)
    },
  }
  return { node: counted, pages }
}

describe('a restore', () => {
  test('finds the outputs, their accounts, and sets the counters past the highest keys', async () => {
    const { wallet } = await walletFor(ours)
    const progress: ScanProgress[] = []
    const result = await wallet.restore({ ...chain, pageSize: 2, onProgress: (one) => progress.push(one) })
    expect(result).toMatchObject({ seen: 9, found: 4 })
    expect(await wallet.balance(near)).toMatchObject({ total: TOTAL, spendable: TOTAL })
    expect((await wallet.outputs()).map(({ path }) => path)).toEqual(['m/0/0/3', 'm/0/0/7', 'm/2/0/0', 'm/5/0/40'])
    expect(await wallet.accounts()).toMatchObject([
      { index: 0, label: 'default', nextOutput: 10_008 },
      { index: 2, label: 'account_1', nextOutput: 10_001 },
      { index: 5, label: 'account_2', nextOutput: 10_041 },
    ])
    expect((await wallet.balance({ ...near, account: 2 })).total).toBe(3n * GRIN)
    expect(progress.map(({ seen }) => seen)).toEqual([2, 4, 6, 8, 9])
    expect(progress.at(-1)?.next).toBe((progress[0]?.highest ?? 0) + 1)
    expect(await wallet.createAccount('savings')).toMatchObject({ index: 6 })
  })

  test('twice finds nothing new, and skips no more keys', async () => {
    const { wallet } = await walletFor(ours)
    await wallet.restore(chain)
    const [accounts, outputs, log] = [await wallet.accounts(), await wallet.outputs(), await wallet.transactions()]
    await wallet.restore(chain)
    await wallet.check(chain)
    expect([await wallet.accounts(), await wallet.outputs(), await wallet.transactions()]).toEqual([
      accounts,
      outputs,
      log,
    ])
  })

  test('from a height, and from an index', async () => {
    const { wallet } = await walletFor(ours)
    await wallet.restore({ ...chain, fromHeight: 5 })
    expect(await wallet.balance(near)).toMatchObject({ total: 7n * GRIN })
    const { mmrIndex = 0 } = (await wallet.outputs())[0] ?? {}
    const other = await walletFor(ours)
    await other.wallet.restore({ ...chain, fromIndex: mmrIndex + 1 })
    expect(await other.wallet.balance(near)).toMatchObject({ total: 4n * GRIN })
  })

  test('with a sieve elsewhere, which gets the view key only', async () => {
    const { wallet } = await walletFor(ours)
    const keys: Uint8Array[] = []
    const result = await wallet.restore({
      ...chain,
      pageSize: 3,
      sift: async (key, outputs) => {
        keys.push(key)
        // One too many is no harm.
        return [...new Set([...siftOutputs(key, outputs), 0])]
      },
    })
    expect([result.found, keys.length]).toEqual([4, 3])
    expect(keys.every((key) => Buffer.from(key).equals(ours.rewindHash))).toBe(true)
  })
})

describe('interrupted', () => {
  test.each([0, 1, 2, 3, 4])('at page %d by the node, it goes on there', async (failAt) => {
    const storage = createMemoryStorage()
    const first = counting(chain.node, failAt)
    const before = await walletFor(ours, storage)
    await expect(before.wallet.restore({ node: first.node, pageSize: 2 })).rejects.toThrow('unplugged')

    const rest = counting(chain.node)
    const { wallet } = await walletFor(ours, storage)
    expect(await wallet.restore({ node: rest.node, pageSize: 2 })).toMatchObject({ seen: 9, found: 4 })
    expect(rest.pages).toHaveLength(5 - failAt)
    expect(await wallet.balance(near)).toMatchObject({ total: TOTAL })
  })

  test('by the storage again and again, it goes on there', async () => {
    const FAILING = new Set([1, 3, 6, 10, 12, 15])
    const inner = createMemoryStorage()
    let commits = 0
    const flaky: WalletStorage = {
      load: () => inner.load(),
      commit: (batch) => (FAILING.has(commits++) ? Promise.reject(new Error('full')) : inner.commit(batch)),
    }
    const pages: number[] = []
    const { node } = chain
    const noting: WalletNode = {
      ...node,
      outputPage(first, ...rest) {
        pages.push(first)
        return node.outputPage(first, ...rest)
      },
    }
    for (let tries = 0; tries < 20; tries++) {
      const done = await walletFor(ours, flaky)
        .then(({ wallet }) => wallet.restore({ node: noting, pageSize: 2 }))
        .catch((thrown: Error) => thrown.message)
      if (done !== 'full') break
    }
    expect(commits).toBeGreaterThan(15)
    const { wallet } = await walletFor(ours, inner)
    expect(await wallet.balance(near)).toMatchObject({ total: TOTAL })
    expect(await wallet.transactions()).toHaveLength(4)
    // A page whose commit failed is asked for again, the others are not.
    expect(Math.max(...pages.map((page) => pages.filter((one) => one === page).length))).toBeLessThanOrEqual(3)
  })

  test('by a signal: the reason comes back, and the next scan goes on', async () => {
    const storage = createMemoryStorage()
    const { wallet } = await walletFor(ours, storage)
    const ending = new AbortController()
    const stop = (progress: ScanProgress) => {
      if (progress.seen >= 4) ending.abort(new Error('that will do'))
    }
    await expect(wallet.restore({ ...chain, pageSize: 2, signal: ending.signal, onProgress: stop })).rejects.toThrow(
      'that will do',
    )
    const rest = counting(chain.node)
    expect(await wallet.restore({ node: rest.node, pageSize: 2 })).toMatchObject({ seen: 9, found: 4 })
    expect(rest.pages).toHaveLength(3)
  })

  test('and started anew if asked to', async () => {
    const { wallet } = await walletFor(ours)
    await wallet.restore({ node: counting(chain.node, 2).node, pageSize: 2 }).catch(() => undefined)
    const all = counting(chain.node)
    await wallet.restore({ node: all.node, pageSize: 2, restart: true })
    expect(all.pages).toHaveLength(5)
  })
})

describe('a fork during the scan', () => {
  test('is scanned again: what the new branch holds is found', async () => {
    const moving = await filled()
    const { wallet } = await walletFor(ours)
    let pages = 0
    const node: WalletNode = {
      ...moving.node,
      async outputPage(...asked) {
        const page = await moving.node.outputPage(...asked)
        pages += 1
        if (pages === 4) {
          moving.chain.reorg(6, 0)
          await moving.mineTo(ours, 8, 8n * GRIN)
          moving.mine(3)
        }
        return page
      },
    }
    await wallet.restore({ node, pageSize: 2 })
    expect(await wallet.balance(near)).toMatchObject({ total: TOTAL + 8n * GRIN })
  })

  test('without an end is given up', async () => {
    const moving = await filled()
    const { wallet } = await walletFor(ours)
    const node: WalletNode = {
      ...moving.node,
      async blockHash(...asked) {
        moving.chain.reorg(1, 0)
        return moving.node.blockHash(...asked)
      },
    }
    const restless: WalletNode = { ...node, tip: async () => ({ ...(await moving.node.tip()), hash: 'ab'.repeat(32) }) }
    expect(await codeOf(() => wallet.restore({ node: restless, pageSize: 20 }))).toBe('WALLET_SCAN_UNFINISHED')
  })
})

describe('a node whose pages', () => {
  test('do not move forward ends the scan', async () => {
    const { wallet } = await walletFor(ours)
    const stuck: WalletNode = {
      ...chain.node,
      outputPage: async (...asked) => ({ ...(await chain.node.outputPage(...asked)), last: 0 }),
    }
    expect(await codeOf(() => wallet.restore({ node: stuck, pageSize: 2 }))).toBe('WALLET_NODE_FAILED')
  })

  test('hold nothing ends it too', async () => {
    const { wallet } = await walletFor(ours)
    const empty: WalletNode = { ...chain.node, outputPage: async () => ({ last: 0, highest: 1000, outputs: [] }) }
    expect(await wallet.restore({ node: empty })).toMatchObject({ seen: 0, found: 0 })
  })
})

test('check repairs what is wrong in the rows: a coin held for spent, and one that is gone', async () => {
  const storage = createMemoryStorage()
  const { wallet } = await walletFor(ours, storage)
  await wallet.restore(chain)
  const [row, other] = (await storage.load()).records.filter(({ key }) => key.startsWith('output/'))
  const { revision } = await storage.load()
  const key = `output/08${'12'.repeat(32)}`
  const gone = other!.value.replace(/"commitment":"\w+"/, `"commitment":"${key.slice(7)}"`)
  await storage.commit({
    revision,
    put: [
      { key: row!.key, value: row!.value.replace('"status":"unspent"', '"status":"spent"') },
      { key, value: gone },
    ],
    remove: [],
  })
  const damaged = await walletFor(ours, storage)
  expect((await damaged.wallet.balance(near)).total).not.toBe(TOTAL)
  await damaged.wallet.check(chain)
  expect((await damaged.wallet.balance(near)).total).toBe(TOTAL)
})

test('two restores with nothing mined in between hand out different keys', async () => {
  const open = async (now: number) =>
    openWallet({
      ...{ keychain: ours, storage: createMemoryStorage(), chainType: 'sandbox' as const, prover: { prove, verify } },
      ...{ random: systemRandom.bytes, now: () => now },
    })
  const begun = Date.UTC(2026, 10, 30)
  const keys: (readonly number[])[] = []
  for (const now of [begun, begun + 60_000]) {
    const wallet = await open(now)
    await wallet.restore(chain)
    await wallet.createAccount('savings')
    keys.push((await wallet.accounts()).map(({ nextOutput }) => nextOutput))
  }
  const [first = [], second = []] = keys
  expect(second.map((key, at) => key - (first[at] ?? 0))).toEqual([16, 16, 16, 16])
})
