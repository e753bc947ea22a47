// The client's HTTP transport: one bounded request, with errors for a missing response.
import { chainIn } from '../lib/chains.js'
import { NoAnswer, requestBounded } from '../lib/http-request.js'
import { daemonTimeout, daemonUnreachable } from './errors.js'

interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Name of the server in errors, such as `the node`. Default: the transport's. */
  readonly who?: string
  /** Time limit of this request in milliseconds; default: the transport's. */
  readonly patienceMs?: number
}

export interface HttpResponse {
  readonly status: number
  readonly text: string
  /** The till's chain, from its header. */
  readonly chain?: string | undefined
}

/** Throws DAEMON_UNREACHABLE, DAEMON_TIMEOUT. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>

const MAX_ANSWER = 32 * 1024 * 1024

/** Requests end within `timeoutMs`, or their own `patienceMs`, and responses have at most `mostBytes`. `usualWho` names the server in errors: `the till`. */
export const httpTransport =
  (timeoutMs: number, mostBytes = MAX_ANSWER, usualWho = 'the server'): Transport =>
  async ({ who = usualWho, patienceMs = timeoutMs, ...request }) => {
    const { origin } = new URL(request.url)
    const { status, text, headers, isCut } = await requestBounded({
      ...request,
      timeoutMs: patienceMs,
      mostBytes,
    }).catch((thrown) => {
      if (!(thrown instanceof NoAnswer)) throw thrown
      throw thrown.isOver ? daemonTimeout(origin, patienceMs, who) : daemonUnreachable(origin, thrown.detail, who)
    })
    if (isCut) throw daemonUnreachable(origin, `answer is larger than ${mostBytes} bytes`, who)
    return { status, text, chain: chainIn(headers) }
  }
