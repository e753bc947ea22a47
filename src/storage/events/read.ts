// Stored queries: the matches of a REQ's filters, newest first, in pages.

import type { Filter } from '../../nostr/filter/index.js'
import type { ReadOptions, StoredQuery } from '../../relay/index.js'
import { Cursor, type Sources, split } from './cursor.js'
import { locateIds, locateRanges } from './located.js'
import type { Stream } from './merge.js'
import { createMergedQuery } from './merged-query.js'
import { createPageSize } from './page-size.js'
import { planFor } from './plan.js'
import { createIdQuery, createRangeQuery, type Single } from './single-query.js'
import { textCheckFor } from './text-check.js'

export type Find = (filters: readonly Filter[], options?: ReadOptions) => StoredQuery

/** Ids that are fetched together: their texts may be large. */
const FEW_IDS = 32

export function createFind(sources: Sources): Find {
  const size = createPageSize()
  return (filters, options = {}) => {
    const singles = filters.flatMap(singleOf)
    const [only] = singles
    if (only !== undefined && singles.length === 1) {
      if (only.plan.by === 'id' && only.plan.first.length <= FEW_IDS) return createIdQuery(sources, only, options)
      if (only.plan.by !== 'id' && split(only.plan).length === 1) return createRangeQuery(sources, only, size, options)
    }
    return createMergedQuery(
      sources,
      singles.flatMap((single) => streamsOf(sources, single)),
      size,
      options,
    )
  }
}

function singleOf(filter: Filter): readonly Single[] {
  const plan = planFor(filter)
  if (plan === undefined) return []
  return [
    { filter, plan, share: { check: textCheckFor(filter, plan), left: filter.limit ?? Number.POSITIVE_INFINITY } },
  ]
}

const streamsOf = (sources: Sources, { filter, plan, share }: Single): readonly Stream[] =>
  split(plan).map((part) => {
    const cursor = new Cursor(sources, filter, part)
    return { share, rows: part.by === 'id' ? locateIds(cursor, filter.ids ?? []) : locateRanges(cursor) }
  })
