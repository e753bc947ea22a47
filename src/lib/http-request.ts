// One HTTP request with a bound on time and size, and one classification of what went wrong. Redirects are never followed: who asked
// sees the status. Two ways to send, for two needs: `requestBounded` opens a connection of its own with node:http, which a command loads
// 30 ms sooner than fetch; `fetchBounded` keeps connections alive, for servers that are asked again and again.
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { messageOf } from './errors.js'

// Why a request failed, as text that an operator can act on.
const CAUSES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (connection refused)',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before an answer came',
  UND_ERR_SOCKET: 'the connection was closed before an answer came',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host is not reachable',
  ENETUNREACH: 'the network is not reachable',
  ETIMEDOUT: 'the connection could not be made in time',
  UND_ERR_CONNECT_TIMEOUT: 'the connection could not be made in time',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too long',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is self-signed',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate chain is incomplete',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is not signed by an authority this machine knows',
  EPROTO: 'the other side does not speak TLS as expected',
}

/** Error codes of a kept-alive connection that the other side has closed. */
const CLOSED = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The innermost error code of something that was thrown, or an empty text. */
function transportCode(thrown: unknown): string {
  let code = ''
  for (let at = thrown, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string') code = at.code
  }
  return code
}

/** One line without addresses, paths or secrets. */
export function transportCause(thrown: unknown): string {
  const code = transportCode(thrown)
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  return CAUSES[code] ?? (code === '' ? 'the request failed' : `the request failed (${code})`)
}

/** Whether a request failed because its connection had been closed: worth one more try on a fresh one. */
export const wasClosed = (thrown: unknown): boolean => CLOSED.has(transportCode(thrown))

// Reading an answer of unknown length.
export interface BoundedBytes {
  readonly bytes: Uint8Array
  /** More came than was wanted; the rest was not read. */
  readonly cut: boolean
}

/** Reads at most `most` bytes of a stream, then ends it. */
export async function takeBytes(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<BoundedBytes> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) return { bytes: Buffer.concat(chunks).subarray(0, most), cut: true }
  }
  return { bytes: Buffer.concat(chunks), cut: false }
}

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
  const end = new AbortController()
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    end.abort()
  }, timeoutMs)
  // Not AbortSignal.any: it costs more than the rest of a request to a node on this machine.
  const stop = (): void => end.abort(signal?.reason)
  signal?.addEventListener('abort', stop, { once: true })
  try {
    if (signal?.aborted) stop()
    return await send(end.signal)
  } catch (thrown) {
    if (isLate || hasTimedOut(thrown))
      throw new NoAnswer(`no answer within ${timeoutMs / 1000} s`, true, detailOf(thrown), thrown)
    throw new NoAnswer(transportCause(thrown), signal?.aborted ?? false, detailOf(thrown), thrown)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
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
