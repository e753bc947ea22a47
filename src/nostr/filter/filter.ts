// Filters of subscriptions (NIP-01), as the relay and its store use them.

import type { NostrEvent } from '../event/index.js'
import { isFound, type Search } from '../search/index.js'

/** All members that are defined must match; of a list, one value. No list is empty or has duplicates. */
export interface Filter {
  /** 64 lower-case hex, whole: prefixes are refused. */
  readonly ids?: readonly string[] | undefined
  readonly authors?: readonly string[] | undefined
  readonly kinds?: readonly number[] | undefined
  /** `#e`, `#p` …: one letter, case-sensitive. All entries must match. */
  readonly tags: readonly TagCondition[]
  /** Epoch seconds, both ends included. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  /** Words that occur in the event (NIP-50). `kinds` is then present. */
  readonly search?: Search | undefined
  /** Maximum number of stored events. Default: the relay's. */
  readonly limit?: number | undefined
}

export interface TagCondition {
  readonly letter: string
  readonly values: readonly string[]
}

// Matches events against filters (NIP-01), without `limit`. The relay does this a million times a second, so the code stays flat.

/** Above this length, a hash lookup is faster than a linear search. */
const LONG = 8

type Values<T> = readonly T[] | Set<T>

/** A filter prepared for many events. All members are present, so that all objects have one shape. */
export interface PreparedFilter {
  readonly ids: Values<string> | undefined
  readonly authors: Values<string> | undefined
  readonly kinds: Values<number> | undefined
  readonly tags: readonly { readonly letter: string; readonly values: Values<string> }[]
  readonly since: number
  readonly until: number
  /** Terms that the event has (NIP-50). */
  readonly search: readonly string[] | undefined
}

export const prepareFilter = ({ ids, authors, kinds, tags, since, until, search }: Filter): PreparedFilter => ({
  ids: ids && valuesOf(ids),
  authors: authors && valuesOf(authors),
  kinds: kinds && valuesOf(kinds),
  tags: tags.map(({ letter, values }) => ({ letter, values: valuesOf(values) })),
  since: since ?? 0,
  until: until ?? Number.MAX_SAFE_INTEGER,
  search: search?.terms,
})

const valuesOf = <T>(list: readonly T[]): Values<T> => (list.length > LONG ? new Set(list) : list)

export function fits(filter: PreparedFilter, event: NostrEvent): boolean {
  const { created_at } = event
  if (created_at < filter.since || created_at > filter.until) return false
  if (filter.kinds !== undefined && !isAmong(filter.kinds, event.kind)) return false
  if (filter.authors !== undefined && !isAmong(filter.authors, event.pubkey)) return false
  if (filter.ids !== undefined && !isAmong(filter.ids, event.id)) return false
  for (const { letter, values } of filter.tags) if (!hasTag(event, letter, values)) return false
  return filter.search === undefined || isFound(event, filter.search)
}

function hasTag(event: NostrEvent, letter: string, values: Values<string>): boolean {
  for (const tag of event.tags) {
    const value = tag[1]
    if (tag[0] === letter && value !== undefined && isAmong(values, value)) return true
  }
  return false
}

const isAmong = <T>(values: Values<T>, value: T): boolean =>
  values instanceof Set ? values.has(value) : values.includes(value)

/** For a single event; `createMatcher` is faster for several. */
export const matches = (filter: Filter, event: NostrEvent): boolean => fits(prepareFilter(filter), event)

/** Whether an event matches at least one of the filters. */
export function createMatcher(filters: readonly Filter[]): (event: NostrEvent) => boolean {
  const prepared = filters.map(prepareFilter)
  const [only] = prepared
  if (only && prepared.length === 1) return (event) => fits(only, event)
  return (event) => prepared.some((filter) => fits(filter, event))
}
