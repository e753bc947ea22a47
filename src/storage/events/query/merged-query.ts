// Queries over several filters, or one filter with many values. Places are merged first, then texts are fetched page by page, so that only numbers
// are held for all filters.
import type { EventPage, FindOptions, StoredQuery, Waiting, WaitingReads } from '../../../relay/index.js'
import { byNumber, type LocatedEvent, type LocatedRows, type Sources } from './cursor.js'
import type { TextCheck } from './plan.js'
import { byPlace, eachText, type PageSize, pageOf, placeAt, stagedRow, type TextRow } from './text-rows.js'

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

// Merges several streams of located events, each event once, with all filters that it may match.

/** The share of one filter in the answer. */
export interface FilterShare {
  readonly check: TextCheck | undefined
  /** Remaining matches within its limit. */
  left: number
}

/** A stream of matches of one filter. */
export interface MatchStream {
  readonly share: FilterShare
  readonly rows: LocatedRows
}

/** An event, and the filters that it may match. */
interface MergedEvent {
  readonly located: LocatedEvent
  readonly shares: FilterShare[]
}

interface Merge {
  readonly isDone: boolean
  /**
   * Takes the next `count` events, newest first; fewer at the end, or if rows must be read first. Events of one place come together, even beyond
   * `count`, because only their texts order them. With `mayWait` reader threads may search; fewer events come while one does.
   */
  take(count: number, mayWait: boolean): readonly MergedEvent[]
  /** The wait that ended the last `take` early. */
  readonly waiting: Waiting | undefined
}

/** Statements per call; each may search a table two thousand times. */
const MAX_READS = 2
/** Places per statement when many matches remain: the next statement would repeat all searches. */
const PLACES_AT_ONCE = 256
/** Extra events at one place. Only deliberately chosen ids produce that many; they come apart. */
const MAX_MORE = 64

interface Budget {
  reads: number
  readonly mayWait: boolean
  waiting: Waiting | undefined
  /** Rows must be read first. */
  isShort: boolean
}

/** True when the next event, or the end, is known. Reads within the budget. */
function isKnown({ share, rows }: MatchStream, budget: Budget, count: number): boolean {
  while (rows.head === undefined && !rows.isDone) {
    if (budget.reads-- <= 0) return false
    // One more than wanted, so that the end of this call does not need another read.
    budget.waiting = rows.read(Math.max(count, Math.min(share.left, PLACES_AT_ONCE)) + 1, budget.mayWait)
    if (budget.waiting) return false
  }
  return true
}

const isEarlier = (head: LocatedEvent | undefined, best: LocatedEvent | undefined): boolean =>
  head !== undefined && (best === undefined || byNumber(head, best) < 0)

const isOver = ({ share, rows }: MatchStream): boolean => share.left <= 0 || rows.isDone

export function createMerge(all: readonly MatchStream[]): Merge {
  let streams = all
  /** All earlier streams have ended: of hundreds of filters most have no match, and each is checked once. */
  let first = 0
  /** The last event of the previous call, which another stream may repeat. */
  let last: LocatedEvent | undefined
  let waiting: Waiting | undefined
  /** Events of a place of which more may be read. */
  let held: readonly MergedEvent[] = []
  /** True when filters may have reached their limits. */
  let hadCandidates = false

  function prune(): void {
    streams = streams.filter((stream) => !isOver(stream))
    first = 0
    hadCandidates = false
  }

  /** The stream with the next event; undefined at the end, or while unknown. */
  function nextStream(budget: Budget, count: number): MatchStream | undefined {
    let best: MatchStream | undefined
    for (let at = first; at < streams.length; at++) {
      const stream = streams[at]
      budget.isShort = stream !== undefined && !isKnown(stream, budget, count)
      if (!stream || budget.isShort) return undefined
      if (isEarlier(stream.rows.head, best?.rows.head)) best = stream
    }
    return best
  }

  function add(found: Map<number, MergedEvent>, { share, rows }: MatchStream): void {
    const located = rows.head
    rows.shift()
    if (located === undefined) return
    const known = found.get(located.seq)
    if (known !== undefined && !known.shares.includes(share)) known.shares.push(share)
    else if (known === undefined && located.seq !== last?.seq) found.set(located.seq, { located, shares: [share] })
  }

  /** A stream that must read first ends a call while others still show its last event: their filters may match it too. */
  function addRepeated(found: Map<number, MergedEvent>): void {
    for (let at = first; at < streams.length; at++) {
      const stream = streams[at]
      if (stream?.rows.head && found.has(stream.rows.head.seq)) add(found, stream)
    }
  }

  return {
    get isDone() {
      if (hadCandidates) prune()
      for (let stream = streams[first]; stream && isOver(stream); stream = streams[first]) first++
      return first >= streams.length && held.length === 0
    },
    get waiting() {
      return waiting
    },
    take(count, mayWait) {
      const found = new Map(held.map((one) => [one.located.seq, one]))
      const budget: Budget = { reads: MAX_READS, mayWait, waiting: undefined, isShort: false }
      let place = held[0]?.located.place ?? Number.POSITIVE_INFINITY
      for (let next = nextStream(budget, count); next !== undefined; next = nextStream(budget, count)) {
        const nextPlace = next.rows.head?.place ?? place
        if (found.size >= count && (nextPlace !== place || found.size >= count + MAX_MORE)) break
        place = nextPlace
        add(found, next)
      }
      waiting = budget.waiting
      addRepeated(found)
      const mayHold = budget.isShort && found.size < count + MAX_MORE
      const isHeld = ({ located }: MergedEvent): boolean => mayHold && located.place === place
      const merged = [...found.values()]
      held = merged.filter(isHeld)
      const candidates = held.length > 0 ? merged.slice(0, -held.length) : merged
      last = candidates.at(-1)?.located ?? last
      hadCandidates = candidates.length > 0
      return candidates
    },
  }
}
