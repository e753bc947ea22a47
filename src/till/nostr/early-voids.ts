// Payments that were taken back before they came (specification: invoicing, 4.7). In memory only: the void message is not marked as
// seen, so the relays bring it again after a restart.

/** As many as are remembered; the oldest is forgotten first. */
const MOST = 5000

export interface EarlyVoids {
  add(slateId: string, author: string): void
  /** Whether this author took this payment back. */
  has(slateId: string, author: string): boolean
}

export function createEarlyVoids(most = MOST): EarlyVoids {
  const voids = new Set<string>()
  const keyOf = (slateId: string, author: string) => `${slateId} ${author}`
  return {
    add(slateId, author) {
      voids.add(keyOf(slateId, author))
      const [oldest] = voids.size > most ? voids : []
      if (oldest !== undefined) voids.delete(oldest)
    },
    has: (slateId, author) => voids.has(keyOf(slateId, author)),
  }
}
