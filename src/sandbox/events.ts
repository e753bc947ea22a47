// The shop's side of the sandbox: webhook events, verified by the receiver, as they come in and go on to the developer's own shop.
import type { ReceivedEvent } from '../client/index.js'
import { fetchBounded, NoAnswer } from '../lib/http-request.js'
import { forwardFailed } from './errors.js'

/** The members of an event that the sandbox looks at (specification: invoicing, 8.1). */
export interface SeenEvent {
  readonly eventId: string
  readonly type: string
  readonly invoiceId: string | null
}

export interface EventFeed {
  /** Takes an event from the receiver. Repeats of an event id are printed once. */
  take(event: ReceivedEvent): void
  /** Resolves when this kind of event came for this invoice, also when it came before. Rejects on abort. */
  wait(type: string, invoiceId: string, signal: AbortSignal): Promise<SeenEvent>
}

function read({ eventId, payload }: ReceivedEvent): SeenEvent {
  const members: Readonly<Record<string, unknown>> =
    typeof payload === 'object' && payload !== null ? { ...payload } : {}
  const { event_type: type, invoice_id: invoiceId } = members
  return {
    eventId,
    type: typeof type === 'string' ? type : 'unknown',
    invoiceId: typeof invoiceId === 'string' ? invoiceId : null,
  }
}

/** Calls `tell` once per event. */
export function createEventFeed(tell: (event: SeenEvent) => void): EventFeed {
  const seen: SeenEvent[] = []
  const waiting = new Set<() => void>()

  return {
    take(received) {
      const event = read(received)
      if (seen.some(({ eventId }) => eventId === event.eventId)) return
      seen.push(event)
      tell(event)
      for (const look of waiting) look()
    },
    wait(type, invoiceId, signal) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = seen.find((event) => event.type === type && event.invoiceId === invoiceId)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        look()
      })
    },
  }
}

const TIMEOUT_MS = 15_000
const SIGNED = /^(content-type|user-agent|x-pay-.*|x-goblinpay-.*|webhook-.*)$/

/**
 * Passes an event on byte for byte with its signatures. Throws SANDBOX_FORWARD_FAILED unless the shop answers 2xx: the till then tries again, as it would with the shop itself.
 */
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
