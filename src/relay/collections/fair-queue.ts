// Whose turn is next, by fair queueing: each connection is charged what it costs, and the one whose next piece of work would end first if all of them
// shared the processor evenly goes first. A connection that asks for little passes hundreds that ask for much, and no connection starves.

/** One connection in one line. Made by the line's user, who keeps it as long as the connection has work. */
export interface Flow {
  /** Virtual milliseconds up to which it was served. */
  served: number
}

interface Place<T> {
  readonly one: T
  readonly tag: number
  /** Of equal tags the first comes first. */
  readonly number: number
}

export interface FairQueue<T extends Flow> {
  /** Stands in line with work of about so many milliseconds. Who stands there already is not to be pushed again. */
  push(one: T, expected: number): void
  /** Who is next. */
  shift(): T | undefined
  /** It was served, and is charged so many milliseconds. `passed`: how many that took of the others' time. */
  charge(one: T, milliseconds: number, passed?: number): void
  readonly length: number
}

export function createFairQueue<T extends Flow>(): FairQueue<T> {
  /** A binary heap, the smallest tag at the front. */
  const heap: Place<T>[] = []
  /** Virtual time: what a connection would have been served by now that waited all along. */
  let now = 0
  let pushed = 0

  function rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!swapUnordered(parent, at)) return
      at = parent
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = right < heap.length && isBefore(heap[right], heap[left]) ? right : left
      if (least >= heap.length || !swapUnordered(at, least)) return
      at = least
    }
  }

  /** False: they were in order. */
  function swapUnordered(parent: number, child: number): boolean {
    const [upper, lower] = [heap[parent], heap[child]]
    if (!upper || !lower || !isBefore(lower, upper)) return false
    heap[parent] = lower
    heap[child] = upper
    return true
  }

  return {
    push(one, expected) {
      one.served = Math.max(one.served, now)
      heap.push({ one, tag: one.served + expected, number: pushed++ })
      rise(heap.length - 1)
    },
    shift() {
      const [first] = heap
      const last = heap.pop()
      if (!first || !last) return undefined
      if (heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first.one
    },
    charge(one, milliseconds, passed = milliseconds) {
      one.served = Math.max(one.served, now) + milliseconds
      now += passed / (heap.length + 1)
    },
    get length() {
      return heap.length
    },
  }
}

const isBefore = <T>(a: Place<T> | undefined, b: Place<T> | undefined): boolean =>
  a !== undefined && b !== undefined && (a.tag < b.tag || (a.tag === b.tag && a.number < b.number))
