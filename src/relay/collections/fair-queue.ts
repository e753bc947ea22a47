// Fair queueing: each connection is charged for what it costs. Next comes the one whose work would finish first if all shared the processor evenly.
// A connection with little work overtakes hundreds with much, and no connection starves.

/** A connection in one queue. The user of the queue creates it, and keeps it while the connection has work. */
export interface Flow {
  /** The virtual time, in milliseconds, up to which the connection was served. */
  served: number
}

interface Place<T> {
  readonly one: T
  readonly tag: number
  /** Breaks ties of tags: first in, first out. */
  readonly number: number
}

export interface FairQueue<T extends Flow> {
  /** Enqueues a connection with about `expected` milliseconds of work. It must not be queued already. */
  push(one: T, expected: number): void
  /** Takes out the next connection. */
  shift(): T | undefined
  /** Charges a served connection. `passed`: by how much the virtual time of the others advances. */
  charge(one: T, milliseconds: number, passed?: number): void
  readonly length: number
}

export function createFairQueue<T extends Flow>(): FairQueue<T> {
  /** A binary heap, the smallest tag at the front. */
  const heap: Place<T>[] = []
  /** Virtual time: up to where a connection would be served now that waited all along. */
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

  /** False when they were in order. */
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
