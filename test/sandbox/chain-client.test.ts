// The till's own chain client against the simulated node: the pair that every test with a till stands on.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createChain, createNodeApi, type NodeClient } from '../../src/chain/index.js'
import { fromHex, toHex } from '../../src/lib/bytes.js'
import type { SandboxNode } from '../../src/sandbox/index.js'
import { startNode } from '../../src/sandbox/node.js'
import { systemRandom } from '../../src/system/index.js'
import { codeOf } from '../support/vectors.js'
import { coin, coinbase, kernelOf, transaction } from './transactions.js'

const T0 = Date.parse('2026-01-01T00:00:00Z')
let node: SandboxNode
let client: NodeClient
let now = T0

beforeEach(async () => {
  node = await startNode({
    validate: async () => true,
    validateCoinbase: async () => true,
    clock: { now: () => T0, monotonic: () => T0, sleep: async () => undefined },
    random: systemRandom,
  })
  client = createChain({ urls: [node.url], clock: { now: () => now, monotonic: () => now }, tipCacheMs: 0 })
  await node.mineCoinbase({ ...coinbase(1), value: 60n })
  node.mine(2)
})

afterEach(async () => {
  client.close()
  await node.close()
})

const pay = transaction(7, [coin(1)], [coin(2)])
const excess = fromHex(kernelOf(7))

test('a payment is seen in the pool, then in a block, then not at all after a reorganisation', async () => {
  expect(await client.pushTransaction(pay, true)).toBe('pushed')
  expect([...(await client.poolExcesses())]).toEqual([kernelOf(7)])
  expect(await client.kernelHeight(excess, 0)).toBeUndefined()

  node.mine(1)
  expect(await client.kernelHeight(excess, 0)).toBe(4)
  expect(await client.unspent([fromHex(coin(1)), fromHex(coin(2))])).toEqual(new Set([coin(2)]))
  expect((await client.tip()).height).toBe(4)

  node.reorg(1, { forget: true })
  expect(await client.kernelHeight(excess, 0)).toBeUndefined()
  expect(await client.unspent([fromHex(coin(2))])).toEqual(new Set())
})

test('a kernel below the asked height is not found, nor one above the tip', async () => {
  await client.pushTransaction(pay, true)
  node.mine(3)
  expect(await client.kernelHeight(excess, 4)).toBe(4)
  expect(await client.kernelHeight(excess, 5)).toBeUndefined()
  expect(await client.kernelHeight(excess, 500)).toBeUndefined()
})

test('a second push of the same transaction is no failure, a double spend is', async () => {
  await client.pushTransaction(pay, true)
  expect(await client.pushTransaction(pay, true)).toBe('already-there')
  const other = transaction(8, [coin(1)], [coin(3)])
  expect(await codeOf(() => client.pushTransaction(other, true))).toBe('NODE_REFUSED')
})

test('a node that went away is not available, and is again when it came back', async () => {
  node.goAway()
  expect(await codeOf(() => client.kernelHeight(excess, 0))).toBe('NODE_UNAVAILABLE')
  node.comeBack()
  now += 60_000
  expect((await client.tip()).height).toBe(3)
})

test('a scan finds every output, in pages', async () => {
  await client.pushTransaction(pay, true)
  node.mine(1)
  await node.mineCoinbase({ ...coinbase(5), value: 60n })
  const api = createNodeApi(node.url)
  const { first, last } = await api.pmmrIndices(1, null)
  const found: string[] = []
  for await (const page of api.unspentOutputs({ first, last })) found.push(...page.map((output) => output.commitment))
  expect(found).toEqual([coin(2), coin(5)])
  const header = await api.header({ height: 4 })
  expect((await api.block({ hash: header?.hash ?? '' }))?.kernels).toEqual([toHex(excess)])
  api.close()
})
