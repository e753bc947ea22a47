// Queries of one filter: one statement searches a page and returns its texts.
import { idAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { EventPage, FindOptions, StoredQuery } from '../../../relay/index.js'
import { prefixOf } from '../index/key-numbers.js'
import type { Staged } from '../staging/staged-event.js'
import { Cursor, NOTHING_LEFT, type Sources } from './cursor.js'
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
  const cursor = new Cursor(sources, filter, plan)
  let rest: StoredQuery | undefined
  /** True when the last page was empty: a request for one event may name a hundred thousand deleted ones. */
  let isBarren = false

  return {
    next() {
      if (rest !== undefined) return rest.next()
      if (share.left <= 0 || cursor.isDone) return undefined
      const rows = nextRows(cursor, share, isBarren ? size.rows() : Math.min(share.left, size.rows()))
      if (rows === undefined) {
        rest = createMergedQuery(sources, [{ share, rows: locateRanges(cursor) }], size, options)
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
  const { bytes, rows: visited, last } = disk.texts(cursor.range(asked, reached + 1), now())
  const floor = visited === asked ? last : reached
  if (floor === cursor.top) return undefined
  const rows = bytes === undefined ? [] : textRows(bytes, floor, check)
  for (const one of found) if (one.place > floor) rows.push(stagedRow(one))
  cursor.moveBelow(floor + 1)
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

function pageFrom(rows: readonly TextRow[], share: FilterShare, visible: Visible): EventPage {
  const shown = visible ? rows.filter(({ bytes, start, end }) => visible(bytes.subarray(start, end))) : rows
  const taken = shown.length > share.left ? shown.slice(0, share.left) : shown
  share.left -= taken.length
  return pageOf(taken)
}
