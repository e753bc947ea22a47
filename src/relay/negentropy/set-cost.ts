// What sets under reconciliation take of the memory, in bytes: charged to their connection, which has half of what all clients may take for them.
import type { Filter } from '../../nostr/filter/index.js'
import { openBytes, readingBytes } from '../memory/filter-cost.js'
import type { SetListing } from '../ports.js'
import type { SyncSet } from './sync-set.js'

/** Of an entry of a set, outside of the heap of Node. */
const ENTRY_BYTES = 42
/** Of an entry while sets are listed: in the heap for the list (measured: 131), and outside for the set that is made of it. */
export const LISTED_HEAP_BYTES = 150
const LISTED_BYTES = LISTED_HEAP_BYTES + 50
/** Of `limits.max_client_bytes`, for the sets of one connection. */
const SHARE = 1 / 2

/** One reconciliation, from NEG-OPEN to its end. */
export interface SetCost {
  /** Until its set is listed; then none. */
  readonly filters: readonly Filter[]
  /** Bytes of the message that is not answered yet. */
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

/** Of those, the bytes in the heap. */
export const setHeapBytes = ({ filters, listing }: SetCost): number =>
  openBytes(filters) + readingBytes(filters) + (listing?.listed ?? 0) * LISTED_HEAP_BYTES

/** What listing so many entries adds. */
export const listedBytes = (entries: number): number => entries * LISTED_BYTES

/** Entries that a connection may list whose other sets hold `held` bytes. */
export const mostListed = (maxClientBytes: number, held: number): number =>
  Math.max(0, Math.floor((maxClientBytes * SHARE - held) / LISTED_BYTES))
