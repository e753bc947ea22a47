// Queries over several filters, or one filter with many values. Places are merged first, then texts are fetched page by page, so that only numbers
// are held for all filters.
import type { EventPage, FindOptions, StoredQuery, Waiting, WaitingReads } from '../../../relay/index.js'
import type { Sources } from './cursor.js'
import { createMerge, type MatchStream, type MergedEvent } from './merge-streams.js'
import type { PageSize } from './page-size.js'
import { byPlace, eachText, pageOf, placeAt, stagedRow, type TextRow } from './text-rows.js'

type Found = readonly [MergedEvent, TextRow]

const EMPTY: EventPage = { bytes: Buffer.alloc(0), ends: [] }

export function createMergedQuery(
  sources: Sources,
  streams: readonly MatchStream[],
  size: PageSize,
  { visible }: FindOptions,
): StoredQuery {
  const merge = createMerge(streams)
  const shares = [...new Set(streams.map(({ share }) => share))]

  /** True when the last page was empty: see `createRangeQuery`. */
  let isBarren = false

  const wanted = (): number => {
    let left = 0
    for (const share of shares) left += share.left
    return isBarren ? size.rows() : Math.min(left, size.rows())
  }

  function next(): EventPage | undefined {
    return merge.isDone ? undefined : pageFor(merge.take(wanted(), false))
  }

  function nextOrWait(): EventPage | Waiting | undefined {
    if (merge.isDone) return undefined
    const candidates = merge.take(wanted(), true)
    return candidates.length === 0 && merge.waiting ? merge.waiting : pageFor(candidates)
  }

  function pageFor(candidates: readonly MergedEvent[]): EventPage {
    const found = textsOf(sources, candidates)
    const page = pageOf(found.filter((one) => accepts(one, visible)).map(([, row]) => row))
    isBarren = page.ends.length === 0
    size.learn(page)
    return page.ends.length > 0 ? page : EMPTY
  }

  const waiting: WaitingReads | undefined = streams.some(({ rows }) => rows.mayWait)
    ? {
        next: nextOrWait,
        heldBytes: () => streams.reduce((bytes, { rows }) => bytes + rows.heldBytes(), 0),
        drop: () => {
          for (const { rows } of streams) rows.drop()
        },
      }
    : undefined
  return { next, waiting }
}

/**
 * True when the event matches a filter; decrements that filter's limit. An event found in the stage matches its filter by certainty; where several
 * filters found it, one may have found it by its index rows (it was indexed in between), so each is asked.
 */
function accepts([{ shares, located }, { bytes, start, end }]: Found, visible: FindOptions['visible']): boolean {
  const isCertain = located.staged !== undefined && shares.length === 1
  const takers = shares.filter(({ left, check }) => left > 0 && (isCertain || !check || check(bytes, start, end)))
  if (takers.length === 0 || visible?.(bytes.subarray(start, end)) === false) return false
  for (const taker of takers) taker.left--
  return true
}

/** Events whose texts still exist, in answer order. */
function textsOf({ disk, now }: Sources, candidates: readonly MergedEvent[]): readonly Found[] {
  const found: Found[] = []
  const onDisk: MergedEvent[] = []
  for (const candidate of candidates) {
    const { staged } = candidate.located
    if (staged) found.push([candidate, stagedRow(staged)])
    else onDisk.push(candidate)
  }
  const seqs = onDisk.map(({ located }) => located.seq)
  const bytes = seqs.length > 0 ? disk.textsOf(seqs, now()) : undefined
  let at = 0
  if (bytes)
    eachText(bytes, (start, end) => {
      const candidate = onDisk[at++]
      if (candidate && end > start) found.push([candidate, { place: placeAt(bytes, start), bytes, start, end }])
    })
  return found.sort(([, a], [, b]) => byPlace(a, b))
}
