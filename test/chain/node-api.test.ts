// Replays what grin 5.5.2 really answered (test/vectors/real/rpc), byte for byte where numbers are concerned.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNodeApi, type NodeApi } from '../../src/chain/index.js'
import { fromHex } from '../../src/lib/bytes.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { parseExact } from '../../src/lib/parse-json.js'
import { healthy, type Reply, startNode } from './fake-node.js'

interface Recorded {
  readonly request: { readonly method: string; readonly params: readonly unknown[] }
  readonly status: number
  readonly response: unknown
}

/** JSON text with every bigint as the bare number it was. */
const exactText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `#${member}#` : member)).replace(
        /"#(\d+)#"/g,
        '$1',
      )

const read = (path: string) =>
  parseExact(readFileSync(new URL(`../vectors/real/${path}.json`, import.meta.url), 'utf8'))
const recorded = read('rpc/node-foreign') as Record<string, Recorded>
const blocks = read('chain/blocks') as { header: { height: number } }[]

/** The same question was recorded twice, before and after something was in the pool. */
const WITH_A_POOL = 'get_unconfirmed_transactions'

function pairOf(name: string): Recorded {
  const pair = recorded[name]
  if (!pair) throw new Error(`nothing recorded under ${name}`)
  return pair
}

/** A node that knows the recorded questions and nothing else. */
async function startRecordedNode() {
  const known = new Map<string, Recorded>()
  for (const [name, pair] of Object.entries(recorded)) {
    const question = exactText([pair.request.method, pair.request.params])
    if (!known.has(question) || name === WITH_A_POOL) known.set(question, pair)
  }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { method, params } = JSON.parse(body)
    const block = method === 'get_block' && blocks.find(({ header }) => header.height === params[0])
    const pair = known.get(exactText([method, params]))
    if (block) return response.end(exactText({ id: 1, jsonrpc: '2.0', result: { Ok: block } }))
    response.writeHead(pair?.status ?? 599).end(exactText(pair?.response ?? ''))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

describe('against the recorded node', () => {
  let api: NodeApi
  let server: Awaited<ReturnType<typeof startRecordedNode>>['server']
  beforeAll(async () => {
    const node = await startRecordedNode()
    server = node.server
    api = createNodeApi(node.url)
  })
  afterAll(() => {
    api.close()
    server.closeAllConnections()
    server.close()
  })

  const UNKNOWN = fromHex('081111111111111111111111111111111111111111111111111111111111111111')

  test('version and tip', async () => {
    expect(await api.version()).toEqual({ nodeVersion: '5.5.2', headerVersion: 5 })
    expect(await api.tip()).toEqual({ height: 22, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('a header whose nonce does not fit a number', async () => {
    expect(await api.header({ height: 10 })).toEqual({
      height: 10,
      hash: '42717dc207273bc82e56834e430e80efce78f98a629884a8a96dc4f5b16cb280',
      timestamp: expect.any(Number),
    })
  })

  test('every recorded block reads', async () => {
    for (const { header } of blocks) {
      const block = await api.block({ height: header.height })
      expect(block?.header.height).toBe(header.height)
      expect(block?.kernels.length).toBe(
        header.height === 0 ? 0 : block?.outputs.length === 1 ? 1 : block?.kernels.length,
      )
    }
    expect(await api.block({ height: 100_000 })).toBeUndefined()
  })

  test('unspent outputs, with and without proof; unknown and spent ones are absent', async () => {
    const [commitment] = pairOf('get_outputs_with_proof').request.params[0] as [string]
    const [found] = await api.outputs([fromHex(commitment)], true)
    expect(found).toMatchObject({ commitment, height: 23, mmrIndex: 68, coinbase: false })
    expect(found?.proof).toHaveLength(675 * 2)
    expect(await api.outputs([UNKNOWN])).toEqual([])
    const [spent] = pairOf('get_outputs_spent_input').request.params[0] as [string]
    expect(await api.outputs([fromHex(spent)])).toEqual([])
  })

  test('the pool tells the excesses of its kernels', async () => {
    expect(await api.poolExcesses()).toEqual(['092183c25f00d4140438cf5c3bda28354b31e9b8b294411c046a8b40cb02023d40'])
  })

  test('a range of heights as indices, and a page of the scan', async () => {
    expect(await api.pmmrIndices(1, 5)).toEqual({ first: 1, last: 8 })
    const pages = api.unspentOutputs({ first: 1, last: null, pageSize: 2 })
    const { value } = await pages.next()
    expect(value).toHaveLength(2)
    expect(value?.[0]).toMatchObject({ height: 17, mmrIndex: 33, coinbase: false })
  })

  test('pushing what the pool has already is no failure', async () => {
    const [tx, fluff] = pairOf('push_transaction_duplicate').request.params
    expect(await api.pushTransaction(tx, fluff as boolean)).toBe('already-there')
  })

  test.each([
    ['push_transaction_low_fee', 'Low fee transaction 1000000'],
    ['push_transaction_wrong_offset', 'Invalid Tx some kind of keychain error'],
    ['push_transaction_outputs_unsorted', 'Invalid Tx some kind of keychain error'],
    ['push_transaction_input_without_features', 'InvalidArgStructure'],
  ])('%s is a refusal that says why', async (name, why) => {
    const [tx, fluff] = pairOf(name).request.params
    await expect(api.pushTransaction(tx, fluff as boolean)).rejects.toMatchObject({
      code: 'NODE_REFUSED',
      message: expect.stringContaining(why),
    })
  })
})

describe('kernels', () => {
  const excess = new Uint8Array(33).fill(9)
  const hex = '09'.repeat(33)
  const found = {
    height: 23,
    mmr_index: 1,
    tx_kernel: { excess: hex, excess_sig: '00', features: { Plain: { fee: 1 } } },
  }

  async function kernelOf(reply: Reply, minHeight = 5) {
    const node = await startNode(() => reply)
    const api = createNodeApi(node.url, { timeoutMs: reply === 'hang' ? 200 : 10_000, maxBytes: 10_000 })
    const answer = await api.kernelHeight(excess, minHeight).catch((thrown: unknown) => thrown)
    await node.close()
    return { answer, calls: node.calls }
  }

  test('are searched from the height given to the tip, never from genesis', async () => {
    const { answer, calls } = await kernelOf({ ok: found })
    expect(answer).toBe(23)
    expect(calls[0]?.params).toEqual([hex, 5, null])
    expect((await kernelOf({ ok: found }, 0)).calls[0]?.params).toEqual([hex, 1, null])
  })

  test('in a block below the one that was asked for are no answer', async () => {
    expect((await kernelOf({ ok: found }, 24)).answer).toMatchObject({ code: 'NODE_UNREACHABLE' })
    expect((await kernelOf({ ok: { ...found, height: 0 } }, 0)).answer).toMatchObject({ code: 'NODE_UNREACHABLE' })
  })

  test('that are not mined are undefined, not a failure', async () => {
    expect((await kernelOf({ err: 'NotFound' })).answer).toBeUndefined()
  })

  test.each<[string, Reply, string, string]>([
    [
      'another kernel',
      { ok: { ...found, tx_kernel: { excess: '08'.repeat(33) } } },
      'NODE_UNREACHABLE',
      'another kernel',
    ],
    ['a height that is no number', { ok: { ...found, height: '23' } }, 'NODE_UNREACHABLE', 'another form'],
    ['an Err', { err: { RequestError: 'invalid excess hex' } }, 'NODE_REFUSED', 'RequestError invalid excess hex'],
    [
      'a JSON-RPC error',
      { error: { code: -32601, message: 'Method not found' } },
      'NODE_REFUSED',
      'Method not found (-32601)',
    ],
    [
      'a JSON-RPC error that is no text',
      { status: 200, body: '{"error":{"code":{"toString":1},"message":{"toString":1}}}' },
      'NODE_REFUSED',
      'an object (an object)',
    ],
    ['an Err that is no text', { err: { Internal: { toString: 1 } } }, 'NODE_REFUSED', 'an object'],
    ['neither Ok nor Err', { status: 200, body: '{}' }, 'NODE_UNREACHABLE', 'neither Ok nor Err'],
    ['HTML', { status: 200, body: '<html>' }, 'NODE_UNREACHABLE', 'not JSON'],
    ['a server error', { status: 500, body: 'Request error' }, 'NODE_UNREACHABLE', 'HTTP 500'],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } },
      'NODE_UNREACHABLE',
      'HTTP 302',
    ],
    ['a refusal to talk', { status: 401, body: '' }, 'NODE_REFUSED', 'API secret'],
    ['silence', 'hang', 'NODE_UNREACHABLE', 'no answer within 0.2 s'],
    ['a closed connection', 'reset', 'NODE_UNREACHABLE', 'closed before an answer came'],
    ['an answer without end', { status: 200, body: 'x'.repeat(20_000) }, 'NODE_UNREACHABLE', 'longer than 10000 bytes'],
  ])('%s', async (_, reply, code, why) => {
    expect((await kernelOf(reply)).answer).toMatchObject({ code, message: expect.stringContaining(why) })
  })
})

test('the secret of the address is sent as HTTP Basic and appears in no message', async () => {
  const node = await startNode(() => ({ status: 401, body: '' }))
  const api = createNodeApi(node.url.replace('//', '//grin:s%2Fcret@'))
  const thrown = await api.tip().catch((reason: unknown) => reason)
  expect(node.calls[0]?.authorization).toBe(`Basic ${Buffer.from('grin:s/cret').toString('base64')}`)
  expect(`${thrown} ${JSON.stringify(thrown)} ${api.host}`).not.toMatch(/cret@|s%2Fcret|s\/cret/)
  await node.close()
})

test('a kept-alive connection that the node closed costs one silent retry', async () => {
  let resets = 0
  const node = await startNode((call) => (call.method === 'get_version' && resets++ === 0 ? 'reset' : healthy(7)(call)))
  const api = createNodeApi(node.url)
  await api.tip()
  await expect(api.version()).rejects.toMatchObject({ code: 'NODE_REFUSED' })
  expect(node.calls.map(({ method }) => method)).toEqual(['get_tip', 'get_version', 'get_version'])
  await node.close()
})

test('an address may name the API path or not', async () => {
  const node = await startNode(healthy(7))
  for (const tail of ['', '/', '/v2/foreign', '/v2/foreign/']) await createNodeApi(node.url + tail).tip()
  expect(new Set(node.calls.map(({ path }) => path))).toEqual(new Set(['/v2/foreign']))
  await node.close()
})

describe('the scan', () => {
  const output = (index: number) => ({
    block_height: 1,
    commit: '08'.repeat(33),
    merkle_proof: null,
    mmr_index: index,
    output_type: 'Coinbase',
    proof: null,
    proof_hash: '',
    spent: false,
  })

  async function scan(page: (first: number) => Reply) {
    const node = await startNode(({ params }) => page(Number(params[0])))
    const api = createNodeApi(node.url)
    const indices: number[] = []
    try {
      for await (const outputs of api.unspentOutputs({ first: 1, last: null, pageSize: 2, proofs: false }))
        indices.push(...outputs.map(({ mmrIndex }) => mmrIndex))
    } finally {
      await node.close()
    }
    return { indices, calls: node.calls }
  }

  test('goes on behind the last index until the highest', async () => {
    const { indices, calls } = await scan((first) => ({
      ok: { highest_index: 9, last_retrieved_index: first + 3, outputs: [output(first), output(first + 3)] },
    }))
    expect(indices).toEqual([1, 4, 5, 8, 9, 12])
    expect(calls.map(({ params }) => params)).toEqual([1, 5, 9].map((first) => [first, null, 2, false]))
  })

  test('ends with a node that does not move forward', async () => {
    const stuck: Reply = { ok: { highest_index: 9, last_retrieved_index: 0, outputs: [output(1)] } }
    await expect(scan(() => stuck)).rejects.toMatchObject({ code: 'NODE_UNREACHABLE' })
  })
})

test('whatever JSON a node answers, only the two documented errors are thrown', async () => {
  let document = ''
  const answer = async () => new Response(document)
  const api = createNodeApi('http://127.0.0.1:1', { fetch: answer })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.json().map((json) => `{"result":{"Ok":${json}}}`),
        fc.string(),
      ),
      async (json) => {
        document = json
        const tried = [
          api.tip(),
          api.version(),
          api.header({ height: 1 }),
          api.block({ height: 1 }),
          api.poolExcesses(),
          api.outputs([]),
        ]
        for (const result of await Promise.allSettled(tried)) {
          if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(GrinpayError)
        }
      },
    ),
    { numRuns: 200 },
  )
})
