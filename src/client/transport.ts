// One HTTP request with a limit on time and size. node:http instead of fetch: a command starts 30 ms sooner.
import type { IncomingMessage, RequestOptions } from 'node:http'
import { chainIn } from '../lib/chain-header.js'
import { daemonTimeout, daemonUnreachable } from './errors.js'

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Who is asked, for errors: `the node`; instead of what the transport was made with. */
  readonly who?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** Of a till, as its header names it. */
  readonly chain?: string | undefined
}

/** Throws DAEMON_UNREACHABLE, DAEMON_TIMEOUT. */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>

const MAX_ANSWER = 32 * 1024 * 1024

/** A transport whose every request ends within `timeoutMs`, with an answer of at most `mostBytes`. Follows no redirects. `who` is asked, for errors: `the till`. */
export const httpTransport =
  (timeoutMs: number, mostBytes = MAX_ANSWER, usualWho = 'the server'): Transport =>
  async ({ method, url, headers = {}, body, who = usualWho }) => {
    const target = new URL(url)
    const { request } = target.protocol === 'https:' ? await import('node:https') : await import('node:http')
    const signal = AbortSignal.timeout(timeoutMs)
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const options: RequestOptions = { method, headers: { ...headers, ...length }, signal, agent: false }
    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request(target, options, resolve).on('error', reject).end(body)
      })
      return { status: answer.statusCode ?? 0, text: await readAll(answer, mostBytes), chain: chainIn(answer.headers) }
    } catch (error) {
      if (signal.aborted) throw daemonTimeout(target.origin, timeoutMs, who)
      throw daemonUnreachable(target.origin, reasonOf(error), who)
    }
  }

async function readAll(answer: IncomingMessage, mostBytes: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += chunk.length
    if (size > mostBytes) throw new Error(`answer is larger than ${mostBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A refused connection to a name with several addresses hides its reasons inside. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ')
  return error instanceof Error ? error.message : String(error)
}
