// Passes a verified event on to the developer's shop, byte for byte with its signatures.
import type { ReceivedEvent } from '../client/index.js'
import { forwardFailed } from './errors.js'

const TIMEOUT_MS = 15_000
const SIGNED = /^(content-type|user-agent|x-pay-.*|x-goblinpay-.*|webhook-.*)$/

/** Throws SANDBOX_FORWARD_FAILED unless the shop answers 2xx: the till then tries again, as it would with the shop itself. */
export async function forwardTo(url: string, { body, headers }: ReceivedEvent): Promise<void> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    SIGNED.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(url, { method: 'POST', body, headers: kept, redirect: 'manual', signal }).catch(
    () => undefined,
  )
  await answer?.body?.cancel()
  const silence = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : 'no answer'
  if (!answer?.ok) throw forwardFailed(url, answer ? `HTTP ${answer.status}` : silence)
}
