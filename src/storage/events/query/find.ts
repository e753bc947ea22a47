// Answers a REQ's filters from the store: matches newest first, in pages.

import { classOf } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { FindOptions, StoredQuery } from '../../../relay/index.js'
import { Cursor, type Sources, split } from './cursor.js'
import { locateIds, locateRanges } from './located-rows.js'
import type { MatchStream } from './merge-streams.js'
import { createMergedQuery } from './merged-query.js'
import { createPageSize, type PageSize } from './page-size.js'
import { isDear, planFor, type QueryPlan, searchesOf } from './plan.js'
import { createReaderQuery, readerRows } from './reader-query.js'
import { createIdQuery, createRangeQuery, type FilterQuery } from './single-query.js'
import { textCheckFor } from './text-check.js'

export type Find = (filters: readonly Filter[], options?: FindOptions) => StoredQuery

/** Ids fetched in one page, because texts may be large. */
const FEW_IDS = 32
/** Number of ranges from which the search costs more than the texts of a page. */
const MANY_SEARCHES = 48

export function createFind(sources: Sources): Find {
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
