// The adapter to a Grin node: the recorded answers of a real one, and nodes that lie, stall or flood.
import { afterEach, describe, expect, test } from 'vitest'
import { parseSlateJson } from '../../../src/grin/slate/index.js'
import { parseTransactionJson } from '../../../src/grin/tx/index.js'
import { fromHex, toHex } from '../../../src/lib/bytes.js'
import { createFetchNode, type WalletNode } from '../../../src/wallet/index.js'
import { transactionOfSlate } from '../../../src/wallet/rows.js'
import { type Call, type Reply, startNode } from '../../chain/fake-node.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const recorded = vectors('real/rpc/node-foreign.json')
const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function nodeThat(
  reply: (call: Call) => Reply,
  options: { timeoutMs?: number; maxBytes?: number; secret?: string } = {},
) {
  const server = await startNode(reply)
  closers.push(server.close)
  return { node: createFetchNode({ url: server.url, ...options }), server }
}

/** Answers every call with a recorded response. */
const answering = (name: string) =>
  nodeThat(() => ({
    status: 200,
    body: JSON.stringify(recorded[name].response),
    headers: { 'content-type': 'application/json' },
  }))

describe('answers of a real node', () => {
  test('the tip', async () => {
    const { node, server } = await answering('get_tip')
    expect(await node.tip()).toEqual({
      height: 22,
      hash: recorded.get_tip.response.result.Ok.last_block_pushed,
    })
    expect(server.calls).toMatchObject([
      { method: 'get_tip', params: [], path: '/v2/foreign', authorization: undefined },
    ])
  })

  test('a block by height, and one that does not exist', async () => {
    const { node, server } = await answering('get_header_by_height')
    expect(await node.blockHash(10)).toBe(recorded.get_header_by_height.response.result.Ok.hash)
    expect(server.calls[0]?.params).toEqual([10, null, null])
    expect(await (await answering('get_block_not_found')).node.blockHash(100_000)).toBeUndefined()
  })

  test('a kernel, and one that is not mined', async () => {
    const { result } = recorded.get_kernel.response
    const { node, server } = await answering('get_kernel')
    expect(await node.kernelHeight(bytes(result.Ok.tx_kernel.excess), 0)).toBe(23)
    expect(server.calls[0]?.params).toEqual([result.Ok.tx_kernel.excess, 1, null])
    const absent = (await answering('get_kernel_not_found')).node
    expect(await absent.kernelHeight(bytes(`08${'11'.repeat(32)}`), 5)).toBeUndefined()
  })

  test('outputs; unknown and spent ones are absent', async () => {
    const [output] = recorded.get_outputs_with_proof.response.result.Ok
    expect(await (await answering('get_outputs_with_proof')).node.outputs([bytes(output.commit)])).toEqual([
      { commitment: bytes(output.commit), coinbase: false, height: 23, mmrIndex: output.mmr_index },
    ])
    expect(await (await answering('get_outputs_unknown')).node.outputs([bytes(`08${'11'.repeat(32)}`)])).toEqual([])
  })

  test('index range and page', async () => {
    expect(await (await answering('get_pmmr_indices')).node.outputRange(1)).toEqual({ first: 1, last: 8 })
    const { node, server } = await answering('get_unspent_outputs')
    const page = await node.outputPage(1, undefined, 2)
    expect(page).toMatchObject({ last: 36, highest: 67 })
    expect(page.outputs.map(({ proof, commitment }) => [proof.length, commitment.length])).toEqual([
      [675, 33],
      [675, 33],
    ])
    expect(server.calls[0]?.params).toEqual([1, null, 2, true])
  })

  test.each([
    ['push_transaction_commit_only_inputs', 'ok'],
    ['push_transaction_duplicate', 'ok'],
    ['push_transaction_spent_inputs', 'WALLET_NODE_REFUSED'],
    ['push_transaction_low_fee', 'WALLET_NODE_REFUSED'],
    ['push_transaction_input_without_features', 'WALLET_NODE_REFUSED'],
    ['unknown_method', 'WALLET_NODE_REFUSED'],
    ['get_kernel_not_found', 'WALLET_NODE_REFUSED'],
  ])('%s: %s', async (name, code) => {
    const tx = parseTransactionJson(recorded.push_transaction_duplicate.request.params[0])
    const { node, server } = await answering(name)
    expect(await codeOf(() => node.push(tx, true))).toBe(code)
    expect(server.calls[0]?.params).toEqual([recorded.push_transaction_duplicate.request.params[0], true])
  })

  test('the transaction of a recorded S3 is the one that the node held', () => {
    const slate = parseSlateJson(vectors('real/foreign-receive/S3.json'))
    expect(transactionOfSlate(slate)).toEqual(parseTransactionJson(vectors('real/foreign-receive/transaction.json')))
  })
})

