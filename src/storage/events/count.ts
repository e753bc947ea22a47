// How many events match (NIP-45).
import type { Filter } from '../../nostr/filter/index.js'
import type { Count, ReadOptions, SlicedWork } from '../../relay/index.js'
import { withoutLimit } from './list-set.js'
import type { Find } from './read.js'

/** A page's worth in each step. */
export function createCount(find: Find) {
  return (filters: readonly Filter[], max: number, options: ReadOptions = {}): SlicedWork<Count> => {
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
}
