// Waiting for an invoice to change, without polling: the checkout page holds a request open until an announcement, the invoice's end or its limit.
import type { Clock } from '../../lib/ports.js'
import type { Invoice } from '../model.js'
import type { Bell } from '../parts.js'

export interface WaitingParts {
  readonly changes: Changes
  readonly clock: Clock
  readonly find: (id: string) => Promise<Invoice | undefined>
  /** Milliseconds between looks of who waits, where announcements may be lost; default: never. */
  readonly lookEveryMs?: number | undefined
}

const differs = (a: Invoice, b: Invoice): boolean =>
  a.status !== b.status || a.confirmations !== b.confirmations || a.requotes !== b.requotes

/** Answers `changed` of the till. No timer and no listener is left behind, however it ends. */
export function createWaiting({ changes, clock, find, lookEveryMs = Number.POSITIVE_INFINITY }: WaitingParts) {
  return async function changed(seen: Invoice, ms: number, signal?: AbortSignal): Promise<Invoice> {
    const over = new AbortController()
    const end = () => over.abort()
    const stopListening = changes.listen(seen.id, end)
    signal?.addEventListener('abort', end, { once: true })
    try {
      const before = (await find(seen.id)) ?? seen
      if (!stopListening || differs(seen, before) || over.signal.aborted || signal?.aborted) return before
      const ends = before.status === 'open' ? (before.expiresAt ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
      const until = Math.min(clock.now() + ms, ends)
      for (;;) {
        const left = until - clock.now()
        await clock.sleep(Math.max(0, Math.min(left, lookEveryMs)), over.signal)
        const now = (await find(seen.id)) ?? seen
        if (left <= lookEveryMs || over.signal.aborted || differs(seen, now)) return now
      }
    } finally {
      stopListening?.()
      signal?.removeEventListener('abort', end)
    }
  }
}

/** More waiters than this are answered without waiting, so that open pages cannot fill the memory. */
const MAX_WAITERS = 2000

export interface Changes {
  /** Wakes every waiter of this invoice. */
  announce(invoiceId: string): void
  /** Calls `heard` on the next announcement. Undefined when too many wait already; else what ends the waiting. */
  listen(invoiceId: string, heard: () => void): (() => void) | undefined
}

/** Announcements in this process; `limit` waiters at the most. */
export function createChanges(limit = MAX_WAITERS): Changes {
  const waiters = new Map<string, Set<() => void>>()
  let count = 0

  return {
    announce(invoiceId) {
      for (const heard of waiters.get(invoiceId) ?? []) heard()
    },
    listen(invoiceId, heard) {
      if (count >= limit) return undefined
      const group = waiters.get(invoiceId) ?? new Set()
      waiters.set(invoiceId, group.add(heard))
      count += 1
      return () => {
        if (!group.delete(heard)) return
        count -= 1
        if (group.size === 0) waiters.delete(invoiceId)
      }
    },
  }
}

const INVOICE = 'invoice:'

/** Announcements of every instance wake the waiters of this one. */
export function shareChanges(changes: Changes, bell: Bell): Changes {
  bell.listen((topic) => {
    if (topic?.startsWith(INVOICE)) changes.announce(topic.slice(INVOICE.length))
  })
  return {
    listen: changes.listen,
    announce(invoiceId) {
      changes.announce(invoiceId)
      bell.ring(`${INVOICE}${invoiceId}`)
    },
  }
}
