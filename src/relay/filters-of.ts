// The filters of a REQ, a COUNT or a NEG-OPEN, within the relay's limits.
import { type Filter, parseFilter } from '../nostr/filter/index.js'
import type { RelayLimits } from './settings.js'

/** What is wrong with them, as text. */
export function filtersOf(
  asked: readonly unknown[],
  { maxFilters, maxFilterValues }: Pick<RelayLimits, 'maxFilters' | 'maxFilterValues'>,
): readonly Filter[] | string {
  if (asked.length === 0) return 'no filter'
  if (asked.length > maxFilters) return 'too many filters'
  const filters: Filter[] = []
  for (const one of asked) {
    const filter = parseFilter(one, { maxValues: maxFilterValues })
    if ('problem' in filter) return filter.problem
    filters.push(filter)
  }
  return filters
}
