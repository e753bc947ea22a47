// An exchange: 10,000 addresses handed out and 10,000 open receives. Counted are keys that are computed and requests, not times.
import { beforeAll, expect, test } from 'vitest'
import { addressOfSeed, armorSlateTo } from '../../src/grin/slatepack/index.js'
import { systemRandom } from '../../src/system/index.js'
import { createFetchNode, createMemoryStorage, type StoredRecord } from '../../src/wallet/index.js'
import { KERNELS_PER_REQUEST, OUTPUTS_PER_REQUEST } from '../../src/wallet/node/fetch-node.js'
import { codeOf } from '../support/vectors.js'
import { type DirectChain, startPair } from './direct-chain.js'
import { GRIN, type TestWallet, walletFor, walletOfAddresses } from './fixture.js'

const MANY = 10_000
const near = { minConfirmations: 1 }
let chain: DirectChain
let alice: TestWallet

beforeAll(async () => {
  ;({ chain, alice } = await startPair(1, 5))
})

test('a slatepack for the newest addresses computes their keys and no others; a second one computes none', async () => {
  const { wallet, keychain, computed } = await walletOfAddresses(chain, MANY)
  const s1 = await alice.wallet.send({ amount: GRIN, recipient: await wallet.address(0, MANY - 1), ...near })
  computed.length = 0
  const options = {
    prefix: 'tgrin',
    sender: addressOfSeed(alice.keychain.addressSeed(0, 0)),
    random: systemRandom,
  } as const
  const to = (index: number) => armorSlateTo([addressOfSeed(keychain.addressSeed(0, index))], s1.slate, options)
  expect(await wallet.read(await to(MANY - 1))).toMatchObject({ encrypted: true })
  expect(computed).toEqual([0, MANY - 1])
  expect(await wallet.read(await to(MANY - 3))).toMatchObject({ encrypted: true })
  expect(computed).toEqual([0, MANY - 1, MANY - 2, MANY - 3])
  // The payment proof that the S1 asks for names the newest address: it is found among the keys that are there.
  expect(await codeOf(() => wallet.receive(s1.slatepack))).toBe('ok')
  const [, , , , ...later] = computed
  expect(new Set(later)).toEqual(new Set([MANY - 1, 0]))
  await alice.wallet.cancel(s1.slateId)
})

test('an address that is expected is tried first, and the log names it', async () => {
  const { wallet, computed } = await walletOfAddresses(chain, MANY)
  const address = { account: 0, index: 17 }
  const s1 = await alice.wallet.send({ amount: GRIN, recipient: await wallet.address(0, 17), ...near })
  computed.length = 0
  expect(await wallet.read(s1.slatepack, address)).toMatchObject({ encrypted: true, address })
  expect(computed).toEqual([17])
  await wallet.receive(s1.slatepack, { address })
  expect(computed.filter((index) => index > 0 && index !== 17)).toEqual([])
  expect((await wallet.transactions()).filter((one) => one.address?.index === 17)).toHaveLength(1)
  await alice.wallet.cancel(s1.slateId)
})

/** Rows of a storage with so many copies of its one receive, each with its own kernel and output. */
function copied(records: readonly StoredRecord[]): StoredRecord[] {
  const find = (table: string) => records.find(({ key }) => key.startsWith(`${table}/`))
  const [transaction, output] = [find('transaction'), find('output')]
  const others = records.filter((one) => one !== transaction && one !== output)
  const rowOf = (record: StoredRecord | undefined) => JSON.parse(record?.value ?? '').row
  const copies = Array.from({ length: MANY }, (_, id) => {
    const place = id.toString(16).padStart(64, '0')
    const [row, own] = [rowOf(transaction), rowOf(output)]
    const commitment = `08${place}`
    const entry = {
      ...row,
      id,
      slateId: `0436430c-2b02-624c-2032-570501${id.toString(16).padStart(6, '0')}`,
      excess: `09${place}`,
      outputs: [{ ...row.outputs[0], commitment }],
    }
    return [
      { key: `transaction/${id}`, value: JSON.stringify({ v: 1, row: entry }) },
      { key: `output/${commitment}`, value: JSON.stringify({ v: 1, row: { ...own, commitment, transaction: id } }) },
    ]
  })
  return [...others, ...copies.flat()]
}

