// Stored queries: the matches of a REQ's filters, newest first, in pages.

import type { Filter } from '../../nostr/filter/index.js'
import type { ReadOptions, StoredQuery } from '../../relay/index.js'
import { Cursor, type Sources, split } from './cursor.js'
import { locateIds, locateRanges } from './located.js'
import type { Share, Stream } from './merge.js'
import { createMergedQuery } from './merged-query.js'
import { createPageSize } from './page-size.js'
import { planFor } from './plan.js'
import { textCheckFor } from './text-check.js'

export type Find = (filters: readonly Filter[], options?: ReadOptions) => StoredQuery

export function createFind(sources: Sources): Find {
  const size = createPageSize()
  return (filters, options = {}) =>
    createMergedQuery(
      sources,
      filters.flatMap((filter) => streamsOf(sources, filter)),
      size,
      options,
    )
}

function streamsOf(sources: Sources, filter: Filter): readonly Stream[] {
  const plan = planFor(filter)
  if (plan === undefined) return []
  const share: Share = { check: textCheckFor(filter, plan), left: filter.limit ?? Number.POSITIVE_INFINITY }
  return split(plan).map((part) => {
    const cursor = new Cursor(sources, filter, part)
    return { share, rows: part.by === 'id' ? locateIds(cursor, filter.ids ?? []) : locateRanges(cursor) }
  })
}
