// Who waits for an invoice to change: the checkout page holds a request open and is answered at once.

/** More waiters than this are answered without waiting, so that open pages cannot fill the memory. */
const MAX_WAITERS = 2000

export interface Changes {
  /** Tells everybody who waits for this invoice. */
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
