// Matches among the staged events, newest first.

import type { TextCheck } from '../query/plan.js'
import { BLOCK_TYPE, firstWhere, type PostingLists } from './postings.js'
import type { Staged, StagedEvents, StagedList } from './stage.js'

/** The requested part of the matches. */
interface MatchRange {
  readonly check: TextCheck
  /** Other kinds do not match; undefined: the check decides. */
  readonly kinds: readonly number[] | undefined
  /** Places, both included. */
  readonly newest: number
  readonly oldest: number
  /** At the newest place only numbers below this. */
  readonly cut: number
  /** Maximum number of matches. */
  readonly count: number
  /** Cost limit of the search: see `costOf`. */
  readonly room: number
  /** Epoch seconds; expired events do not match. */
  readonly now: number
  /** Events up to this number are in the tables. */
  readonly indexed: number
}

export interface StagedMatches {
  /** By place; at one place the higher numbers first. */
  readonly found: readonly Staged[]
  /** The last event visited; undefined at the end. */
  readonly end: Staged | undefined
}

/** The first matches in lists that contain them all. */
export function stagedMatches(lists: readonly StagedList[], range: MatchRange): StagedMatches {
  const { check, kinds, oldest, count, now, indexed } = range
  const heap = heapOf(lists, range)
  const found: Staged[] = []
  let { room } = range
  let last = NONE
  let lastOf: ListWalk['events'] | undefined
  let lastAt = NONE
  for (let walk = heap[0]; walk !== undefined && walk.place >= oldest; walk = next(heap)) {
    const { events, one, seq } = walk
    // An event with several requested tags comes from several lists in a row.
    if (seq === last) continue
    if (found.length >= count || room <= 0) return { found, end: lastOf?.view(lastAt) }
    last = seq
    lastOf = events
    lastAt = one
    if (isOtherKind(walk, kinds)) {
      room -= SKIP_COST
      continue
    }
    room -= costOf(walk)
    if (seq <= indexed || (events.columns.expires[one] as number) <= now) continue
    if (check(events.bytesOf(one), events.startOf(one), events.endOf(one))) found.push(events.view(one))
  }
  return { found, end: undefined }
}

/** Neither an event nor its number, nor a block. */
const NONE = -1
/** Cost of a check: a text may have 128 kB. */
const costOf = ({ events, one }: ListWalk): number => 1 + (events.endOf(one) - events.startOf(one)) / COSTLY_BYTES
const COSTLY_BYTES = 2048
/** True when the kind excludes an event without a look at its text; only few kinds are compared. */
const isOtherKind = ({ events, one }: ListWalk, kinds: readonly number[] | undefined): boolean =>
  kinds !== undefined && kinds.length <= FEW_KINDS && !kinds.includes(events.columns.kind[one] as number)
const FEW_KINDS = 8
/** Cost of an event whose kind already excludes it. */
const SKIP_COST = 1 / 8

/** The lists in a heap, so that many cost little more than one. */
function heapOf(lists: readonly StagedList[], { newest, cut }: MatchRange): ListWalk[] {
  const heap: ListWalk[] = []
  for (const list of lists) {
    const walk = new ListWalk(list, newest, cut)
    if (walk.one >= 0) heap.push(walk)
  }
  for (let at = (heap.length >>> 1) - 1; at >= 0; at--) sink(heap, at)
  return heap
}

/** Moves on by one event, and returns the list that has the next one. */
function next(heap: ListWalk[]): ListWalk | undefined {
  const [top] = heap
  if (top === undefined) return undefined
  top.advance()
  if (top.one < 0) {
    const last = heap.pop()
    if (last !== undefined && heap.length > 0) heap[0] = last
  }
  if (heap.length > 1) sink(heap, 0)
  return heap[0]
}

function sink(heap: ListWalk[], from: number): void {
  let at = from
  for (;;) {
    const left = 2 * at + 1
    const child = isAhead(heap[left + 1], heap[left]) ? left + 1 : left
    const [lower, upper] = [heap[child], heap[at]]
    if (lower === undefined || upper === undefined || !isAhead(lower, upper)) return
    heap[at] = lower
    heap[child] = upper
    at = child
  }
}

/** Later places come first, and at one place the higher numbers. */
const isAhead = (a: ListWalk | undefined, b: ListWalk | undefined): boolean =>
  a !== undefined && b !== undefined && (a.place > b.place || (a.place === b.place && a.seq > b.seq))

// A list of a stage for a reader: valid until the stage changes.

/** Walks a list from the newest event at or below a place to the oldest; at that place only numbers below `cut`. */
export class ListWalk {
  readonly events: StagedEvents
  /** The event that is next; -1 at the end. */
  one = NONE
  /** Its place and number. */
  place = Number.NEGATIVE_INFINITY
  seq = 0
  readonly #lists: PostingLists
  readonly #directory: number
  #chunkAt = NONE
  #chunk = NONE
  #at = NONE

  constructor({ events, list }: StagedList, top: number, cut: number) {
    const { lists } = events
    this.events = events
    this.#lists = lists
    this.#directory = list < 0 && lists.typeOf(~list) === BLOCK_TYPE.CHUNKS ? ~list : NONE
    if (list >= 0) {
      if (this.#isBelow(list, top, cut)) this.#moveTo(list)
      return
    }
    this.#chunk = this.#directory === NONE ? ~list : this.#firstChunk(top, cut)
    if (this.#chunk === NONE) return
    const isAbove = (at: number) => !this.#isBelow(lists.value(this.#chunk, at), top, cut)
    this.#at = firstWhere(lists.countOf(this.#chunk), isAbove) - 1
    if (this.#at >= 0) this.#moveTo(lists.value(this.#chunk, this.#at))
  }

  advance(): void {
    this.#at--
    if (this.#at < 0 && this.#chunkAt > 0) {
      this.#chunk = this.#lists.value(this.#directory, --this.#chunkAt)
      this.#at = this.#lists.countOf(this.#chunk) - 1
    }
    if (this.#at >= 0) this.#moveTo(this.#lists.value(this.#chunk, this.#at))
    else this.one = NONE
  }

  #moveTo(one: number): void {
    const { columns } = this.events
    this.one = one
    this.place = columns.place[one] as number
    this.seq = columns.seq[one] as number
  }

  /** The newest chunk with an event at or below the place. */
  #firstChunk(top: number, cut: number): number {
    const lists = this.#lists
    const directory = this.#directory
    const isAbove = (at: number) => !this.#isBelow(lists.value(lists.value(directory, at), 0), top, cut)
    this.#chunkAt = firstWhere(lists.countOf(directory), isAbove) - 1
    return this.#chunkAt < 0 ? NONE : lists.value(directory, this.#chunkAt)
  }

  #isBelow(one: number, top: number, cut: number): boolean {
    const { place, seq } = this.events.columns
    const of = place[one] as number
    return of < top || (of === top && (seq[one] as number) < cut)
  }
}
