// The filters of a REQ, a COUNT or a NEG-OPEN, within the relay's limits.
import { type Filter, parseFilter } from '../../nostr/filter/index.js'
import type { RelayLimits } from '../settings.js'

/** What is wrong with them, as text. */
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

/** What is looked up, and what is remembered of a filter, grows with them. */
export function valuesIn({ ids = [], authors = [], kinds = [], tags }: Filter): number {
  let values = ids.length + authors.length + kinds.length
  for (const tag of tags) values += tag.values.length
  return values
}
