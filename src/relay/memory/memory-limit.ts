// Limits the memory of all clients together: checked once a second, and at once after large growth.

/** A client, by its memory. */
export interface MemoryConsumer {
  /** About its memory in bytes. */
  footprint(): number
  /** About its bytes in Node's heap. Texts of events and messages lie outside. */
  heapBytes(): number
  drop(reason: string): void
}

export interface MemoryLimit {
  /** Reports growth. */
  grew(bytes: number): void
  /** Drops the largest clients when the total exceeds the limit. */
  check(): void
}

/** Share of the limit that may be added between two checks. */
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
  /** Limit of the total in bytes. */
  readonly most: number
  readonly sizeOf: (one: T) => number
  readonly reason: string
}

/** Drops the largest until the others hold at most `most` bytes together. */
export function dropLargest<T extends { drop(reason: string): void }>(all: Iterable<T>, bound: Bound<T>): void {
  let total = 0
  for (const one of all) total += bound.sizeOf(one)
  if (total > bound.most) dropMost(all, total - bound.most, bound)
}

interface HeapWanted {
  /** Bytes to free. */
  readonly bytes: number
  /** Clients with less are not dropped. */
  readonly least: number
  readonly reason: string
}

export interface Dropped {
  readonly clients: number
  readonly bytes: number
}

/** Drops the clients with the most heap until about `bytes` are free, or no client holds much. */
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
