// Estimates the memory and time of filters. Measured with ten thousand filters of each shape (Node 20), on the safe side: clients are disconnected
// by these estimates before the memory is full.
import type { Filter } from '../../nostr/filter/index.js'
import { valuesIn } from '../queries/request-filters.js'

interface Cost {
  readonly filter: number
  /** Per value of its lists. */
  readonly value: number
  /** Per tag condition. */
  readonly tag: number
}

/** An open subscription: the filter and its index entry. */
const OPEN: Cost = { filter: 700, value: 220, tag: 300 }
/** Additional memory while stored events are read: plan and cursors. */
const READING: Cost = { filter: 2500, value: 200, tag: 700 }

const bytesOf = (filters: readonly Filter[], cost: Cost): number =>
  filters.reduce((sum, filter) => sum + cost.filter + cost.value * valuesIn(filter) + cost.tag * filter.tags.length, 0)

/** Bytes while the subscription is open. */
export const openBytes = (filters: readonly Filter[]): number => bytesOf(filters, OPEN)
/** Additional bytes while the store answers a REQ or COUNT. */
export const readingBytes = (filters: readonly Filter[]): number => bytesOf(filters, READING)

/** Milliseconds to plan and look up a filter, and per value of its lists; measured on two slow cores. */
const LOOK_UP_MS = 0.05
const VALUE_MS = 0.002
/** A search (NIP-50) first looks how rare its words are. */
const SEARCH_MS = 0.5

/** Estimated milliseconds of a REQ or COUNT until the first event. */
export const readingMs = (filters: readonly Filter[]): number =>
  filters.reduce((sum, filter) => sum + LOOK_UP_MS + VALUE_MS * valuesIn(filter) + (filter.search ? SEARCH_MS : 0), 0)
