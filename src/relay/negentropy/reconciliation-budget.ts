// What sets under reconciliation may take of the relay's memory together, and who has to go when there is no more.

export interface ReconciliationBudgetParts {
  /** Entries of all sets together; 42 bytes each. */
  readonly maxEntries: number
  readonly clock: { now(): number }
}

/** One reconciliation. */
export interface BudgetHolder {
  /** It did nothing for too long while others waited. */
  evict(): void
}

export interface ReconciliationBudget {
  /** Whether it may list its set now, or goes on listing: that takes much more memory than the set, so few do it at a time. */
  mayList(holder: BudgetHolder): boolean
  /** Its set is listed. False: there is no room, though idle tenants were evicted. */
  reserve(holder: BudgetHolder, entries: number): boolean
  /** It was asked something. */
  touch(holder: BudgetHolder): void
  /** Unknown ones are no mistake. */
  release(holder: BudgetHolder): void
}

/** Sets of all clients. */
export const LISTINGS_AT_ONCE = 2
/** Of a client that does not read its answers, the listing does not go on. */
const STALLED_MS = 2000
/** Whoever asks sooner keeps its place. */
const IDLE_MS = 30_000

export function createReconciliationBudget({ maxEntries, clock }: ReconciliationBudgetParts): ReconciliationBudget {
  const listings = new Map<BudgetHolder, number>()
  /** The longest idle one first. */
  const holders = new Map<BudgetHolder, { readonly entries: number; readonly since: number }>()
  let used = 0

  function release(holder: BudgetHolder): void {
    listings.delete(holder)
    used -= holders.get(holder)?.entries ?? 0
    holders.delete(holder)
  }

  function evict(holder: BudgetHolder): void {
    release(holder)
    holder.evict()
  }

  function hold(holder: BudgetHolder, entries: number): void {
    release(holder)
    holders.set(holder, { entries, since: clock.now() })
    used += entries
  }

  function isFull(entries: number): boolean {
    return used + entries > maxEntries
  }

  return {
    mayList(holder) {
      const now = clock.now()
      if (!listings.has(holder) && listings.size >= LISTINGS_AT_ONCE) {
        for (const [other, last] of listings) if (now - last > STALLED_MS) evict(other)
        if (listings.size >= LISTINGS_AT_ONCE) return false
      }
      listings.set(holder, now)
      return true
    },
    reserve(holder, entries) {
      release(holder)
      for (const [idle, { since }] of holders) {
        if (!isFull(entries) || clock.now() - since < IDLE_MS) break
        evict(idle)
      }
      if (isFull(entries)) return false
      hold(holder, entries)
      return true
    },
    touch(holder) {
      const found = holders.get(holder)
      if (found) hold(holder, found.entries)
    },
    release,
  }
}
