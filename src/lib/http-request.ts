// One HTTP request with a bound on time and size, and one classification of what went wrong. Redirects are never followed: who asked
// sees the status. Two ways to send, for two needs: `requestBounded` opens a connection of its own with node:http, which a command loads
// 30 ms sooner than fetch; `fetchBounded` keeps connections alive, for servers that are asked again and again.

import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { messageOf } from './errors.js'
import { takeBytes } from './take-bytes.js'
import { transportCause } from './transport-cause.js'

export interface Bounds {
  /** For everything: connection, answer, its body. */
  readonly timeoutMs: number
  /** Longest answer that is read; the rest is not. */
  readonly mostBytes: number
  /** Ends the request early. */
  readonly signal?: AbortSignal | undefined
}

/** No answer came, or it broke off. `message` is one line for operators, without address, path or secret. */
export class NoAnswer extends Error {
  constructor(
    message: string,
    /** The time was up, or the caller's signal ended the request. */
    readonly isOver: boolean,
    /** The words of the system, which may hold the address. */
    readonly detail: string,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}

/** Runs one request under its bound of time. Throws NoAnswer for whatever it throws. */
export async function inTime<T>(
  { timeoutMs, signal }: Omit<Bounds, 'mostBytes'>,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), timeoutMs)
  try {
    return await send(signal ? AbortSignal.any([signal, limit.signal]) : limit.signal)
  } catch (thrown) {
    if (limit.signal.aborted || hasTimedOut(thrown))
      throw new NoAnswer(`no answer within ${timeoutMs / 1000} s`, true, detailOf(thrown), thrown)
    throw new NoAnswer(transportCause(thrown), signal?.aborted ?? false, detailOf(thrown), thrown)
  } finally {
    clearTimeout(timer)
  }
}

/** The caller's own `AbortSignal.timeout` may fire just before ours. */
const hasTimedOut = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'TimeoutError'

/** A refused connection to a name with several addresses hides its reasons inside; what fetch says is "fetch failed". */
function detailOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(detailOf).join(', ')
  if (thrown instanceof TypeError && thrown.cause !== undefined) return detailOf(thrown.cause)
  return messageOf(thrown)
}

export interface BoundedRequest extends Bounds {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
  readonly options?: Pick<RequestOptions, 'localAddress'> & { readonly ca?: string[] }
}

export interface BoundedAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The answer is longer than `mostBytes`. */
  readonly isCut: boolean
  /** Our own end of the connection. */
  readonly from: string
  /** When the certificate of the server ends, epoch milliseconds; undefined without TLS. */
  readonly certificateEnd: number | undefined
}

/** Throws NoAnswer. */
export const requestBounded = (request: BoundedRequest): Promise<BoundedAnswer> =>
  inTime(request, async (signal) => {
    const answer = await openRequest(request, signal)
    const from = answer.socket.localAddress ?? ''
    const certificateEnd = endOfCertificate(answer.socket)
    const { bytes, cut } = await takeBytes(answer, request.mostBytes)
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers,
      text: textOf(bytes),
      isCut: cut,
      from,
      certificateEnd,
    }
  })

function endOfCertificate(socket: Socket): number | undefined {
  const end =
    'getPeerCertificate' in socket ? Date.parse((socket as TLSSocket).getPeerCertificate().valid_to) : Number.NaN
  return Number.isNaN(end) ? undefined : end
}

/** Sends a request over a connection of its own; answers when the headers are there. */
export async function openRequest(
  { url, method = 'GET', headers = {}, body, options = {} }: Omit<BoundedRequest, keyof Bounds>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const target = new URL(url)
  const { request } = target.protocol === 'https:' ? await import('node:https') : await import('node:http')
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return await new Promise((resolve, reject) => {
    request(target, { ...options, method, headers: { ...headers, ...length }, signal, agent: false }, resolve)
      .on('error', reject)
      .on('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
      .end(body)
  })
}

export interface FetchBounds extends Bounds {
  readonly fetch?: typeof fetch | undefined
}

export interface FetchedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly isCut: boolean
}

/** Throws NoAnswer. */
export const fetchBounded = (url: string, init: RequestInit, bounds: FetchBounds): Promise<FetchedAnswer> =>
  inTime(bounds, async (signal) => {
    const { fetch: send = fetch } = bounds
    const answer = await send(url, { ...init, signal, redirect: 'manual' })
    if (bounds.mostBytes === 0) {
      await answer.body?.cancel() // a body that never ends costs no time
      return { status: answer.status, headers: answer.headers, text: '', isCut: false }
    }
    const { bytes, cut } = await takeBytes(answer.body ?? [], bounds.mostBytes)
    return { status: answer.status, headers: answer.headers, text: textOf(bytes), isCut: cut }
  })

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
