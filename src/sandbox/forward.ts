// Passes a verified event on to the developer's shop, byte for byte with its signatures.
import type { ReceivedEvent } from '../client/index.js'
import { fetchBounded, NoAnswer } from '../lib/http-request.js'
import { forwardFailed } from './errors.js'

const TIMEOUT_MS = 15_000
const SIGNED = /^(content-type|user-agent|x-pay-.*|x-goblinpay-.*|webhook-.*)$/

/** Throws SANDBOX_FORWARD_FAILED unless the shop answers 2xx: the till then tries again, as it would with the shop itself. */
export async function forwardTo(url: string, { body, headers }: ReceivedEvent): Promise<void> {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    SIGNED.test(name) && typeof value === 'string' ? [[name, value]] : [],
  )
  const init = { method: 'POST', body, headers: kept }
  const { status } = await fetchBounded(url, init, { timeoutMs: TIMEOUT_MS, mostBytes: 0 }).catch((thrown) => {
    throw forwardFailed(url, thrown instanceof NoAnswer && thrown.isOver ? thrown.message : 'no answer')
  })
  if (status < 200 || status > 299) throw forwardFailed(url, `HTTP ${status}`)
}
