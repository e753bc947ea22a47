// Matches among the staged events, newest first.

import type { TextCheck } from '../query/text-check.js'
import { isNewer, type Postings, PostingsWalk } from './postings.js'
import type { Staged } from './staged-event.js'

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
export function stagedMatches(lists: readonly Postings[], range: MatchRange): StagedMatches {
  const { check, kinds, oldest, count, now, indexed } = range
  const walks = createWalks(lists, range)
  const found: Staged[] = []
  let { room } = range
  let last: Staged | undefined
  for (let one = walks.next(); one !== undefined && one.keys.place >= oldest; one = walks.next()) {
    // An event with several requested tags comes from several lists in a row.
    if (one === last) continue
    if (found.length >= count || room <= 0) return { found, end: last }
    last = one
    if (isOtherKind(one, kinds)) {
      room -= SKIP_COST
      continue
    }
    room -= costOf(one)
    const { expires } = one.keys
    if (one.seq <= indexed || (expires !== undefined && expires <= now)) continue
    if (check(one.bytes, one.start, one.end)) found.push(one)
  }
  return { found, end: undefined }
}

/** Cost of a check: a text may have 128 kB. */
const costOf = ({ start, end }: Staged): number => 1 + (end - start) / COSTLY_BYTES
const COSTLY_BYTES = 2048
/** True when the kind excludes an event without a look at its text; only few kinds are compared. */
const isOtherKind = ({ keys }: Staged, kinds: readonly number[] | undefined): boolean =>
  kinds !== undefined && kinds.length <= FEW_KINDS && !kinds.includes(keys.kind)
const FEW_KINDS = 8
/** Cost of an event whose kind already excludes it. */
const SKIP_COST = 1 / 8

/** Merges the lists with a heap, so that many cost little more than one. */
function createWalks(lists: readonly Postings[], { newest, cut }: MatchRange): { next(): Staged | undefined } {
  const heap: PostingsWalk[] = []
  for (const list of lists) {
    const walk = new PostingsWalk(list, newest, cut)
    if (walk.head !== undefined) heap.push(walk)
  }
  for (let at = (heap.length >>> 1) - 1; at >= 0; at--) sink(heap, at)
  return {
    next() {
      const [top] = heap
      const one = top?.head
      if (top === undefined || one === undefined) return undefined
      top.advance()
      if (top.head === undefined) {
        const last = heap.pop()
        if (last !== undefined && heap.length > 0) heap[0] = last
      }
      if (heap.length > 1) sink(heap, 0)
      return one
    },
  }
}

function sink(heap: PostingsWalk[], from: number): void {
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

const isAhead = (a: PostingsWalk | undefined, b: PostingsWalk | undefined): boolean =>
  a?.head !== undefined && b?.head !== undefined && isNewer(a.head, b.head)
