// The shop's side of the sandbox: webhook events as they come in, already verified by the receiver.
import type { ReceivedEvent } from '../client/index.js'

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

/** `tell` hears each event once. */
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
