// Queries with searches: one filter after the other, each event once.

import { parseJson } from '../../../lib/parse-json.js'
import { idOfText, parseEvent } from '../../../nostr/event/index.js'
import { type Filter, matches } from '../../../nostr/filter/index.js'
import type { EventPage, FindOptions, StoredQuery } from '../../../relay/index.js'
import type { Find } from '../query/find.js'
import { createSearchQuery, type SearchSources } from './search-query.js'

type Visible = NonNullable<FindOptions['visible']>

/** `find` answers filters without a search, and those with ids. */
export function createSearchFind(find: Find, sources: SearchSources): Find {
  const queryFor = (filter: Filter, visible: Visible): StoredQuery =>
    filter.search && !filter.ids
      ? createSearchQuery(sources, filter, { visible })
      : find([filter], { visible: filter.search ? (text) => isMatch(filter, text) && visible(text) : visible })

  return (filters, options = {}) => {
    if (!filters.some(({ search }) => search)) return find(filters, options)
    const seen = new Set<string>()
    const visible: Visible = (text) => !seen.has(idOfText(text)) && options.visible?.(text) !== false
    const left = [...filters]
    let query: StoredQuery | undefined
    return {
      next() {
        if (!query) {
          const filter = left.shift()
          if (!filter) return undefined
          query = queryFor(filter, visible)
        }
        const page = query.next()
        if (page) remember(page, seen)
        else query = undefined
        return page ?? (left.length > 0 ? EMPTY : undefined)
      },
    }
  }
}

const EMPTY: EventPage = { bytes: Buffer.alloc(0), ends: [] }

function remember({ bytes, ends }: EventPage, seen: Set<string>): void {
  let start = 0
  for (const end of ends) {
    seen.add(idOfText(bytes.subarray(start, end)))
    start = end + 1
  }
}

function isMatch(filter: Filter, text: Buffer): boolean {
  const event = parseEvent(parseJson(text.toString()))
  return event !== undefined && matches(filter, event)
}
