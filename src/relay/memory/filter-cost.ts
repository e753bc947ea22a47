// What filters take of the memory, in bytes, as measured with ten thousand of each shape (Node 20): on the safe side, because clients are
// disconnected by it before the memory is full. And what their queries take of the time.
import type { Filter } from '../../nostr/filter/index.js'
import { valuesIn } from '../queries/request-filters.js'

interface Cost {
  readonly filter: number
  /** Of its lists. */
  readonly value: number
  /** One letter with its values. */
  readonly tag: number
}

/** Of an open subscription: the filter, and its place in the index of those who listen. */
const OPEN: Cost = { filter: 700, value: 220, tag: 300 }
/** As long as stored events are read for it, beside that: its plan and its cursors. */
const READING: Cost = { filter: 2500, value: 200, tag: 700 }

const bytesOf = (filters: readonly Filter[], cost: Cost): number =>
  filters.reduce((sum, filter) => sum + cost.filter + cost.value * valuesIn(filter) + cost.tag * filter.tags.length, 0)

/** While the subscription is open. */
export const openBytes = (filters: readonly Filter[]): number => bytesOf(filters, OPEN)
/** While a REQ or a COUNT is answered from the store. */
export const readingBytes = (filters: readonly Filter[]): number => bytesOf(filters, READING)

/** Milliseconds until a filter was planned and looked up once, and of one value of its lists: about, measured on two slow cores. */
const LOOK_UP_MS = 0.05
const VALUE_MS = 0.002

/** About how many milliseconds a REQ or a COUNT takes, before the first event is read. */
export const readingMs = (filters: readonly Filter[]): number =>
  filters.reduce((sum, filter) => sum + LOOK_UP_MS + VALUE_MS * valuesIn(filter), 0)
