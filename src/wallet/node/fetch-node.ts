// A Grin node's Foreign API over `fetch`. Specification: grin-network, 2. A node answers browsers of every origin (README).
import { transactionJson } from '../../grin/tx/index.js'
import { toHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import type { WebAbortSignal, WebFetch, WebRequest, WebResponse } from '../../lib/web-types.js'
import { walletNodeFailed, walletNodeRefused } from '../errors.js'
import {
  type CallResult,
  readBatch,
  readBlockHash,
  readEnvelope,
  readKernelHeight,
  readOutputs,
  readPage,
  readRange,
  readTip,
} from './answers.js'
import type { ChainOutput, KernelQuestion, NodeCall, WalletNode } from './node.js'

// One POST over `fetch`, bounded in time and size: for Node and browsers alike.
interface FetchBounds {
  readonly fetch: WebFetch
  /** For connection and whole answer. */
  readonly timeoutMs: number
  /** Longest answer in bytes. */
  readonly maxBytes: number
  readonly signal?: WebAbortSignal | undefined
}

interface BoundedAnswer {
  readonly status: number
  readonly text: string
}

/** Throws WALLET_NODE_FAILED, or the reason of the caller's signal. Redirects are errors. */
async function postBounded(url: string, init: WebRequest, bounds: FetchBounds): Promise<BoundedAnswer> {
  const { fetch: send, timeoutMs, maxBytes, signal } = bounds
  signal?.throwIfAborted()
  const limit = new AbortController()
  const end = (): void => limit.abort()
  const timer = setTimeout(end, timeoutMs)
  signal?.addEventListener('abort', end)
  try {
    const answer = await send(url, { ...init, method: 'POST', redirect: 'error', signal: limit.signal })
    return { status: answer.status, text: await textOf(answer, maxBytes) }
  } catch (thrown) {
    signal?.throwIfAborted()
    if (walletNodeFailed.is(thrown)) throw thrown
    throw walletNodeFailed(limit.signal.aborted ? `no answer within ${timeoutMs / 1000} s` : messageOf(thrown))
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    limit.abort() // ends an answer that was not read to its end
  }
}

async function textOf({ body }: WebResponse, maxBytes: number): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    if (!value) continue
    size += value.length
    if (size > maxBytes) throw walletNodeFailed(`its answer is longer than ${maxBytes} bytes`)
    text += decoder.decode(value, { stream: true })
  }
}

/** Which node, and the bounds of one request. */
export interface FetchNodeOptions {
  /** Address of the node, with or without /v2/foreign. */
  readonly url: string
  /** The content of the node's foreign API secret file, if it has one. */
  readonly secret?: string
  /** Of one request, whole answer included; default 20 s. */
  readonly timeoutMs?: number
  /** Longest answer in bytes; default 32 MiB. */
  readonly maxBytes?: number
  /** Default: the global one. */
  readonly fetch?: WebFetch
}

declare const fetch: WebFetch

/** Commitments per request, as many as grin-wallet asks for. */
export const OUTPUTS_PER_REQUEST = 200
/** Kernels per request: for each that is not there a node looks through weeks of blocks. */
export const KERNELS_PER_REQUEST = 50
const MOST_PAGE = 10_000

