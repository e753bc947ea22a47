import { afterEach, describe, expect, test } from 'vitest'
import { createChain, type TipRules } from '../../src/chain/index.js'
import { type Call, healthy, type Reply, startNode } from './fake-node.js'

const NOW = Date.parse('2026-11-21T12:10:00Z')
const OLD = '2026-11-21T11:00:00+00:00'
const EXCESS = new Uint8Array(33).fill(9)

const nodes: Awaited<ReturnType<typeof startNode>>[] = []
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close()
})

/** Nodes with these answers, a client on them in this order, and a clock to move by hand. */
async function chainOf(replies: readonly ((call: Call) => Reply)[], rules?: TipRules, timeoutMs = 10_000) {
  const started = await Promise.all(replies.map(startNode))
  nodes.push(...started)
  const time = { now: NOW }
  const clock = { now: () => time.now, monotonic: () => time.now }
  const urls = started.map(({ url }) => url)
  const chain = createChain({ urls, clock, timeoutMs, ...(rules ? { rules } : {}) })
  const methods = (index: number) => started[index]?.calls.map(({ method }) => method) ?? []
  return { chain, time, started, methods }
}

const kernelAt =
  (height: number, tip: number) =>
  (call: Call): Reply =>
    call.method === 'get_kernel' ? { ok: { height, tx_kernel: { excess: '09'.repeat(33) } } } : healthy(tip)(call)

const broken = (): Reply => ({ status: 502, body: 'bad gateway' })

test('the tip is asked for once in three seconds, its header once per block', async () => {
  const { chain, time, methods } = await chainOf([healthy(100)])
  expect(await chain.tip()).toMatchObject({ height: 100, hash: (100).toString(16).padStart(64, '0') })
  await Promise.all([chain.tip(), chain.tip()])
  expect(methods(0)).toEqual(['get_tip', 'get_header'])
  time.now += 3000
  await chain.tip()
  expect(methods(0)).toEqual(['get_tip', 'get_header', 'get_tip'])
})

test('the first usable node in the configured order answers', async () => {
  const { chain, methods } = await chainOf([kernelAt(90, 100), kernelAt(91, 100)])
  expect(await chain.kernelHeight(EXCESS, 80)).toBe(90)
  expect(methods(1)).not.toContain('get_kernel')
})

describe('a node is passed over', () => {
  test('when it is more than ten blocks behind the best', async () => {
    const { chain } = await chainOf([kernelAt(1, 89), kernelAt(91, 100)])
    expect(await chain.kernelHeight(EXCESS, 80)).toBe(91)
    expect(chain.status().map(({ refusal }) => refusal)).toEqual(['it is 11 blocks behind', undefined])
  })

  test('but not when it is ten behind', async () => {
    const { chain } = await chainOf([kernelAt(80, 90), kernelAt(91, 100)])
    expect(await chain.kernelHeight(EXCESS, 80)).toBe(80)
  })

  test('when its newest block is more than an hour old, and then it is no measure for the others', async () => {
    const { chain } = await chainOf([healthy(500, OLD), healthy(100)])
    expect((await chain.tip()).height).toBe(100)
    expect(chain.status()[0]?.refusal).toBe('its newest block is 70 minutes old')
  })

  test('when it fails, and is tried again later', async () => {
    let up = false
    const { chain, time } = await chainOf([(call) => (up ? kernelAt(90, 100)(call) : broken()), kernelAt(91, 100)])
    expect(await chain.kernelHeight(EXCESS, 80)).toBe(91)
    up = true
    time.now += 4999
    expect(await chain.kernelHeight(EXCESS, 80)).toBe(91)
    time.now += 1
    await chain.tip()
    await expect.poll(() => chain.kernelHeight(EXCESS, 80)).toBe(90)
  })

  test('when it fails in the middle of a question', async () => {
    const failing = (call: Call): Reply => (call.method === 'get_kernel' ? 'reset' : healthy(100)(call))
    const { chain } = await chainOf([failing, kernelAt(91, 100)])
    expect(await chain.kernelHeight(EXCESS, 80)).toBe(91)
    expect(chain.status()[0]?.refusal).toContain('closed before an answer came')
  })
})

test('private chains may have old tips', async () => {
  const { chain } = await chainOf([healthy(5, '1997-08-04T00:00:00+00:00')], { maxLag: 10, maxAgeMs: undefined })
  expect((await chain.tip()).height).toBe(5)
})

test('a node that does not show headers is not judged by age', async () => {
  const { chain } = await chainOf([
    (call) => (call.method === 'get_tip' ? healthy(7)(call) : { status: 403, body: '' }),
  ])
  expect((await chain.tip()).height).toBe(7)
})

