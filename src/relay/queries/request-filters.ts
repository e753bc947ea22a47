// Parses the filters of a REQ, COUNT or NEG-OPEN within the relay's limits.

import { type Filter, NOTHING, parseFilter } from '../../nostr/filter/index.js'
import { type HeapGuard, SHORT_OF_MEMORY } from '../memory/heap-guard.js'
import type { RelayLimits, RelaySettings } from '../settings.js'

interface FilterSettings extends Pick<RelaySettings, 'searchKinds'> {
  readonly limits: Pick<RelayLimits, 'maxFilters' | 'maxFilterValues'>
}

/** Searches of one request. */
const MAX_SEARCHES = 4

/** Returns the filters, or the text of the first problem. */
export function filtersOf(
  asked: readonly unknown[],
  { limits, searchKinds }: FilterSettings,
): readonly Filter[] | string {
  const { maxFilters, maxFilterValues } = limits
  if (asked.length === 0) return 'no filter'
  if (asked.length > maxFilters) return 'too many filters'
  const filters: Filter[] = []
  let room = maxFilterValues
  for (const one of asked) {
    const filter = parseFilter(one, { maxValues: room, searchKinds })
    if ('problem' in filter) return filter.problem
    room -= valuesIn(filter)
    filters.push(filter)
  }
  return problemOfSearches(filters) ?? filters
}

export const hasSearch = (filters: readonly Filter[]): boolean => filters.some(({ search }) => search !== undefined)

/** Searches are answered one after the other, other filters together. */
function problemOfSearches(filters: readonly Filter[]): string | undefined {
  const searches = filters.filter(({ search }) => search !== undefined)
  if (searches.length === 0) return undefined
  if (searches.length > MAX_SEARCHES) return `more than ${MAX_SEARCHES} searches in one request`
  const isMixed = filters.some((filter) => filter.search === undefined && filter !== NOTHING)
  return isMixed ? 'filters with and without search in one request' : undefined
}

/** Number of values in a filter: lookups and memory grow with it. */
function valuesIn({ ids, authors, kinds, tags, search }: Filter): number {
  let values = (ids?.length ?? 0) + (authors?.length ?? 0) + (kinds?.length ?? 0) + (search?.terms.length ?? 0)
  for (const tag of tags) values += tag.values.length
  return values
}

// Limits the filters of a client across subscriptions, counts and reconciliations, and refuses new ones while memory is short.

interface FilterRoomParts {
  readonly heap: Pick<HeapGuard, 'isTight'>
  readonly limits: Pick<RelayLimits, 'maxFiltersPerConnection'>
  /** Other open filters of the connection. */
  readonly open: number
  /** Filters of the request. */
  readonly asked: number
}

/** The refusal of a request; undefined: none. Check it before parsing filters, which takes time and memory. */
export function refusalForMore({ heap, limits, open, asked }: FilterRoomParts): string | undefined {
  if (heap.isTight()) return SHORT_OF_MEMORY
  const most = limits.maxFiltersPerConnection
  return open + asked > most
    ? `rate-limited: more than ${most} filters in all subscriptions of this connection`
    : undefined
}

// Estimates the memory and time of filters. Measured with ten thousand filters of each shape (Node 20), on the safe side: clients are disconnected
// by these estimates before the memory is full.

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
