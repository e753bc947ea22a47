// How many events match (NIP-45).
import type { Filter } from '../../../nostr/filter/index.js'
import type { Count, ReadOptions, SlicedWork } from '../../../relay/index.js'
import { countRows } from './count-rows.js'
import type { Sources } from './cursor.js'
import type { Find } from './find.js'
import { withoutLimit } from './list-set.js'
import { planFor } from './plan.js'

/** From the rows of an index where these are the matches; otherwise by finding them, a page's worth in each step. */
export function createCount(sources: Sources, find: Find) {
  return (filters: readonly Filter[], max: number, { visible }: ReadOptions = {}): SlicedWork<Count> => {
    const [only] = filters
    if (only !== undefined && filters.length === 1 && !visible) {
      const filter = withoutLimit(only)
      const plan = planFor(filter)
      const rows = plan && countRows(sources, filter, plan, max)
      if (rows) return rows
    }
    return countFound(find, filters, max, visible ? { visible } : {})
  }
}

function countFound(find: Find, filters: readonly Filter[], max: number, options: ReadOptions): SlicedWork<Count> {
  const query = find(filters.map(withoutLimit), options)
  let count = 0
  return {
    step() {
      const page = query.next()
      if (page === undefined) return { count, limited: false }
      count += page.ends.length
      return count > max ? { count: max, limited: true } : undefined
    },
  }
}
