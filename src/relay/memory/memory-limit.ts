// What all clients together take of the memory: looked at once a second, and at once when much was added since.

/** A client. */
export interface MemoryConsumer {
  /** About what it takes, in bytes. */
  footprint(): number
  /** Of those, the bytes in the heap of Node; the others, texts of events and messages, lie outside. */
  heapBytes(): number
  drop(reason: string): void
}

export interface MemoryLimit {
  /** Somebody takes so many bytes more. */
  grew(bytes: number): void
  /** Drops who takes the most, when all together take too much. */
  check(): void
}

/** Of the ceiling, what may be added between two looks. */
const PART = 1 / 8

export function createMemoryLimit(most: number, all: Iterable<MemoryConsumer>): MemoryLimit {
  let added = 0

  function check(): void {
    added = 0
    dropLargest(all, { most, sizeOf: (one) => one.footprint(), reason: 'all clients together take too much memory' })
  }

  return {
    grew(bytes) {
      added += bytes
      if (added > most * PART) check()
    },
    check,
  }
}

interface Bound<T> {
  /** Bytes of all together. */
  readonly most: number
  readonly sizeOf: (one: T) => number
  readonly reason: string
}

/** Drops those with the most until the others have no more than `most` together. */
export function dropLargest<T extends { drop(reason: string): void }>(all: Iterable<T>, bound: Bound<T>): void {
  let total = 0
  for (const one of all) total += bound.sizeOf(one)
  if (total > bound.most) dropMost(all, total - bound.most, bound)
}

interface HeapWanted {
  /** Bytes that are to become free. */
  readonly bytes: number
  /** Who holds less is left alone. */
  readonly least: number
  readonly reason: string
}

export interface Dropped {
  readonly clients: number
  readonly bytes: number
}

/** Drops those with the most of the heap until about so many bytes of it are free, or no client holds much. */
export const freeHeap = (all: Iterable<MemoryConsumer>, { bytes, least, reason }: HeapWanted): Dropped =>
  dropMost(all, bytes, { sizeOf: (one) => one.heapBytes(), least, reason })

function dropMost<T extends { drop(reason: string): void }>(
  all: Iterable<T>,
  bytes: number,
  { sizeOf, least = 1, reason }: Omit<Bound<T>, 'most'> & { readonly least?: number },
): Dropped {
  const sized = [...all].map((one) => ({ one, bytes: sizeOf(one) })).sort((a, b) => b.bytes - a.bytes)
  let [free, clients] = [0, 0]
  for (const each of sized) {
    if (free >= bytes || each.bytes < least) break
    each.one.drop(reason)
    free += each.bytes
    clients += 1
  }
  return { clients, bytes: free }
}
