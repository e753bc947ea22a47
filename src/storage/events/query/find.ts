// Answers a REQ's filters from the store: matches newest first, in pages.

import { classOf, idAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { EventPage, EventStore, FindOptions, StoredQuery, Waiting } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { prefixOf } from '../index/index-keys.js'
import type { Handover, Readers } from '../readers/readers.js'
import type { SearchIndex } from '../search/search-index.js'
import { createSearchFind } from '../search/search-query.js'
import { createSearchDisk } from '../search/search-tables.js'
import type { Staged } from '../staging/stage.js'
import { createCount, createListSet } from './count.js'
import { Cursor, locateIds, locateRanges, NOTHING_LEFT, type Sources, split } from './cursor.js'
import { createDisk, type TextPage } from './disk.js'
import { createMergedQuery, type FilterShare, type MatchStream } from './merged-query.js'
import { isDear, planFor, type QueryPlan, searchesOf, textCheckFor } from './plan.js'
import { createPageSize, inOrder, type PageSize, pageOf, stagedRow, type TextRow, textRows } from './text-rows.js'

/** Ids fetched in one page, because texts may be large. */
const FEW_IDS = 32
/** Number of ranges from which the search costs more than the texts of a page. */
const MANY_SEARCHES = 48

function createFind(sources: Sources): EventStore['find'] {
  const size = createPageSize()
  return (filters, options = {}) => {
    const singles = singlesOf(filters)
    const [only] = singles
    const query = only && singles.length === 1 ? singleQuery(sources, only, size, options) : undefined
    if (query) return query
    const streams = singles.flatMap((single) => streamsOf(sources, single))
    return createMergedQuery(sources, streams, size, options)
  }
}

/** Undefined: the places of its matches must be found first. */
function singleQuery(
  sources: Sources,
  single: FilterQuery,
  size: PageSize,
  options: FindOptions,
): StoredQuery | undefined {
  const { plan } = single
  if (plan.by === 'id') return plan.first.length <= FEW_IDS ? createIdQuery(sources, single, options) : undefined
  if (split(plan).length > 1) return undefined
  const foundFirst = isFoundFirst(single, size.rows())
  const readers = isForReader(single, readerRows(size)) ? sources.readers?.() : undefined
  if (readers) return createReaderQuery(sources, readers, { single, size, options, isFoundFirst: foundFirst })
  return foundFirst ? undefined : createRangeQuery(sources, single, size, options)
}

/** True when places are found before texts: with many ranges, each page would repeat the expensive search. */
const isFoundFirst = ({ plan, share }: FilterQuery, pageRows: number): boolean =>
  searchesOf(plan) >= MANY_SEARCHES && Math.min(share.left, mostRows(plan)) > pageRows

/** True when reader threads fetch the texts of an expensive search; where places are found first, they find those. */
const isForReader = (single: FilterQuery, pageRows: number): boolean =>
  isDear(single.plan) && !isFoundFirst(single, pageRows)

/** Replaceable events have at most one version per author. */
const mostRows = (plan: QueryPlan): number =>
  plan.by === 'author' && plan.kinds?.every((kind) => classOf(kind) === 'replaceable')
    ? searchesOf(plan)
    : Number.POSITIVE_INFINITY

/** Without the filters that no event can match. */
function singlesOf(filters: readonly Filter[]): readonly FilterQuery[] {
  const singles: FilterQuery[] = []
  for (const filter of filters) {
    const plan = planFor(filter)
    if (plan === undefined) continue
    const share = { check: textCheckFor(filter, plan), left: filter.limit ?? Number.POSITIVE_INFINITY }
    singles.push({ filter, plan, share })
  }
  return singles
}

const streamsOf = (sources: Sources, { filter, plan, share }: FilterQuery): readonly MatchStream[] =>
  split(plan).map((part) => {
    const cursor = new Cursor(sources, filter, part)
    const rows =
      part.by === 'id'
        ? locateIds(cursor, filter.ids ?? [])
        : locateRanges(cursor, isDear(part) ? sources.readers?.() : undefined)
    return { share, rows }
  })

// Queries of one filter: one statement searches a page and returns its texts.

interface FilterQuery {
  readonly filter: Filter
  readonly plan: QueryPlan
  readonly share: FilterShare
}

type Visible = FindOptions['visible']

/** Query of a plan over ranges. */
function createRangeQuery(sources: Sources, single: FilterQuery, size: PageSize, options: FindOptions): StoredQuery {
  const { filter, plan, share } = single
  return continueRanges(new Cursor(sources, filter, plan), { share, size, options })
}

interface RangeParts {
  readonly share: FilterShare
  readonly size: PageSize
  readonly options: FindOptions
  /** True: places are found before texts. */
  readonly isFoundFirst?: boolean
}

/** The same from the position of a cursor, which others may move between two pages. */
function continueRanges(
  cursor: Cursor,
  { share, size, options, isFoundFirst = false }: RangeParts,
): StoredQuery & { readonly isMerged: boolean } {
  let rest: StoredQuery | undefined
  /** True when the last page was empty: a request for one event may name a hundred thousand deleted ones. */
  let isBarren = false

  return {
    /** True when rows are held beyond the cursor, so that only this query can go on. */
    get isMerged() {
      return rest !== undefined
    },
    next() {
      if (rest !== undefined) return rest.next()
      if (share.left <= 0 || cursor.isDone) return undefined
      const count = isBarren ? size.rows() : Math.min(share.left, size.rows())
      const rows = isFoundFirst ? undefined : nextRows(cursor, share, count)
      if (rows === undefined) {
        rest = createMergedQuery(cursor.sources, [{ share, rows: locateRanges(cursor) }], size, options)
        return rest.next()
      }
      const page = pageFrom(rows, share, options.visible)
      isBarren = page.ends.length === 0
      size.learn(page)
      return page
    },
  }
}

/**
 * All matches at the next places, about `count`. Undefined: more events than that share one place, which only deliberately chosen ids do; their
 * place cannot order them.
 */
function nextRows(cursor: Cursor, { check }: FilterShare, count: number): TextRow[] | undefined {
  const { disk, now } = cursor.sources
  // One more than needed: the last place may be incomplete.
  const asked = count + 1
  const { found, end } = cursor.staged(asked)
  const reached = end?.place ?? NOTHING_LEFT
  if (reached === cursor.top) return undefined
  const page = disk.texts(cursor.range(asked, reached + 1), now())
  const floor = floorOf(page, asked, reached)
  if (floor === cursor.top) return undefined
  cursor.moveBelow(floor + 1)
  return rowsAbove(floor, page, found, check)
}

/** Above this place a page is complete. `reached`: where the staged matches of the same moment end. */
const floorOf = ({ rows, last }: TextPage, asked: number, reached: number): number => (rows === asked ? last : reached)

/** Matches above a place, in answer order. */
function rowsAbove(
  floor: number,
  { bytes }: TextPage,
  staged: readonly Staged[],
  check: FilterShare['check'],
): TextRow[] {
  const rows = bytes === undefined ? [] : textRows(bytes, floor, check)
  for (const one of staged) if (one.place > floor) rows.push(stagedRow(one))
  return inOrder(rows)
}

/** Query of few ids: one page. */
function createIdQuery(sources: Sources, { filter, plan, share }: FilterQuery, { visible }: FindOptions): StoredQuery {
  const cursor = new Cursor(sources, filter, plan)
  const ids = filter.ids ?? []
  let done = share.left <= 0

  return {
    next() {
      if (done) return undefined
      done = true
      const staged = cursor.staged(ids.length).found
      const rows = staged.map(stagedRow)
      if (staged.length < ids.length) {
        const { disk, indexed, now } = sources
        const others = without(ids, staged)
        const bytes = disk.textsById(others.map(prefixOf), indexed(), now())
        if (bytes) rows.push(...textRows(bytes, NOTHING_LEFT, share.check))
      }
      return rows.length > 0 ? pageFrom(inOrder(rows), share, visible) : undefined
    },
  }
}

function without(ids: readonly string[], found: readonly Staged[]): readonly string[] {
  if (found.length === 0) return ids
  const known = new Set(found.map(({ bytes, start }) => idAt(bytes, start)))
  return ids.filter((id) => !known.has(id))
}

function pageFrom(rows: readonly TextRow[], share: FilterShare, visible: Visible): EventPage {
  const shown = visible ? rows.filter(({ bytes, start, end }) => visible(bytes.subarray(start, end))) : rows
  const taken = shown.length > share.left ? shown.slice(0, share.left) : shown
  share.left -= taken.length
  return pageOf(taken)
}

// Queries of one filter with many ranges: a reader thread searches them and fetches the texts, and the next ones while these are sent.

/** A second page would repeat all searches: so many times the rows of a usual page come at once, up to this many. */
const USUAL_PAGES = 4
const MOST_ROWS = 128

/** Rows that one answer of a reader may have. */
const readerRows = (size: PageSize): number => Math.min(MOST_ROWS, USUAL_PAGES * size.rows())

/** What a reader works on, and the staged matches of the moment when it was asked. */
interface Pending {
  readonly handover: Handover<TextPage>
  readonly staged: readonly Staged[]
  /** Rows of the page. */
  readonly asked: number
  /** The place where the staged matches end. */
  readonly reached: number
}

interface ReaderQueryParts {
  readonly single: FilterQuery
  readonly size: PageSize
  readonly options: FindOptions
  /** True: without a reader, places are found before texts. */
  readonly isFoundFirst: boolean
}

function createReaderQuery(
  sources: Sources,
  readers: Readers,
  { single, size, options, isFoundFirst }: ReaderQueryParts,
): StoredQuery {
  const { now } = sources
  const { filter, plan, share } = single
  const cursor = new Cursor(sources, filter, plan)
  const onMain = continueRanges(cursor, { share, size, options, isFoundFirst })
  let pending: Pending | undefined
  /** True when the last page was empty: see `createRangeQuery`. */
  let isBarren = false

  function ask(): Pending | undefined {
    if (share.left <= 0 || cursor.isDone) return undefined
    // One more than needed: the last place may be incomplete.
    const asked = (isBarren ? readerRows(size) : Math.min(share.left, readerRows(size))) + 1
    const staged = cursor.staged(asked)
    const reached = staged.end?.place ?? NOTHING_LEFT
    if (reached === cursor.top) return undefined
    const handover = readers.texts({ range: cursor.range(asked, reached + 1), now: now() })
    return handover && { handover, staged: staged.found, asked, reached }
  }

  /** The page that a reader found, joined with the staged matches. Undefined: the main thread must go on. */
  function accept({ handover, staged, asked, reached }: Pending): EventPage | undefined {
    const found = handover.take()
    if (!found) return undefined
    const floor = floorOf(found, asked, reached)
    if (floor === cursor.top) return undefined
    cursor.moveBelow(floor + 1)
    const page = pageFrom(rowsAbove(floor, found, staged, share.check), share, options.visible)
    isBarren = page.ends.length === 0
    size.learn(page)
    return page
  }

  function nextOrWait(): EventPage | Waiting | undefined {
    if (share.left <= 0) return undefined
    if (onMain.isMerged) return onMain.next()
    pending ??= ask()
    if (pending && !pending.handover.isOver) return pending.handover
    const page = pending && accept(pending)
    pending = page && ask()
    return page ?? onMain.next()
  }

  function drop(): void {
    pending?.handover.drop()
    pending = undefined
  }

  return {
    next() {
      drop()
      return onMain.next()
    },
    waiting: { next: nextOrWait, heldBytes: () => pending?.handover.heldBytes ?? 0, drop },
  }
}

// The read side of the event store.

interface ReaderParts extends Omit<Sources, 'disk'> {
  readonly db: Sqlite
  /** Undefined: no filter has a search. */
  readonly search?: SearchIndex
}

export function createEventQueries({
  db,
  search,
  ...others
}: ReaderParts): Pick<EventStore, 'find' | 'count' | 'listSet'> {
  const sources = { ...others, disk: createDisk(db) }
  const ordinary = createFind(sources)
  const { now } = others
  const find = search ? createSearchFind(ordinary, { disk: createSearchDisk(db), index: search, now }) : ordinary
  return { find, count: createCount(sources, find), listSet: createListSet(find) }
}
