// JSON-RPC to one node. Failures can come from HTTP, JSON, the JSON-RPC error, and the Err of the call.

import { messageOf, orThrow } from '../lib/errors.js'
import { type FetchedAnswer, fetchBounded, wasClosed } from '../lib/http-request.js'
import { membersOf, parseExact } from '../lib/parse-json.js'
import { foreignText } from '../lib/plain-text.js'
import { Secret } from '../lib/secret.js'
import { nodeRefused, nodeUnreachable } from './errors.js'

export interface RpcOptions {
  readonly fetch?: typeof fetch
  /** For one request, connection and whole answer included. */
  readonly timeoutMs?: number
  /** Maximum bytes of a response. */
  readonly maxBytes?: number
  /** True: uses the URL unchanged. Otherwise appends the path of the node's API. */
  readonly isComplete?: boolean
}

/** The result of a call: its value, or its error (`NotFound`, `Internal`, …; specification: grin-network, 2). */
export type CallResult = { readonly ok: unknown } | { readonly err: string; readonly text: string }

export interface Rpc {
  /** Host and port only: the address may hold a secret. */
  readonly host: string
  /** Rejects with NODE_UNREACHABLE, or with NODE_REFUSED for a JSON-RPC error or a 4xx. */
  call(method: string, params: readonly unknown[]): Promise<CallResult>
  /** Aborts pending requests. */
  close(): void
}

interface Endpoint {
  readonly url: string
  readonly host: string
  readonly authorization: Secret | undefined
}

/** `url` may contain `user:password@`, which is sent as HTTP Basic and never printed. Throws TypeError for an invalid URL. */
export function createRpc(url: string, options: RpcOptions = {}): Rpc {
  const { fetch: send = fetch, timeoutMs = 10_000, maxBytes = 32 * 1024 * 1024, isComplete = false } = options
  const endpoint = endpointOf(url, isComplete)
  const open = new Set<AbortController>()

  async function post(body: string): Promise<string> {
    const closing = new AbortController()
    open.add(closing)
    const bounds = { fetch: send, timeoutMs, mostBytes: maxBytes, signal: closing.signal }
    try {
      return textOf(await fetchBounded(endpoint.url, requestOf(endpoint, body), bounds), endpoint.host, maxBytes)
    } catch (thrown) {
      throw closing.signal.aborted ? nodeUnreachable(endpoint.host, 'closed') : thrown
    } finally {
      open.delete(closing)
    }
  }

  /** Retries once after a closed keep-alive connection, as after a restart of the node. */
  async function postTwice(body: string): Promise<string> {
    try {
      return await post(body).catch((thrown) => (wasClosed(thrown) ? post(body) : Promise.reject(thrown)))
    } catch (thrown) {
      if (nodeRefused.is(thrown) || nodeUnreachable.is(thrown)) throw thrown
      throw nodeUnreachable(endpoint.host, messageOf(thrown))
    }
  }

  return {
    host: endpoint.host,
    async call(method, params) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, plainNumbers)
      return answerOf(await postTwice(body), method, endpoint.host)
    },
    close() {
      for (const controller of open) controller.abort()
    },
  }
}

function endpointOf(text: string, isComplete: boolean): Endpoint {
  const url = new URL(text)
  const { username, password, host } = url
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  url.username = ''
  url.password = ''
  const basic = username === '' ? undefined : new Secret(`Basic ${Buffer.from(pair).toString('base64')}`)
  return { url: isComplete ? url.href : foreignApi(url), host, authorization: basic }
}

const foreignApi = ({ href }: URL): string => `${href.replace(/\/+$/, '').replace(/\/v2\/foreign$/, '')}/v2/foreign`

function requestOf({ authorization }: Endpoint, body: string): RequestInit {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (authorization) headers.authorization = authorization.reveal()
  return { method: 'POST', body, headers }
}

function textOf({ status, text, isCut }: FetchedAnswer, host: string, maxBytes: number): string {
  if (isCut) throw nodeUnreachable(host, `its answer is longer than ${maxBytes} bytes`)
  if (status === 401) throw nodeRefused(host, 'the request', 'HTTP 401, the API secret is missing or wrong')
  if (status >= 400 && status < 500) throw nodeRefused(host, 'the request', `HTTP ${status}`)
  if (status !== 200) throw nodeUnreachable(host, `HTTP ${status}`)
  return text
}

function answerOf(text: string, method: string, host: string): CallResult {
  const answer = orThrow(
    () => parseExact(text),
    () => nodeUnreachable(host, 'its answer is not JSON'),
  )
  const { error, result } = membersOf(answer)
  if (error !== undefined && error !== null) {
    const { code, message } = membersOf(error)
    throw nodeRefused(host, method, `${foreignText(message)} (${foreignText(code)})`.slice(0, 200))
  }
  const wrapped = membersOf(result)
  if ('Ok' in wrapped) return { ok: wrapped.Ok }
  if ('Err' in wrapped) return errOf(wrapped.Err)
  throw nodeUnreachable(host, `its answer to ${method} has neither Ok nor Err`)
}

function errOf(err: unknown): CallResult {
  if (typeof err === 'string') return { err, text: '' }
  const [[kind, text] = ['Unknown', '']] = Object.entries(membersOf(err))
  return { err: kind, text: foreignText(text).slice(0, 200) }
}

/** The node expects fees and amounts as JSON numbers, which hold them exactly. */
const plainNumbers = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)
