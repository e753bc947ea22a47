// Parses the filters of a REQ, COUNT or NEG-OPEN within the relay's limits.
import { type Filter, NOTHING, parseFilter } from '../../nostr/filter/index.js'
import type { RelayLimits, RelaySettings } from '../settings.js'

export interface FilterSettings extends Pick<RelaySettings, 'searchKinds'> {
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
export function valuesIn({ ids, authors, kinds, tags, search }: Filter): number {
  let values = (ids?.length ?? 0) + (authors?.length ?? 0) + (kinds?.length ?? 0) + (search?.terms.length ?? 0)
  for (const tag of tags) values += tag.values.length
  return values
}
