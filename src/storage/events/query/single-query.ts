// Queries of one filter: one statement searches a page and returns its texts.
import { idAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { EventPage, FindOptions, StoredQuery } from '../../../relay/index.js'
import { prefixOf } from '../index/key-numbers.js'
import type { Staged } from '../staging/staged-event.js'
import { Cursor, NOTHING_LEFT, type Sources } from './cursor.js'
import type { TextPage } from './disk.js'
import { locateRanges } from './located-rows.js'
import type { FilterShare } from './merge-streams.js'
import { createMergedQuery } from './merged-query.js'
import type { PageSize } from './page-size.js'
import type { QueryPlan } from './plan.js'
import { inOrder, pageOf, stagedRow, type TextRow, textRows } from './text-rows.js'

export interface FilterQuery {
  readonly filter: Filter
  readonly plan: QueryPlan
  readonly share: FilterShare
}

type Visible = FindOptions['visible']

/** Query of a plan over ranges. */
export function createRangeQuery(
  sources: Sources,
  single: FilterQuery,
  size: PageSize,
  options: FindOptions,
): StoredQuery {
  const { filter, plan, share } = single
  return continueRanges(new Cursor(sources, filter, plan), { share, size, options })
}

export interface RangeParts {
  readonly share: FilterShare
  readonly size: PageSize
  readonly options: FindOptions
  /** True: places are found before texts. */
  readonly isFoundFirst?: boolean
}

/** The same from the position of a cursor, which others may move between two pages. */
export function continueRanges(
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
export const floorOf = ({ rows, last }: TextPage, asked: number, reached: number): number =>
  rows === asked ? last : reached

/** Matches above a place, in answer order. */
export function rowsAbove(
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
export function createIdQuery(
  sources: Sources,
  { filter, plan, share }: FilterQuery,
  { visible }: FindOptions,
): StoredQuery {
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

export function pageFrom(rows: readonly TextRow[], share: FilterShare, visible: Visible): EventPage {
  const shown = visible ? rows.filter(({ bytes, start, end }) => visible(bytes.subarray(start, end))) : rows
  const taken = shown.length > share.left ? shown.slice(0, share.left) : shown
  share.left -= taken.length
  return pageOf(taken)
}
