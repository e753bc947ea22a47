// The simulated node over HTTP: the wire, the controls, going away.
import { afterEach, describe, expect, test } from 'vitest'
import type { SandboxNode } from '../../src/sandbox/index.js'
import { type NodeParts, startNode } from '../../src/sandbox/node.js'
import { systemRandom } from '../../src/system/index.js'
import { vectors } from '../support/vectors.js'
import { coin, coinbase, transaction } from './transactions.js'

const T0 = Date.parse('2026-01-01T00:00:00Z')
const started: SandboxNode[] = []

async function nodeWith(parts: Partial<NodeParts> = {}): Promise<SandboxNode> {
  const node = await startNode({
    validate: async () => true,
    validateCoinbase: async () => true,
    clock: { now: () => T0, monotonic: () => T0, sleep: async () => undefined },
    random: systemRandom,
    ...parts,
  })
  started.push(node)
  return node
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((node) => node.close()))
})

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

async function rpc(node: SandboxNode, method: string, params: unknown[] = []) {
  const response = await post(`${node.url}/v2/foreign`, { jsonrpc: '2.0', id: 1, method, params })
  return (await response.json()).result
}

describe('over HTTP', () => {
  test('headers are those of a node', async () => {
    const node = await nodeWith()
    const response = await post(`${node.url}/v2/foreign`, { jsonrpc: '2.0', id: 1, method: 'get_tip', params: [] })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect((await response.json()).result.Ok).toMatchObject({ height: 0, prev_block_to_last: '0'.repeat(64) })
  })

  test('a secret is asked for as a node asks for it', async () => {
    const recorded = vectors('real/rpc/node-auth.json')
    const node = await nodeWith({ apiSecret: 's3cret' })
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const ask = (headers: Record<string, string>) => post(`${node.url}/v2/foreign`, recorded.right.request, headers)
    for (const headers of [{}, basic('grin:other'), basic('other:s3cret')]) {
      const refused = await ask(headers)
      expect([refused.status, await refused.text()]).toEqual([recorded.none.status, recorded.none.response])
      expect(refused.headers.get('www-authenticate')).toBe(recorded.none.response_headers['www-authenticate'])
    }
    expect((await ask(basic('grin:s3cret'))).status).toBe(200)
  })

  test('another path is not found', async () => {
    expect((await post(`${(await nodeWith()).url}/v3/owner`, {})).status).toBe(404)
  })

  test('a body beyond the limit is refused', async () => {
    const node = await nodeWith()
    expect((await post(`${node.url}/v2/foreign`, 'x'.repeat(4 * 1024 * 1024 + 1))).status).toBe(413)
  })

  test('a pushed transaction is found after the next block, at one confirmation', async () => {
    const node = await nodeWith()
    await node.mineCoinbase({ ...coinbase(1), value: 60n })
    node.mine(2)
    const pay = transaction(7, [coin(1)], [coin(2)])
    expect(await rpc(node, 'push_transaction', [pay, true])).toEqual({ Ok: null })
    const kernel = [pay.body.kernels[0]?.excess, null, null]
    expect(await rpc(node, 'get_kernel', kernel)).toEqual({ Err: 'NotFound' })
    node.mine(1)
    expect((await rpc(node, 'get_kernel', kernel)).Ok.height).toBe(node.height())
  })
})

describe('the controls', () => {
  const state = async (response: Response) => ({ status: response.status, ...(await response.json()) })

  test('mine, reorganise and tell the state, which says SANDBOX', async () => {
    const node = await nodeWith()
    expect(await state(await post(`${node.url}/sandbox/mine`, { blocks: 4 }))).toMatchObject({ height: 4 })
    expect(await state(await post(`${node.url}/sandbox/reorg`, { depth: 2 }))).toMatchObject({ height: 5 })
    expect(await (await fetch(`${node.url}/sandbox`)).json()).toMatchObject({ network: 'SANDBOX', height: 5, pool: 0 })
  })

  test('refuse what makes no sense', async () => {
    const node = await nodeWith()
    expect(await state(await post(`${node.url}/sandbox/mine`, { blocks: 0 }))).toMatchObject({ status: 400 })
    expect(await state(await post(`${node.url}/sandbox/mine`, '{'))).toMatchObject({ status: 400 })
    expect(await state(await post(`${node.url}/sandbox/reorg`, { depth: 3 }))).toMatchObject({
      status: 400,
      code: 'REORG_TOO_DEEP',
    })
    expect(await state(await post(`${node.url}/sandbox/nothing`, {}))).toMatchObject({ status: 404 })
  })

  test('a web page of another origin cannot steer them', async () => {
    const node = await nodeWith()
    const answer = await post(`${node.url}/sandbox/mine`, '{}', { 'content-type': 'text/plain' })
    expect([answer.status, node.height()]).toEqual([400, 0])
  })

  test('a coinbase that does not hold is not mined, nor one twice', async () => {
    const refusing = await nodeWith({ validateCoinbase: async () => false })
    const body = { ...coinbase(1), value: '60' }
    expect(await state(await post(`${refusing.url}/sandbox/coinbase`, body))).toMatchObject({ status: 400 })
    expect(refusing.height()).toBe(0)

    const node = await nodeWith()
    expect(await state(await post(`${node.url}/sandbox/coinbase`, body))).toMatchObject({ height: 1 })
    expect(await state(await post(`${node.url}/sandbox/coinbase`, body))).toMatchObject({ status: 400 })
    expect(await state(await post(`${node.url}/sandbox/coinbase`, { value: 'x' }))).toMatchObject({ status: 400 })
  })
})

test('a control that was offered answers beside the state', async () => {
  const node = await nodeWith()
  node.offer('greet', async ({ name }) => ({ greeting: `hello ${name}` }))
  const answer = await (await post(`${node.url}/sandbox/greet`, { name: 'shop' })).json()
  expect(answer).toMatchObject({ network: 'SANDBOX', greeting: 'hello shop' })
})

describe('going away', () => {
  test('drops connections until it comes back, with the same chain', async () => {
    const node = await nodeWith()
    node.mine(3)
    node.goAway()
    await expect(rpc(node, 'get_tip')).rejects.toThrow()
    node.comeBack()
    expect((await rpc(node, 'get_tip')).Ok.height).toBe(3)
  })

  test('silent: the request is taken and never answered', async () => {
    const node = await nodeWith()
    await post(`${node.url}/sandbox/away`, { how: 'silent' })
    const request = fetch(`${node.url}/v2/foreign`, { method: 'POST', body: '{}', signal: AbortSignal.timeout(50) })
    await expect(request).rejects.toThrow(/timeout/i)
    await post(`${node.url}/sandbox/back`, {})
    expect((await rpc(node, 'get_tip')).Ok.height).toBe(0)
  })
})

test('blocks come on the clock, and listeners hear of each', async () => {
  const wake: (() => void)[] = []
  const sleep = (_: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      wake.push(resolve)
      signal?.addEventListener('abort', () => resolve())
    })
  const node = await nodeWith({ blockEvery: 1000, clock: { now: () => T0, monotonic: () => T0, sleep } })
  const heard = new Promise<number>((resolve) => node.onBlock(resolve))
  wake.shift()?.()
  expect(await heard).toBe(1)
  expect(node.height()).toBe(1)
})
