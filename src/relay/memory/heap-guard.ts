// The heap, looked at once a second: before it is full no new subscriptions are taken, and the clients that hold much of
// it are disconnected: Node would end the process. A client that holds little is not disconnected: it would not help.

import type { Log } from '../ports.js'
import { freeHeap, type MemoryConsumer } from './memory-limit.js'

/** The heap of this process, as far as it is needed: without garbage. */
export interface HeapGauge {
  /** Bytes that there can be. */
  readonly limit: number
  /** The last measurement, after a full collection. */
  last(): { readonly used: number; readonly number: number } | undefined
  /** Measures now: takes some hundred milliseconds of a large heap. */
  measure(): { readonly used: number; readonly number: number }
}

export interface HeapGuard {
  /** No new subscriptions at the moment. */
  isTight(): boolean
  /** Once a second. */
  check(): void
}

/** What REQ, COUNT and NEG-OPEN are answered meanwhile. */
export const SHORT_OF_MEMORY = 'rate-limited: the relay is short of memory, try again later'

/** Of the limit: from where on nothing new is taken, and from where on clients are disconnected until it is so much again. */
const TIGHT = 0.6
const FULL = 0.75
/** Bytes of the heap that are worth a client's connection: so many, or this part of a small heap. */
const WORTH = 1_048_576
const WORTH_PART = 0.01
/** A quiet process does not collect by itself: while it is tight it is measured after so many seconds. */
const MEASURE_SECONDS = 3

interface HeapGuardParts {
  readonly heap: HeapGauge
  readonly clients: Iterable<MemoryConsumer>
  readonly log: Log
}

export function createHeapGuard({ heap, clients, log }: HeapGuardParts): HeapGuard {
  let isTight = false
  let isUnexplained = false
  let judged = 0
  let secondsOld = 0

  function judge(used: number): void {
    const wasTight = isTight
    isTight = used > heap.limit * TIGHT
    if (isTight && !wasTight) log.warn({ used, limit: heap.limit }, 'memory is short: no new subscriptions are taken')
    if (!isTight && wasTight) log.info({ used, limit: heap.limit }, 'there is memory again')
    if (used > heap.limit * FULL) free(used)
    else isUnexplained = false
  }

  function free(used: number): void {
    const bytes = used - heap.limit * TIGHT
    const least = Math.min(WORTH, heap.limit * WORTH_PART)
    const dropped = freeHeap(clients, { bytes, least, reason: 'the relay is short of memory' })
    const figures = { used, limit: heap.limit, dropped: dropped.clients, freed: dropped.bytes }
    if (dropped.clients > 0)
      log.warn(figures, 'memory is nearly full: the clients that hold the most were disconnected')
    if (dropped.bytes < bytes && !isUnexplained)
      log.error(figures, 'memory is nearly full of what no client holds; give the relay more memory, or restart it')
    isUnexplained = dropped.bytes < bytes
  }

  return {
    isTight: () => isTight,
    check() {
      secondsOld += 1
      const isStale = isTight && heap.last()?.number === judged && secondsOld >= MEASURE_SECONDS
      const measured = isStale ? heap.measure() : heap.last()
      if (measured === undefined || measured.number === judged) return
      judged = measured.number
      secondsOld = 0
      judge(measured.used)
    },
  }
}

/** Where nothing is known of the heap. */
export const NO_HEAP_GUARD: HeapGuard = { isTight: () => false, check: () => undefined }
