// The live heap of this process. Only a full collection measures it: between collections garbage counts as used.
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export interface Heap {
  /** Bytes; beyond it Node ends the process. */
  readonly limit: number
  /** The last measurement, after a full collection; undefined before the first one. */
  last(): HeapMeasurement | undefined
  /** Collects now, and measures: some hundred milliseconds of a large heap. */
  measure(): HeapMeasurement
  /** Stops measuring. Idempotent. */
  close(): void
}

interface HeapMeasurement {
  /** Bytes in use. */
  readonly used: number
  /** Counts the measurements. */
  readonly number: number
}

/** Bytes; as `--max-old-space-size` says, else what Node makes of the machine's memory or of its control group. */
export const heapLimit = (): number => getHeapStatistics().heap_size_limit

/** Measures after each full collection of this thread until it is closed. */
export function watchHeap(): Heap {
  let last: HeapMeasurement | undefined
  const take = (): HeapMeasurement => {
    last = { used: getHeapStatistics().used_heap_size, number: (last?.number ?? 0) + 1 }
    return last
  }
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isFull)) take()
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    limit: heapLimit(),
    last: () => last,
    measure() {
      collectGarbage()
      return take()
    },
    close: () => observer.disconnect(),
  }
}

function isFull(entry: PerformanceEntry): boolean {
  const detail: unknown = 'detail' in entry ? entry.detail : undefined
  if (typeof detail !== 'object' || detail === null || !('kind' in detail)) return false
  return detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
}

// Giving memory back. Node does it by itself only under load: a quiet process or thread keeps the room that reading its modules
// took, and that of its busiest hour.
/** How long nothing must have happened for the engine to give room back, and not only to collect, in milliseconds. */
export const QUIET_MS = 15_000

/** Collects all garbage of this thread: up to 50 ms. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc') // in contexts that are made from now on
  const collect: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}

/**
 * Lets the old generation grow to three times what was alive after the last full collection. By itself Node collects it all when it has grown by
 * some 7 MB, which a relay at 1,000 events a second does every two to four seconds, for 20 ms.
 */
export const collectSeldom = (): void => setFlagsFromString('--heap-growing-percent=200')
