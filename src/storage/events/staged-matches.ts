// The matches among the staged events, newest first.
import { isNewer, type Postings, Walk } from './postings.js'
import type { Staged } from './stage.js'
import type { TextCheck } from './text-check.js'

/** Which of the matches are wanted. */
export interface Wanted {
  readonly check: TextCheck
  /** Places, both included. */
  readonly newest: number
  readonly oldest: number
  /** Of the newest place only numbers below this. */
  readonly cut: number
  /** How many; those of the last one's place come all, so that the answer may be longer. */
  readonly count: number
  /** Epoch seconds: what has expired is no match. */
  readonly now: number
  /** Events up to this number are found in the tables. */
  readonly indexed: number
}

/** The first of the matches in lists that hold them all. */
export function stagedMatches(lists: readonly Postings[], wanted: Wanted): readonly Staged[] {
  const { check, newest, oldest, cut, count, now, indexed } = wanted
  const walks = createWalks(lists, newest)
  const found: Staged[] = []
  let last: Staged | undefined
  for (let one = walks.next(); one !== undefined && one.keys.place >= oldest; one = walks.next()) {
    if (found.length >= count && one.keys.place !== last?.keys.place) break
    const { expires } = one.keys
    // An event is in several lists when several of its tags are asked for; then it comes from them in a row.
    if (one === last || one.seq <= indexed || (expires !== undefined && expires <= now)) continue
    if (one.keys.place === newest && one.seq >= cut) continue
    if (!check(one.bytes, one.start, one.end)) continue
    found.push(one)
    last = one
  }
  return found
}

/** The lists as one; a heap, so that many of them cost little more than one. */
function createWalks(lists: readonly Postings[], newest: number): { next(): Staged | undefined } {
  const heap: Walk[] = []
  for (const list of lists) {
    const walk = new Walk(list, newest)
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

function sink(heap: Walk[], from: number): void {
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

const isAhead = (a: Walk | undefined, b: Walk | undefined): boolean =>
  a?.head !== undefined && b?.head !== undefined && isNewer(a.head, b.head)
