// The memory budget of sets under reconciliation, and the eviction of idle ones.

import type { Filter } from '../../nostr/filter/index.js'
import type { SetListing } from '../ports.js'
import { openBytes, readingBytes } from '../queries/request-filters.js'
import type { SyncSet } from './sync-set.js'

interface ReconciliationBudgetParts {
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

// Estimates the memory of sets under reconciliation. It is charged to their connection, which may use half of the client memory limit for them.

/** Per entry of a set, outside Node's heap. */
const ENTRY_BYTES = 42
/** Per entry during listing: in the heap for the list (measured: 131), and outside for the set built from it. */
export const LISTED_HEAP_BYTES = 150
const LISTED_BYTES = LISTED_HEAP_BYTES + 50
/** Share of `limits.max_client_bytes` for the sets of one connection. */
const SHARE = 1 / 2

/** One reconciliation, from NEG-OPEN to its end. */
export interface SetCost {
  /** Empty once its set is listed. */
  readonly filters: readonly Filter[]
  /** Bytes of the unanswered message. */
  readonly messageBytes: number
  readonly listing: SetListing | undefined
  readonly set: SyncSet | undefined
}

export const setBytes = ({ filters, messageBytes, listing, set }: SetCost): number =>
  openBytes(filters) +
  readingBytes(filters) +
  messageBytes +
  (listing?.listed ?? 0) * LISTED_BYTES +
  (set?.size ?? 0) * ENTRY_BYTES

/** The part of them in Node's heap. */
export const setHeapBytes = ({ filters, listing }: SetCost): number =>
  openBytes(filters) + readingBytes(filters) + (listing?.listed ?? 0) * LISTED_HEAP_BYTES

/** Memory that listing adds. */
export const listedBytes = (entries: number): number => entries * LISTED_BYTES

/** Entries that a connection may list when its other sets hold `held` bytes. */
export const mostListed = (maxClientBytes: number, held: number): number =>
  Math.max(0, Math.floor((maxClientBytes * SHARE - held) / LISTED_BYTES))