interface Call {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** A node over `fetch` that has no output and no kernel, and counts its requests by method. `takesBatches` false: as before something that refuses lists. */
function countingNode(takesBatches = true) {
  const requests: Record<string, number> = {}
  let mostCalls = 0
  const { height, hash } = chain.chain.ledger.tip()
  const answer = ({ id, method, params: [at] }: Call): object => {
    if (method === 'get_tip') return { id, result: { Ok: { height, last_block_pushed: hash } } }
    if (method === 'get_header') {
      const header = chain.chain.ledger.blockAt(Number(at))?.header
      return { id, result: { Ok: { height: Number(at), hash: header?.hash } } }
    }
    return { id, result: method === 'get_outputs' ? { Ok: [] } : { Err: 'NotFound' } }
  }
  const node = createFetchNode({
    url: 'http://node.test',
    fetch: async (_, { body }) => {
      const asked: Call | readonly Call[] = JSON.parse(String(body))
      const calls = Array.isArray(asked) ? (asked as readonly Call[]) : [asked as Call]
      const [{ method } = { method: '' }] = calls
      requests[method] = (requests[method] ?? 0) + 1
      mostCalls = Math.max(mostCalls, calls.length)
      if (!Array.isArray(asked)) return Response.json(answer(calls[0]!))
      // In any order: the ids say which answer is whose.
      return Response.json(takesBatches ? calls.map(answer).reverse() : { error: { message: 'Invalid Request' } })
    },
  })
  return { node, requests, most: () => mostCalls }
}

test('a refresh with 10,000 open receives asks 50 times for outputs; a thorough one 200 times for kernels too', async () => {
  const { wallet, storage, keychain } = await walletOfAddresses(chain, MANY)
  const s1 = await alice.wallet.send({ amount: GRIN, ...near })
  await wallet.receive(s1.slate)
  await alice.wallet.cancel(s1.slateId)
  const { records } = await storage.load()
  const many = await walletFor(keychain, createMemoryStorage(copied(records)))
  expect(await many.wallet.transactions()).toHaveLength(MANY)

  const { node, requests, most } = countingNode()
  expect(await many.wallet.refresh({ node })).toMatchObject({ confirmed: [], reverted: [], expired: [] })
  expect(requests).toEqual({ get_tip: 1, get_outputs: MANY / OUTPUTS_PER_REQUEST })
  expect(requests.get_outputs).toBe(50)
  await many.wallet.refresh({ node, thorough: true })
  expect(requests).toEqual({ get_tip: 2, get_outputs: 100, get_kernel: MANY / KERNELS_PER_REQUEST })
  expect(requests.get_kernel).toBe(200)
  expect(most()).toBe(KERNELS_PER_REQUEST)
})

test('a node that takes no lists is asked one by one', async () => {
  const { node, requests } = countingNode(false)
  const asked = Array.from({ length: 120 }, (_, at) => ({
    excess: new Uint8Array(33).fill(at),
    minHeight: 1,
  }))
  expect(await node.kernelHeights?.(asked)).toEqual(asked.map(() => undefined))
  expect(requests).toEqual({ get_kernel: 121 })
})

test.each([
  ['no answer to one call', (answers: object[]) => answers.slice(1)],
  ['one answer twice', ([first, ...others]: object[]) => [first, first, ...others.slice(1)]],
  [
    'another kernel',
    (answers: object[]) => [
      { ...answers[0], result: { Ok: { height: 9, tx_kernel: { excess: '00' } } } },
      ...answers.slice(1),
    ],
  ],
])('a batch with %s is refused', async (_, change) => {
  const node = createFetchNode({
    url: 'http://node.test',
    fetch: async (__, { body }) => {
      const calls: readonly Call[] = JSON.parse(String(body))
      return Response.json(change(calls.map(({ id }) => ({ id, result: { Err: 'NotFound' } }))))
    },
  })
  const asked = [1, 2, 3].map((at) => ({ excess: new Uint8Array(33).fill(at), minHeight: 1 }))
  expect(await codeOf(async () => node.kernelHeights?.(asked))).toBe('WALLET_NODE_FAILED')
})