test('with no usable node every verb says so, naming each node and its trouble', async () => {
  const { chain, started } = await chainOf([broken, healthy(100, OLD)])
  const refusals = await Promise.allSettled([
    chain.tip(),
    chain.kernelHeight(EXCESS, 1),
    chain.unspent([EXCESS]),
    chain.poolExcesses(),
    chain.pushTransaction({}, true),
  ])
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: 'rejected', reason: { code: 'NODE_UNAVAILABLE' } })
  expect(String((refusals[0] as PromiseRejectedResult).reason)).toContain(
    `node ${started[0]?.host}: HTTP 502; ${started[1]?.host}: its newest block is 70 minutes old`,
  )
})

test('a single node that comes back is used again after at most 4 seconds', async () => {
  let up = false
  const { chain, time } = await chainOf([(call) => (up ? healthy(100)(call) : broken())])
  for (let tries = 0; tries < 10; tries++) {
    await expect(chain.tip()).rejects.toThrow('HTTP 502')
    time.now += 4000
  }
  up = true
  expect((await chain.tip()).height).toBe(100)
})

test('a node that hangs holds the others up once, not every time', async () => {
  let hangs = false
  const hanging = (call: Call): Reply => (hangs ? 'hang' : healthy(100)(call))
  const { chain, time, methods } = await chainOf([hanging, kernelAt(91, 100)], undefined, 500)
  await chain.tip()
  hangs = true
  time.now += 3000
  expect(await chain.kernelHeight(EXCESS, 80)).toBe(91)
  time.now += 6000
  const before = methods(1).length
  await chain.tip()
  expect(methods(1).length).toBe(before + 1)
})

test('unspent outputs are asked for in batches of a hundred, and only what was asked for counts', async () => {
  const commitments = Array.from({ length: 101 }, (_, index) => new Uint8Array(33).fill(index))
  const entry = (commit: string, spent = false) => ({
    block_height: 1,
    commit,
    mmr_index: 1,
    output_type: 'Transaction',
    proof: null,
    spent,
  })
  const { chain, started } = await chainOf([
    (call) =>
      call.method === 'get_outputs'
        ? { ok: [entry('00'.repeat(33)), entry('01'.repeat(33), true), entry('ff'.repeat(33))] }
        : healthy(9)(call),
  ])
  expect(await chain.unspent(commitments)).toEqual(new Set(['00'.repeat(33)]))
  const sizes = started[0]?.calls
    .filter(({ method }) => method === 'get_outputs')
    .map(({ params }) => (params[0] as []).length)
  expect(sizes).toEqual([100, 1])
  expect(await chain.unspent([])).toEqual(new Set())
})

test.each<[string, Reply]>([
  ['does not know the call', { error: { code: -32601, message: 'Method not found' } }],
  ['forbids it', { status: 403, body: '' }],
])('the pool is empty where a node %s', async (_, reply) => {
  const { chain } = await chainOf([(call) => (call.method.startsWith('get_unconfirmed') ? reply : healthy(9)(call))])
  expect(await chain.poolExcesses()).toEqual(new Set())
  expect(chain.status()[0]?.refusal).toBeUndefined()
})

test('a transaction that the first node refuses is not offered to others', async () => {
  const refuse = (call: Call): Reply =>
    call.method === 'push_transaction' ? { err: { Internal: 'Low fee transaction 1' } } : healthy(9)(call)
  const { chain, methods } = await chainOf([refuse, healthy(9)])
  await expect(chain.pushTransaction({}, true)).rejects.toMatchObject({ code: 'NODE_REFUSED' })
  expect(methods(1)).not.toContain('push_transaction')
})

describe('a push of the till', () => {
  const answering = (reply: Reply) => (call: Call) => (call.method === 'push_transaction' ? reply : healthy(9)(call))

  test('hands the stored text over as the node wants it', async () => {
    const { chain, started } = await chainOf([answering({ ok: null })])
    expect(await chain.push('{"offset":"00"}', false)).toBe('pushed')
    expect(started[0]?.calls.at(-1)?.params).toEqual([{ offset: '00' }, false])
  })

  test('again is no failure', async () => {
    const { chain } = await chainOf([answering({ err: { Internal: 'Failed to update pool: Duplicate tx' } })])
    expect(await chain.push('{}', true)).toBe('pushed')
  })

  test('tells what the node has against it, and rejects only when no node answers', async () => {
    const { chain } = await chainOf([answering({ err: { Internal: 'Failed to update pool: Low fee transaction 1' } })])
    expect(await chain.push('{}', true)).toEqual({ refused: expect.stringContaining('Low fee transaction 1') })
    const { chain: gone } = await chainOf([answering({ status: 500, body: '' })])
    await expect(gone.push('{}', true)).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE' })
  })
})

test('closing ends what is under way', async () => {
  const { chain } = await chainOf([() => 'hang'])
  const asked = chain.tip()
  chain.close()
  await expect(asked).rejects.toMatchObject({ code: 'NODE_UNAVAILABLE', message: expect.stringContaining('closed') })
})
