// Estimates the memory of sets under reconciliation. It is charged to their connection, which may use half of the client memory limit for them.
import type { Filter } from '../../nostr/filter/index.js'
import { openBytes, readingBytes } from '../memory/filter-cost.js'
import type { SetListing } from '../ports.js'
import type { SyncSet } from './sync-set.js'

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
