// One POST over `fetch`, bounded in time and size: for Node and browsers alike.
import { messageOf } from '../../lib/errors.js'
import type { WebAbortSignal, WebFetch, WebRequest, WebResponse } from '../../lib/web-types.js'
import { walletNodeFailed } from '../errors.js'

export interface FetchBounds {
  readonly fetch: WebFetch
  /** For connection and whole answer. */
  readonly timeoutMs: number
  /** Longest answer in bytes. */
  readonly maxBytes: number
  readonly signal?: WebAbortSignal | undefined
}

export interface BoundedAnswer {
  readonly status: number
  readonly text: string
}

/** Throws WALLET_NODE_FAILED, or the reason of the caller's signal. Redirects are errors. */
export async function postBounded(url: string, init: WebRequest, bounds: FetchBounds): Promise<BoundedAnswer> {
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
