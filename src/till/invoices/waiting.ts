// Waiting for an invoice to change, without polling: the announcement, the end of the invoice's time, or the time limit.
import type { Changes } from '../changes.js'
import type { Invoice } from '../model.js'
import type { Clock } from '../parts.js'

export interface WaitingParts {
  readonly changes: Changes
  readonly clock: Clock
  readonly find: (id: string) => Promise<Invoice | undefined>
}

const differs = (a: Invoice, b: Invoice): boolean =>
  a.status !== b.status || a.confirmations !== b.confirmations || a.requotes !== b.requotes

/** Answers `changed` of the till. No timer and no listener is left behind, however it ends. */
export function createWaiting({ changes, clock, find }: WaitingParts) {
  return async function changed(seen: Invoice, ms: number, signal?: AbortSignal): Promise<Invoice> {
    const over = new AbortController()
    const end = () => over.abort()
    const stopListening = changes.listen(seen.id, end)
    signal?.addEventListener('abort', end, { once: true })
    try {
      const before = (await find(seen.id)) ?? seen
      if (!stopListening || differs(seen, before) || over.signal.aborted || signal?.aborted) return before
      const ends = before.status === 'open' ? (before.expiresAt ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
      await clock.sleep(Math.max(0, Math.min(ms, ends - clock.now())), over.signal)
      return (await find(seen.id)) ?? seen
    } finally {
      stopListening?.()
      signal?.removeEventListener('abort', end)
    }
  }
}
