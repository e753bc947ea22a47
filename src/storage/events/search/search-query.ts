// Answers one filter with a search (NIP-50): first events that have all words in their name or title, then the others, each newest first. A step is
// one statement over a bounded part of the index.

import { parseJson } from '../../../lib/parse-json.js'
import { idAt, idsIn, parseEvent } from '../../../nostr/event/index.js'
import { type Filter, matches } from '../../../nostr/filter/index.js'
import { holdsInTitle, holdsTerms } from '../../../nostr/search/index.js'
import type { EventPage, EventStore, FindOptions, StoredQuery } from '../../../relay/index.js'
import { firstPlaceOf, LAST_TIME, lastPlaceOf } from '../index/index-keys.js'
import { textCheckFor, wholeCheckFor } from '../query/plan.js'
import { byPlace, createPageSize, eachText, pageOf, placeAt, type TextRow } from '../query/text-rows.js'
import type { UnindexedEvent } from './pending-search.js'
import type { SearchIndex } from './search-index.js'
import {
  firstRowOf,
  lastRowOf,
  type MatchExpression,
  matchExpression,
  type RowRange,
  type SearchDisk,
  type SearchPhase,
} from './search-tables.js'

interface SearchSources {
  readonly disk: SearchDisk
  readonly index: SearchIndex
  /** Epoch seconds. */
  now(): number
}

/** The rest of one phase. */
interface PhaseState {
  readonly name: SearchPhase
  readonly expression: MatchExpression
  /** Pending matches at the beginning, newest first. Those that were indexed or deleted since are skipped. */
  readonly pending: readonly UnindexedEvent[]
  /** True when so few events match one condition that the whole index may be asked at once. */
  readonly isRare: boolean
  /** The next row to visit. */
  newest: bigint
}

const PHASES: readonly SearchPhase[] = ['title', 'other']
/** Matches of one condition below which it counts as rare: each may cost a page of the other conditions' lists. */
const RARE = 64
/** Index entries that a statement may visit, for all terms together. */
const VISITS = 32_768

/** The filter has a search, and no ids. */
function createSearchQuery(sources: SearchSources, filter: Filter, { visible }: FindOptions): StoredQuery {
  const { disk, index, now } = sources
  const { since = 0, until = LAST_TIME, kinds, search, limit = Number.POSITIVE_INFINITY } = filter
  const bounds: RowRange = {
    newest: lastRowOf(lastPlaceOf(Math.min(until, LAST_TIME))),
    oldest: firstRowOf(firstPlaceOf(Math.min(since, LAST_TIME))),
  }
  const check = textCheckFor(filter, { by: 'time', kinds })
  const size = createPageSize()
  const phases = [...PHASES]
  let phase: PhaseState | undefined
  let left = since > until ? 0 : limit

  function begin(name: SearchPhase): PhaseState {
    const expression = matchExpression(filter, name)
    const isRare = !index.isReady || expression.parts.some((part) => disk.isRare(part, bounds, RARE))
    return { name, expression, isRare, pending: pendingMatches(sources, filter, name, bounds), newest: bounds.newest }
  }

  /** Rows from the tables, and the last row visited. */
  function fromDisk({ expression, isRare, newest }: PhaseState, oldest: bigint, count: number) {
    if (!index.isReady) return { found: [], reached: oldest }
    const visited = Math.ceil(VISITS / (2 * expression.parts.length))
    const end = isRare ? oldest : (disk.rowAfter({ newest, oldest }, visited) ?? oldest)
    const { bytes, rows, last } = disk.page(expression.whole, { newest, oldest: end }, count, now())
    const found: TextRow[] = []
    if (bytes)
      eachText(bytes, (start, stop) => {
        if (stop > start && (!check || check(bytes, start, stop)))
          found.push({ place: placeAt(bytes, start), bytes, start, end: stop })
      })
    return { found, reached: rows < count || last === undefined ? end : last }
  }

  function step(current: PhaseState): readonly TextRow[] {
    // Whole pages: opening the lists of all words costs more than their rows.
    const count = size.rows()
    const waiting = current.pending.filter(({ row, seq }) => row <= current.newest && index.pending.has(seq))
    const { found, reached } = fromDisk(current, waiting[count]?.row ?? bounds.oldest, count)
    for (const { row, text: bytes, keys } of waiting)
      if (row >= reached) found.push({ place: keys.place, bytes, start: 0, end: bytes.length })
    current.newest = reached - 1n
    if (current.newest < bounds.oldest) phase = undefined
    return found.sort(byPlace)
  }

  return {
    next() {
      if (left <= 0 || search === undefined) return undefined
      if (!phase) {
        const name = phases.shift()
        if (name === undefined) return undefined
        phase = begin(name)
      }
      const rows = step(phase)
      const shown = visible ? rows.filter(({ bytes, start, end }) => visible(bytes.subarray(start, end))) : rows
      const page = pageOf(shown.slice(0, left))
      left -= page.ends.length
      size.learn(page)
      return page
    },
  }
}

function pendingMatches(
  { index, now }: SearchSources,
  filter: Filter,
  phase: SearchPhase,
  { newest, oldest }: RowRange,
): readonly UnindexedEvent[] {
  const { search, kinds = [] } = filter
  const demand = search?.terms ?? []
  const check = wholeCheckFor(filter)
  const found: UnindexedEvent[] = []
  for (const one of index.pending.all()) {
    const { row, keys, terms, text } = one
    if (row > newest || row < oldest || !kinds.includes(keys.kind) || (keys.expires ?? Infinity) <= now()) continue
    if (!holdsTerms(terms, demand) || holdsInTitle(terms, demand) !== (phase === 'title')) continue
    if (check(text, 0, text.length)) found.push(one)
  }
  return found.sort((a, b) => (a.row > b.row ? -1 : 1))
}

// Queries with searches: one filter after the other, each event once.

type Visible = NonNullable<FindOptions['visible']>

/** `find` answers filters without a search, and those with ids. */
export function createSearchFind(find: EventStore['find'], sources: SearchSources): EventStore['find'] {
  const queryFor = (filter: Filter, visible: Visible): StoredQuery =>
    filter.search && !filter.ids
      ? createSearchQuery(sources, filter, { visible })
      : find([filter], { visible: filter.search ? (text) => isMatch(filter, text) && visible(text) : visible })

  return (filters, options = {}) => {
    if (!filters.some(({ search }) => search)) return find(filters, options)
    const seen = new Set<string>()
    const visible: Visible = (text) => !seen.has(idAt(text, 0)) && options.visible?.(text) !== false
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

function remember(page: EventPage, seen: Set<string>): void {
  for (const id of idsIn(page)) seen.add(id)
}

const EMPTY: EventPage = { bytes: Buffer.alloc(0), ends: [] }

function isMatch(filter: Filter, text: Buffer): boolean {
  const event = parseEvent(parseJson(text.toString()))
  return event !== undefined && matches(filter, event)
}
