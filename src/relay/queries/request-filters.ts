// Parses the filters of a REQ, COUNT or NEG-OPEN within the relay's limits.
import { type Filter, parseFilter } from '../../nostr/filter/index.js'
import type { RelayLimits } from '../settings.js'

/** Returns the filters, or the text of the first problem. */
export function filtersOf(
  asked: readonly unknown[],
  { maxFilters, maxFilterValues }: Pick<RelayLimits, 'maxFilters' | 'maxFilterValues'>,
): readonly Filter[] | string {
  if (asked.length === 0) return 'no filter'
  if (asked.length > maxFilters) return 'too many filters'
  const filters: Filter[] = []
  let room = maxFilterValues
  for (const one of asked) {
    const filter = parseFilter(one, { maxValues: room })
    if ('problem' in filter) return filter.problem
    room -= valuesIn(filter)
    filters.push(filter)
  }
  return filters
}

/** Number of values in a filter: lookups and memory grow with it. */
export function valuesIn({ ids, authors, kinds, tags }: Filter): number {
  let values = (ids?.length ?? 0) + (authors?.length ?? 0) + (kinds?.length ?? 0)
  for (const tag of tags) values += tag.values.length
  return values
}
