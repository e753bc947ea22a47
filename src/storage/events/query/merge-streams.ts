// Several lists of located events as one, each event once and with all whose match it may be.
import { byNumber, type LocatedEvent, type LocatedRows } from './located-rows.js'
import type { TextCheck } from './text-check.js'

/** One filter's share in the answer. */
export interface FilterShare {
  readonly check: TextCheck | undefined
  /** How many of its matches are still to come. */
  left: number
}

/** Some of the matches of a filter. */
export interface MatchStream {
  readonly share: FilterShare
  readonly rows: LocatedRows
}

/** An event, and whose match it may be. */
export interface MergedEvent {
  readonly located: LocatedEvent
  readonly shares: FilterShare[]
}

export interface Merge {
  readonly isDone: boolean
  /**
   * The next `count`, newest first; more when the last place holds more, fewer when more has to be read first or nothing is left. Of one place the
   * higher numbers come first.
   */
  take(count: number): readonly MergedEvent[]
}

/** Statements of one call: each may search a table two thousand times. */
const MAX_READS = 2
/** Places that one of them finds, when so many matches are still wanted: the next would make all these searches again. */
const PLACES_AT_ONCE = 256
/** Events of one place beyond the count: only somebody who seeks such ids finds so many. */
const MAX_MORE = 64

interface Budget {
  reads: number
}

/** Whether its next event, or its end, is known now. Reads as far as the budget goes. */
function isKnown({ share, rows }: MatchStream, budget: Budget, count: number): boolean {
  while (rows.head === undefined && !rows.isDone) {
    if (budget.reads-- <= 0) return false
    // One more than wanted, or the end of this call would ask for the next ones already.
    rows.read(Math.max(count, Math.min(share.left, PLACES_AT_ONCE)) + 1)
  }
  return true
}

const isEarlier = (head: LocatedEvent | undefined, best: LocatedEvent | undefined): boolean =>
  head !== undefined && (best === undefined || byNumber(head, best) < 0)

const isOver = ({ share, rows }: MatchStream): boolean => share.left <= 0 || rows.isDone

export function createMerge(all: readonly MatchStream[]): Merge {
  let streams = all
  /** All streams before this one are over: of hundreds of filters most have no match, and each is to be looked at once. */
  let first = 0
  /** The last one of the call before may come again from another stream. */
  let last: LocatedEvent | undefined
  /** Then filters may have all that they want. */
  let hadCandidates = false

  function prune(): void {
    streams = streams.filter((stream) => !isOver(stream))
    first = 0
    hadCandidates = false
  }

  /** The stream whose event is next; undefined: there is none, or it is not known yet. */
  function nextStream(budget: Budget, count: number): MatchStream | undefined {
    let best: MatchStream | undefined
    for (let at = first; at < streams.length; at++) {
      const stream = streams[at]
      if (!stream || !isKnown(stream, budget, count)) return undefined
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

  return {
    get isDone() {
      if (hadCandidates) prune()
      for (let stream = streams[first]; stream && isOver(stream); stream = streams[first]) first++
      return first >= streams.length
    },
    take(count) {
      const found = new Map<number, MergedEvent>()
      const budget = { reads: MAX_READS }
      let place = Number.POSITIVE_INFINITY
      for (let next = nextStream(budget, count); next !== undefined; next = nextStream(budget, count)) {
        const nextPlace = next.rows.head?.place ?? place
        if (found.size >= count && (nextPlace !== place || found.size >= count + MAX_MORE)) break
        place = nextPlace
        add(found, next)
      }
      const candidates = [...found.values()]
      last = candidates.at(-1)?.located ?? last
      hadCandidates = candidates.length > 0
      return candidates
    },
  }
}
