// One request with everything the doctor needs to know of it: headers, and which ends it had.
import { lookup } from 'node:dns/promises'
import { messageOf } from '../lib/errors.js'
import { type BoundedAnswer, NoAnswer, requestBounded } from '../lib/http-request.js'

/** How long one question to a server may take, in milliseconds. */
export const PATIENCE_MS = 8000

export interface ProbeRequest {
  readonly url: string
  readonly signal: AbortSignal
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type ProbeAnswer = Pick<BoundedAnswer, 'status' | 'text' | 'headers' | 'from' | 'certificateEnd'>

/** Nothing was answered; `why` in one line. */
export interface Silence {
  readonly why: string
}

const MOST_BYTES = 65_536
/** Another address of this machine, where that is possible: then a proxy here that does not pass addresses on gives itself away. */
const SECOND_SELF = '127.0.0.2'

/** Never throws. Follows no redirects. */
export async function ask(question: ProbeRequest): Promise<ProbeAnswer | Silence> {
  try {
    const options = await ownAddress(new URL(question.url).hostname)
    return await requestBounded({ ...question, options, timeoutMs: PATIENCE_MS, mostBytes: MOST_BYTES })
  } catch (thrown) {
    return { why: whyNoAnswer(thrown) }
  }
}

/** Only for what resolves to this very machine. */
async function ownAddress(hostname: string): Promise<{ readonly localAddress?: string }> {
  const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''))
  return process.platform === 'linux' && address.startsWith('127.') ? { localAddress: SECOND_SELF } : {}
}

/** Why a request of the doctor got no answer, in the words of the system: the remedies look for its codes. */
function whyNoAnswer(thrown: unknown): string {
  if (!(thrown instanceof NoAnswer)) return messageOf(thrown)
  return thrown.isOver ? `no answer within ${PATIENCE_MS / 1000} s` : thrown.detail
}
