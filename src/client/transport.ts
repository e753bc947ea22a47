// How the client asks: one bounded request, with the errors of a daemon that does not answer.
import { chainIn } from '../lib/chain-header.js'
import { NoAnswer, requestBounded } from '../lib/http-request.js'
import { daemonTimeout, daemonUnreachable } from './errors.js'

interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Who is asked, for errors: `the node`; instead of what the transport was made with. */
  readonly who?: string
}

export interface HttpResponse {
  readonly status: number
  readonly text: string
  /** Of a till, as its header names it. */
  readonly chain?: string | undefined
}

/** Throws DAEMON_UNREACHABLE, DAEMON_TIMEOUT. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

const MAX_ANSWER = 32 * 1024 * 1024

/** A transport whose every request ends within `timeoutMs`, with an answer of at most `mostBytes`. `who` is asked, for errors: `the till`. */
export const httpTransport =
  (timeoutMs: number, mostBytes = MAX_ANSWER, usualWho = 'the server'): Transport =>
  async ({ who = usualWho, ...request }) => {
    const { origin } = new URL(request.url)
    const { status, text, headers, isCut } = await requestBounded({ ...request, timeoutMs, mostBytes }).catch(
      (thrown) => {
        if (!(thrown instanceof NoAnswer)) throw thrown
        throw thrown.isOver ? daemonTimeout(origin, timeoutMs, who) : daemonUnreachable(origin, thrown.detail, who)
      },
    )
    if (isCut) throw daemonUnreachable(origin, `answer is larger than ${mostBytes} bytes`, who)
    return { status, text, chain: chainIn(headers) }
  }