/** Throws TypeError for an address that is no URL. Node and browsers. */
export function createFetchNode(options: FetchNodeOptions): WalletNode {
  const post = createPost(options)
  const call = async (method: string, params: readonly unknown[], by: NodeCall) =>
    readEnvelope(await post(method, { jsonrpc: '2.0', id: 1, method, params }, by))

  /** The value of a call; undefined for NotFound. Throws WALLET_NODE_REFUSED. */
  const find = async (method: string, params: readonly unknown[], by: NodeCall = {}): Promise<unknown> =>
    valueIn(method, await call(method, params, by))

  async function get(method: string, params: readonly unknown[], by?: NodeCall): Promise<unknown> {
    const value = await find(method, params, by)
    if (value === undefined) throw walletNodeRefused(method, 'NotFound')
    return value
  }

  async function outputs(commitments: readonly Uint8Array[], by?: NodeCall): Promise<ChainOutput[]> {
    const asked = [...new Set(commitments.map(toHex))]
    const found: ChainOutput[] = []
    for (let at = 0; at < asked.length; at += OUTPUTS_PER_REQUEST) {
      const batch = asked.slice(at, at + OUTPUTS_PER_REQUEST)
      found.push(...readOutputs(await get('get_outputs', [batch, null, null, false, false], by), new Set(batch)))
    }
    return found
  }

  /** False from the first answer on that shows a node, or something before it, which takes no batches. */
  let takesBatches = true

  async function kernelHeight({ excess, minHeight }: KernelQuestion, by?: NodeCall): Promise<number | undefined> {
    const question = kernelQuestion(excess, minHeight)
    return heightIn(await find('get_kernel', question.params, by), question)
  }

  /** Of at most KERNELS_PER_REQUEST kernels, in one request. */
  async function kernelBatch(asked: readonly KernelQuestion[], by: NodeCall): Promise<(number | undefined)[]> {
    const questions = asked.map(({ excess, minHeight }) => kernelQuestion(excess, minHeight))
    const body = questions.map(({ params }, id) => ({ jsonrpc: '2.0', id, method: 'get_kernel', params }))
    const answers = takesBatches ? readBatch(await post('get_kernel', body, by), body.length) : undefined
    if (answers) return answers.map((answer, at) => heightIn(valueIn('get_kernel', answer), questions[at]))
    takesBatches = false
    const heights: (number | undefined)[] = []
    for (const question of asked) heights.push(await kernelHeight(question, by))
    return heights
  }

  return {
    tip: async (by) => readTip(await get('get_tip', [], by)),
    async blockHash(height, by) {
      const value = await find('get_header', [height, null, null], by)
      return value === undefined ? undefined : readBlockHash(value, height)
    },
    kernelHeight: (excess, minHeight, by) => kernelHeight({ excess, minHeight }, by),
    async kernelHeights(asked, by = {}) {
      const heights: (number | undefined)[] = []
      for (let at = 0; at < asked.length; at += KERNELS_PER_REQUEST)
        heights.push(...(await kernelBatch(asked.slice(at, at + KERNELS_PER_REQUEST), by)))
      return heights
    },
    outputs,
    outputRange: async (fromHeight, by) => readRange(await get('get_pmmr_indices', [fromHeight, null], by)),
    async outputPage(first, last, most, by) {
      if (!Number.isSafeInteger(most) || most < 1 || most > MOST_PAGE)
        throw new RangeError(`outputs of a page: ${most}`)
      return readPage(await get('get_unspent_outputs', [first, last ?? null, most, true], by), most)
    },
    async push(transaction, fluff, by = {}) {
      const answer = await call('push_transaction', [transactionJson(transaction), fluff], by)
      if ('err' in answer && !/Duplicate tx/i.test(answer.err)) throw walletNodeRefused('push_transaction', answer.err)
    },
  }
}

interface AskedKernel {
  readonly params: readonly unknown[]
  readonly excess: string
  readonly from: number
}

function kernelQuestion(excess: Uint8Array, minHeight: number): AskedKernel {
  const from = Math.max(1, minHeight)
  return { params: [toHex(excess), from, null], excess: toHex(excess), from }
}

const heightIn = (value: unknown, asked: AskedKernel | undefined): number | undefined =>
  value === undefined || !asked ? undefined : readKernelHeight(value, asked.excess, asked.from)

/** Undefined for NotFound. Throws WALLET_NODE_REFUSED. */
function valueIn(method: string, answer: CallResult): unknown {
  if ('ok' in answer) return answer.ok
  if (answer.err === 'NotFound') return undefined
  throw walletNodeRefused(method, answer.err)
}

function createPost({ url, secret, timeoutMs = 20_000, maxBytes = 32 * 1024 * 1024, fetch: given }: FetchNodeOptions) {
  const endpoint = endpointOf(url)
  // A browser's fetch must be called on its window, which a member of an object is not.
  const send = given ?? ((url, request) => fetch(url, request))
  const headers = {
    'content-type': 'application/json',
    ...(secret !== undefined && { authorization: `Basic ${btoa(`grin:${secret.trim()}`)}` }),
  }
  return async (method: string, calls: unknown, { signal }: NodeCall) => {
    const body = JSON.stringify(calls)
    const bounds = { fetch: send, timeoutMs, maxBytes, signal }
    const { status, text } = await postBounded(endpoint, { body, headers }, bounds)
    if (status === 401) throw walletNodeRefused(method, 'HTTP 401, the API secret is missing or wrong')
    if (status !== 200) throw walletNodeFailed(`HTTP ${status}`)
    return text
  }
}

function endpointOf(text: string): string {
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw new TypeError('give the secret of the node by itself, not in its address')
  return `${url.href.replace(/\/+$/, '').replace(/\/v2\/foreign$/, '')}/v2/foreign`
}
