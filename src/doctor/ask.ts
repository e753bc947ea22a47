// One request with everything the doctor needs to know of it: headers, and which ends it had.
import { lookup } from 'node:dns/promises'
import type { IncomingMessage, RequestOptions } from 'node:http'
import { messageOf } from '../lib/errors.js'
import { takeBytes } from '../lib/take-bytes.js'

/** How long one question to a server may take, in milliseconds. */
export const PATIENCE_MS = 8000

export interface Question {
  readonly url: string
  readonly signal: AbortSignal
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: IncomingMessage['headers']
  /** Our own end of the connection. */
  readonly from: string
}

/** Nothing was answered; `why` in one line. */
export interface Silence {
  readonly why: string
}

const MOST_BYTES = 65_536
/** Another address of this machine, where that is possible: then a proxy here that does not pass addresses on gives itself away. */
const SECOND_SELF = '127.0.0.2'

/** Never throws. Follows no redirects. */
export async function ask({ url, signal, method = 'GET', headers = {}, body }: Question): Promise<Answer | Silence> {
  try {
    const target = new URL(url)
    const { request } = target.protocol === 'https:' ? await import('node:https') : await import('node:http')
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    const self = await ownAddress(target.hostname)
    const options: RequestOptions = { method, headers: { ...headers, ...length }, signal: limit, agent: false, ...self }
    let from = ''
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(target, options, (incoming) => {
        from = incoming.socket.localAddress ?? ''
        resolve(incoming)
      })
        .on('error', reject)
        .end(body)
    })
    const { bytes } = await takeBytes(answer, MOST_BYTES)
    return { status: answer.statusCode ?? 0, text: Buffer.from(bytes).toString('utf8'), headers: answer.headers, from }
  } catch (thrown) {
    return { why: reasonOf(thrown) }
  }
}

/** Only for what resolves to this very machine. */
async function ownAddress(hostname: string): Promise<{ readonly localAddress?: string }> {
  const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
  return process.platform === 'linux' && address.startsWith('127.') ? { localAddress: SECOND_SELF } : {}
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof AggregateError) return thrown.errors.map(reasonOf).join(', ')
  return thrown instanceof Error && /^(Abort|Timeout)Error$/.test(thrown.name)
    ? `no answer within ${PATIENCE_MS / 1000} s`
    : messageOf(thrown)
}
