// Answers that come from several places at once: of several filters, or of one that names very many values. First the places of the matches are
// merged, then their texts are fetched a page at a time, so that nothing but numbers is held for all the filters together.
import type { EventPage, FindOptions, StoredQuery } from '../../../relay/index.js'
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

  /** Nothing came of the last ones: see `createRangeQuery`. */
  let isBarren = false

  const wanted = (): number => {
    let left = 0
    for (const share of shares) left += share.left
    return isBarren ? size.rows() : Math.min(left, size.rows())
  }

  return {
    next() {
      if (merge.isDone) return undefined
      const found = textsOf(sources, merge.take(wanted()))
      const page = pageOf(found.filter((one) => accepts(one, visible)).map(([, row]) => row))
      isBarren = page.ends.length === 0
      size.learn(page)
      return page.ends.length > 0 ? page : EMPTY
    },
  }
}

/** Whether it is somebody's match, who then wants one less. */
function accepts([{ shares, located }, { bytes, start, end }]: Found, visible: FindOptions['visible']): boolean {
  const takers = shares.filter(
    ({ left, check }) => left > 0 && (located.staged !== undefined || !check || check(bytes, start, end)),
  )
  if (takers.length === 0 || visible?.(bytes.subarray(start, end)) === false) return false
  for (const taker of takers) taker.left--
  return true
}

/** Those whose texts are still there, in the order of answers. */
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
