// Whether a client may ask more: its filters of all subscriptions, counts and reconciliations together have a bound, and memory may be short.
import { type HeapGuard, SHORT_OF_MEMORY } from '../memory/heap-guard.js'
import type { RelayLimits } from '../settings.js'

export interface FilterRoomParts {
  readonly heap: Pick<HeapGuard, 'isTight'>
  readonly limits: Pick<RelayLimits, 'maxFiltersPerConnection'>
  /** Filters of the connection that stay open beside the question. */
  readonly open: number
  /** Filters of the question. */
  readonly asked: number
}

/** The text for a question that is not taken now; to be found before any filter is read, which takes time and memory. */
export function refusalForMore({ heap, limits, open, asked }: FilterRoomParts): string | undefined {
  if (heap.isTight()) return SHORT_OF_MEMORY
  const most = limits.maxFiltersPerConnection
  return open + asked > most
    ? `rate-limited: more than ${most} filters in all subscriptions of this connection`
    : undefined
}
