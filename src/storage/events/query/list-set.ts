// Lists time and id of every match, for reconciliation (NIP-77).
import { createdAt, idAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { FindOptions, SetEntry, SetListing } from '../../../relay/index.js'
import type { Find } from './find.js'

/** By time, then by id; one page per step. A limit keeps the newest, as in every query. */
export function createListSet(find: Find) {
  return (filters: readonly Filter[], max: number, options: FindOptions = {}): SetListing => {
    const query = find(filters, options)
    const entries: SetEntry[] = []
    return {
      get listed() {
        return entries.length
      },
      step() {
        const page = query.next()
        if (page === undefined) return oldestFirst(entries)
        let start = 0
        for (const end of page.ends) {
          entries.push({ created_at: createdAt(page.bytes, start), id: idAt(page.bytes, start) })
          start = end + 1
        }
        return entries.length > max ? 'too many' : undefined
      },
    }
  }
}

export const withoutLimit = (filter: Filter): Filter => {
  if (filter.limit === undefined) return filter
  const { limit: _, ...others } = filter
  return others
}

/** Reverses a newest-first list in place, except the ids within one second, which ascend both ways. Faster than sorting. */
function oldestFirst(entries: SetEntry[]): readonly SetEntry[] {
  entries.reverse()
  for (let from = 0, to = 1; from < entries.length; from = to++) {
    while (entries[to]?.created_at === entries[from]?.created_at) to++
    turnRound(entries, from, to)
  }
  return entries
}

function turnRound(entries: SetEntry[], from: number, to: number): void {
  for (let low = from, high = to - 1; low < high; low++, high--) {
    const [first, last] = [entries[low], entries[high]]
    if (first && last) [entries[low], entries[high]] = [last, first]
  }
}
