// Watches the heap once a second. Before it is full the relay refuses new subscriptions, then disconnects the clients that hold most of it;
// otherwise Node would end the process. Small clients stay, because dropping them would not help.
import type { Log } from '../../lib/ports.js'
import { freeHeap, type MemoryConsumer } from './memory-limit.js'

/** Measurements of the heap of this process, without garbage. */
export interface HeapGauge {
  /** Limit in bytes. */
  readonly limit: number
  /** The last measurement after a full collection. */
  last(): { readonly used: number; readonly number: number } | undefined
  /** Measures now, which takes some hundred milliseconds for a large heap. */
  measure(): { readonly used: number; readonly number: number }
}

export interface HeapGuard {
  /** True: the relay accepts no new subscriptions. */
  isTight(): boolean
  /** Once a second. */
  check(): void
}

/** The answer to REQ, COUNT and NEG-OPEN meanwhile. */
export const SHORT_OF_MEMORY = 'rate-limited: the relay is short of memory, try again later'

/** Shares of the limit: from the first, new subscriptions are refused; from the second, clients are dropped down to the first. */
const TIGHT = 0.6
const FULL = 0.75
/** A client is dropped only for this many bytes of heap, or this share of a small heap. */
const WORTH = 1_048_576
const WORTH_PART = 0.01
/** An idle process does not collect by itself, so it is measured after this many seconds while memory is short. */
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
    if (isTight && !wasTight) log.warn({ used, limit: heap.limit }, 'memory is short: new subscriptions are refused')
    if (!isTight && wasTight) log.info({ used, limit: heap.limit }, 'memory is sufficient again')
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
      log.error(figures, 'memory is nearly full of what no client holds: give the relay more memory, or restart it')
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

/** For processes without heap measurements. */
export const NO_HEAP_GUARD: HeapGuard = { isTight: () => false, check: () => undefined }

// Collects garbage after a burst of connections. Node collects only under load: a relay whose clients all came at once and then stay quiet would
// retain half as much memory again per client.

/** New connections that justify the pause of a collection. */
const CONNECTIONS_WORTH = 1000
/** Seconds without a new connection and with few messages. */
const QUIET_SECONDS = 15
const MOST_MESSAGES = 20

export interface Activity {
  /** Since the start. */
  readonly connected: number
  readonly messages: number
}

/** Call the result once a second with the activity. It calls `collect` once after each burst, when the relay is quiet. */
export function createGcAfterBurst(collect: () => void): (activity: Activity) => void {
  let last: Activity = { connected: 0, messages: 0 }
  let tidied = 0
  let quietSeconds = 0

  return (activity) => {
    const isQuiet = activity.connected === last.connected && activity.messages - last.messages <= MOST_MESSAGES
    quietSeconds = isQuiet ? quietSeconds + 1 : 0
    last = activity
    if (quietSeconds < QUIET_SECONDS || activity.connected - tidied < CONNECTIONS_WORTH) return
    tidied = activity.connected
    collect()
  }
}
