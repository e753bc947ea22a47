// Matches among the staged events, newest first.

import type { TextCheck } from '../query/text-check.js'
import type { Staged } from './staged-event.js'
import { ListWalk, type StagedList } from './staged-list.js'

/** The requested part of the matches. */
export interface MatchRange {
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

/** Not the number of an event. */
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
