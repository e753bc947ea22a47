// The memory budget of sets under reconciliation, and the eviction of idle ones.

export interface ReconciliationBudgetParts {
  /** Entries of all sets; 42 bytes each. */
  readonly maxEntries: number
  readonly clock: { monotonic(): number }
}

/** A reconciliation that holds entries. */
export interface BudgetHolder {
  /** Called when it was idle too long while others waited. */
  evict(): void
}

export interface ReconciliationBudget {
  /** True when it may start or continue listing. Listing takes much more memory than the set, so few run at a time. */
  mayList(holder: BudgetHolder): boolean
  /** Reserves memory for a listed set. False: the budget is used up, even after evicting idle sets. */
  reserve(holder: BudgetHolder, entries: number): boolean
  /** Marks it as used. */
  touch(holder: BudgetHolder): void
  /** Unknown holders are ignored. */
  release(holder: BudgetHolder): void
}

/** Concurrent listings of all clients. */
export const LISTINGS_AT_ONCE = 2
/** A listing without progress for this long is evicted: its client does not read. */
const STALLED_MS = 2000
/** Sets used within this time are not evicted. */
const IDLE_MS = 30_000

export function createReconciliationBudget({ maxEntries, clock }: ReconciliationBudgetParts): ReconciliationBudget {
  const listings = new Map<BudgetHolder, number>()
  /** Ordered by last use, oldest first. */
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
    holders.set(holder, { entries, since: clock.monotonic() })
    used += entries
  }

  function isFull(entries: number): boolean {
    return used + entries > maxEntries
  }

  return {
    mayList(holder) {
      const now = clock.monotonic()
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
        if (!isFull(entries) || clock.monotonic() - since < IDLE_MS) break
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
