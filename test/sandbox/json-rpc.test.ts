// The simulated node answers as the recorded one: same requests, same chain, same answers (grin 5.5.2, test/vectors/real).
import { describe, expect, test } from 'vitest'
import { verifyRange } from '../../src/grin/crypto/index.js'
import type { SimulatedChain } from '../../src/sandbox/chain.js'
import { createValidate } from '../../src/sandbox/control.js'
import { answerForeign, type Validate } from '../../src/sandbox/foreign-methods.js'
import { vectors } from '../support/vectors.js'
import { chainAt, recordedBlocks, recordedCalls } from './recorded-chain.js'

const now = () => Date.parse('2026-11-21T01:43:00.415Z')
const believing: Validate = async () => true
const checking = createValidate(async (commitment, proof) => verifyRange(commitment, proof))

const ask = async (chain: SimulatedChain, request: unknown, validate: Validate = believing) => {
  const text = typeof request === 'string' ? request : JSON.stringify(request)
  return answerForeign(text, { chain, validate, now })
}
const call = async (chain: SimulatedChain, method: string, params: unknown) => {
  const answer = await ask(chain, { jsonrpc: '2.0', id: 1, method, params })
  return JSON.parse(answer.body)
}

const AT_22 = [
  'get_version',
  'get_tip',
  'get_tip_null_params',
  'get_header_by_height',
  'get_kernel_not_found',
  'get_kernel_below_range',
  'get_kernel_in_range',
  'get_kernel_bad_hex',
  'get_kernel_short_hex',
  'get_outputs_unknown',
  'get_pmmr_indices',
  'get_unspent_outputs',
  'get_pool_size',
  'get_stempool_size',
  'get_unconfirmed_transactions_empty',
  'get_block_not_found',
  'unknown_method',
  'missing_params',
  'batch',
]
const AT_23 = ['get_kernel', 'get_outputs_with_proof', 'get_outputs_spent_input']

describe.each([
  [22, AT_22],
  [23, AT_23],
])('at height %i', (height, names) => {
  test.each(names)('%s is answered as recorded', async (name) => {
    const { request, response, status, response_headers } = recordedCalls[name]
    const answer = await ask(chainAt(height), request)
    expect(JSON.parse(answer.body)).toEqual(response)
    expect(answer.status).toBe(status)
    expect(answer.contentType).toBe(response_headers['content-type'])
    expect(Buffer.byteLength(answer.body)).toBe(Number(response_headers['content-length']))
  })
})

test('a body that is no JSON is refused with plain text and status 500', async () => {
  const recorded = recordedCalls.not_json
  const answer = await ask(chainAt(1), recorded.request)
  expect(answer.status).toBe(recorded.status)
  expect(answer.contentType).toBeUndefined()
  expect(answer.body).toMatch(/^Request error: Invalid request body: /)
})

test('every recorded block is printed as recorded', async () => {
  const chain = chainAt(recordedBlocks.length - 1)
  for (const block of recordedBlocks)
    expect((await call(chain, 'get_block', [block.header.height, null, null])).result.Ok).toEqual(block)
})

test('the whole unspent set is printed as recorded', async () => {
  const recorded = vectors('real/chain/get_unspent_outputs.json')
  const chain = chainAt(recordedBlocks.length - 1)
  expect((await call(chain, 'get_unspent_outputs', [1, null, 10000, true])).result.Ok).toEqual(recorded)
})

test('a scan of the unspent set in small pages ends and misses nothing', async () => {
  const chain = chainAt(recordedBlocks.length - 1)
  const commits: string[] = []
  let [start, highest] = [1, 1]
  while (start <= highest) {
    const page = (await call(chain, 'get_unspent_outputs', [start, null, 3, false])).result.Ok
    commits.push(...page.outputs.map((output: { commit: string }) => output.commit))
    highest = page.highest_index
    start = page.last_retrieved_index + 1
  }
  expect(commits).toEqual(chain.ledger.unspent().map((output) => output.commit))
})