describe('a node that cannot be right', () => {
  const commit = `08${'ab'.repeat(32)}`
  const output = {
    commit,
    spent: false,
    proof: 'ab'.repeat(675),
    block_height: 5,
    mmr_index: 3,
    output_type: 'Transaction',
  }
  const page = (changes: object) => ({
    highest_index: 9,
    last_retrieved_index: 9,
    outputs: [{ ...output, ...changes }],
  })
  const CASES: readonly (readonly [string, unknown, (node: WalletNode) => Promise<unknown>])[] = [
    ['a tip without a hash', { height: 5 }, (node) => node.tip()],
    ['a negative height', { height: -1, last_block_pushed: 'ab'.repeat(32) }, (node) => node.tip()],
    ['another block', { height: 4, hash: 'ab'.repeat(32) }, (node) => node.blockHash(5)],
    [
      'another kernel',
      { height: 5, tx_kernel: { excess: `09${'00'.repeat(32)}` } },
      (node) => node.kernelHeight(bytes(commit), 1),
    ],
    [
      'a kernel below the range',
      { height: 5, tx_kernel: { excess: commit } },
      (node) => node.kernelHeight(bytes(commit), 6),
    ],
    ['outputs that are no list', {}, (node) => node.outputs([bytes(commit)])],
    ['an output without a height', [{ ...output, block_height: null }], (node) => node.outputs([bytes(commit)])],
    ['a short commitment', page({ commit: '08ab' }), (node) => node.outputPage(1, undefined, 10)],
    ['a commitment that is not hex', page({ commit: 'z'.repeat(66) }), (node) => node.outputPage(1, undefined, 10)],
    ['no proof', page({ proof: null }), (node) => node.outputPage(1, undefined, 10)],
    ['a long proof', page({ proof: 'ab'.repeat(676) }), (node) => node.outputPage(1, undefined, 10)],
    ['an unknown type', page({ output_type: 'Other' }), (node) => node.outputPage(1, undefined, 10)],
    ['an index that is no number', page({ mmr_index: '3' }), (node) => node.outputPage(1, undefined, 10)],
    [
      'more outputs than asked for',
      { ...page({}), outputs: [output, output] },
      (node) => node.outputPage(1, undefined, 1),
    ],
    ['a range without an end', { last_retrieved_index: 1 }, (node) => node.outputRange(1)],
  ]
  test.each(CASES)('%s', async (_, ok, call) => {
    const { node } = await nodeThat(() => ({ ok }))
    expect(await codeOf(() => call(node))).toBe('WALLET_NODE_FAILED')
  })

  test('outputs that were not asked for, and spent ones, do not count', async () => {
    const { node } = await nodeThat(() => ({ ok: [output, { ...output, commit: `09${'cd'.repeat(32)}` }] }))
    expect((await node.outputs([bytes(commit)])).map(({ commitment }) => toHex(commitment))).toEqual([commit])
    const { node: lying } = await nodeThat(() => ({ ok: [{ ...output, spent: true }] }))
    expect(await lying.outputs([bytes(commit)])).toEqual([])
  })

  test.each<[string, Reply]>([
    ['no JSON', { status: 200, body: '<html>' }],
    ['neither Ok nor Err', { status: 200, body: '{"result":{}}' }],
    ['HTTP 500', { status: 500, body: 'Request error' }],
    ['a redirect', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
    ['a closed connection', 'reset'],
  ])('%s', async (_, reply) => {
    const { node } = await nodeThat(() => reply)
    expect(await codeOf(() => node.tip())).toBe('WALLET_NODE_FAILED')
  })

  test.each<[string, Reply]>([
    ['a JSON-RPC error', { status: 200, body: '{"error":{"message":{"toString":1}}}' }],
    ['an Err', { err: { Internal: { toString: 1 } } }],
  ])('%s that is no text is a refusal', async (_, reply) => {
    const { node } = await nodeThat(() => reply)
    expect(await codeOf(() => node.tip())).toBe('WALLET_NODE_REFUSED')
  })

  test('HTTP 401: the secret is missing', async () => {
    const { node } = await nodeThat(() => ({ status: 401, body: '' }))
    await expect(node.tip()).rejects.toThrow('the API secret is missing or wrong')
  })

  test('too long an answer', async () => {
    const { node } = await nodeThat(() => ({ status: 200, body: ' '.repeat(5000) }), { maxBytes: 4096 })
    await expect(node.tip()).rejects.toThrow('longer than 4096 bytes')
  })

  test('no answer', async () => {
    const { node } = await nodeThat(() => 'hang', { timeoutMs: 50 })
    await expect(node.tip()).rejects.toThrow('no answer within 0.05 s')
  })
})

test('the signal ends a call, with its reason', async () => {
  const ending = new AbortController()
  const { node, server } = await nodeThat(() => {
    queueMicrotask(() => ending.abort(new Error('enough')))
    return 'hang'
  })
  await expect(node.tip({ signal: ending.signal })).rejects.toThrow('enough')
  await expect(node.tip({ signal: ending.signal })).rejects.toThrow('enough')
  expect(server.calls).toHaveLength(1)
})

test('the secret goes as HTTP Basic, and never into an error', async () => {
  const { node, server } = await nodeThat(() => ({ status: 401, body: '' }), { secret: 'a665c213a7ecf31f1116\n' })
  const thrown = await node.tip().catch((error: unknown) => String(error))
  expect(server.calls[0]?.authorization).toBe(`Basic ${Buffer.from('grin:a665c213a7ecf31f1116').toString('base64')}`)
  expect(thrown).not.toContain('a665c213')
})

test('many commitments are asked for in batches', async () => {
  const { node, server } = await nodeThat(() => ({ ok: [] }))
  await node.outputs(Array.from({ length: 250 }, (_, at) => fromHex(`08${at.toString(16).padStart(64, '0')}`)))
  expect(server.calls.map(({ params }) => (params[0] as string[]).length)).toEqual([200, 50])
})

test.each([
  ['http://127.0.0.1:3413', '/v2/foreign'],
  ['http://127.0.0.1:3413/', '/v2/foreign'],
  ['http://127.0.0.1:3413/v2/foreign', '/v2/foreign'],
  ['http://127.0.0.1:3413/node/', '/node/v2/foreign'],
])('the address %s', async (url, path) => {
  const asked: string[] = []
  const node = createFetchNode({
    url,
    fetch: async (input) => {
      asked.push(new URL(String(input)).pathname)
      return new Response(JSON.stringify(recorded.get_tip.response))
    },
  })
  await node.tip()
  expect(asked).toEqual([path])
})

test('an address with a password, or none at all, is refused', () => {
  expect(() => createFetchNode({ url: 'http://grin:secret@127.0.0.1/' })).toThrow(TypeError)
  expect(() => createFetchNode({ url: 'nowhere' })).toThrow(TypeError)
})

test('a Grin node lets browsers of every origin in (recorded headers)', () => {
  expect(recorded.get_tip.response_headers).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'Content-Type, Authorization',
  })
  // Without the secret the answer has no such header: a browser reports a failed request, not HTTP 401.
  expect(vectors('real/rpc/node-auth.json').none.response_headers).not.toHaveProperty('access-control-allow-origin')
})
