// Time and id of every match, for the reconciling of sets (NIP-77).
import { createdAt, idAt } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'
import type { ReadOptions, SetEntry, SlicedWork } from '../../relay/index.js'
import type { Find } from './read.js'
import { eachText } from './rows.js'

/** Oldest first, then by id; a page's worth in each step. */
export function createListSet(find: Find) {
  return (
    filters: readonly Filter[],
    max: number,
    options: ReadOptions = {},
  ): SlicedWork<readonly SetEntry[] | 'too many'> => {
    const query = find(filters.map(withoutLimit), options)
    const entries: SetEntry[] = []
    return {
      step() {
        const page = query.next()
        if (page === undefined) return entries.sort(oldestFirst)
        eachText(page.bytes, (start) => {
          entries.push({ created_at: createdAt(page.bytes, start), id: idAt(page.bytes, start) })
        })
        return entries.length > max ? 'too many' : undefined
      },
    }
  }
}

export const withoutLimit = ({ limit: _, ...filter }: Filter): Filter => filter

const oldestFirst = (a: SetEntry, b: SetEntry): number => a.created_at - b.created_at || (a.id < b.id ? -1 : 1)