describe('a push with the real arithmetic', () => {
  const PUSHES = [
    ['push_transaction_bad_signature', 22],
    ['push_transaction_spent_inputs', 23],
    ['push_transaction_low_fee', 25],
    ['push_transaction_outputs_unsorted', 25],
    ['push_transaction_wrong_offset', 25],
    ['push_transaction_input_without_features', 25],
  ] as const

  test.each(PUSHES)('%s is answered as recorded', async (name, height) => {
    const { request, response } = recordedCalls[name]
    expect(JSON.parse((await ask(chainAt(height), request, checking)).body)).toEqual(response)
  })

  test('the second push of one transaction is a duplicate, and the pool prints it as recorded', async () => {
    const chain = chainAt(22)
    const { request, response } = recordedCalls.push_transaction_duplicate
    expect(JSON.parse((await ask(chain, request, checking)).body).result).toEqual({ Ok: null })
    expect(JSON.parse((await ask(chain, request, checking)).body)).toEqual(response)

    const [entry] = (await call(chain, 'get_unconfirmed_transactions', [])).result.Ok
    const [recorded] = recordedCalls.get_unconfirmed_transactions.response.result.Ok
    expect(entry.tx).toEqual(recorded.tx)
    expect(entry.src).toBe(recorded.src)
  })

  test('inputs as bare commitments are taken', async () => {
    const { request, response } = recordedCalls.push_transaction_commit_only_inputs
    expect(JSON.parse((await ask(chainAt(25), request, checking)).body)).toEqual(response)
  })
})

test('wrong features on an input do not matter to a push', async () => {
  const { request } = recordedCalls.push_transaction_duplicate
  const copy = structuredClone(request)
  copy.params[0].body.inputs[0].features = 'Coinbase'
  expect(JSON.parse((await ask(chainAt(22), copy, checking)).body).result).toEqual({ Ok: null })
})

test('a damaged range proof is refused', async () => {
  const { request } = recordedCalls.push_transaction_duplicate
  const copy = structuredClone(request)
  const [output] = copy.params[0].body.outputs
  output.proof = `${output.proof.slice(0, -2)}00`
  const answer = JSON.parse((await ask(chainAt(22), copy, checking)).body)
  expect(answer.result.Err.Internal).toBe('Failed to update pool: Invalid Tx some kind of keychain error')
})

describe('requests without a recorded answer of a node', () => {
  test('a parameter object needs every name', async () => {
    const chain = chainAt(1)
    const named = await call(chain, 'get_kernel', { excess: '08', min_height: null })
    expect(named.error).toEqual({ code: -32602, message: 'MissingNamedParameter max_height' })
    const complete = await call(chain, 'get_header', { height: 1, hash: null, commit: null })
    expect(complete.result.Ok).toEqual(recordedBlocks[1].header)
  })

  test('a notification and an empty batch are answered with an empty list', async () => {
    expect(JSON.parse((await ask(chainAt(1), { jsonrpc: '2.0', method: 'get_tip', params: [] })).body)).toEqual([])
    expect(JSON.parse((await ask(chainAt(1), [])).body)).toEqual([])
  })

  test('something that is no request is an invalid request', async () => {
    const answer = JSON.parse((await ask(chainAt(1), { hello: 1 })).body)
    expect(answer).toEqual({ error: { code: -32600, message: 'Invalid request' }, id: null })
  })

  test('names of object members are not methods', async () => {
    expect((await call(chainAt(1), 'constructor', [])).error.message).toBe('Method not found')
  })

  test('a fee as text is taken', async () => {
    const { request } = recordedCalls.push_transaction_duplicate
    const copy = structuredClone(request)
    copy.params[0].body.kernels[0].features = { Plain: { fee: '23000000' } }
    expect(JSON.parse((await ask(chainAt(22), copy, checking)).body).result).toEqual({ Ok: null })
  })
})
