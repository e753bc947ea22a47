// Limits the filters of a client across subscriptions, counts and reconciliations, and refuses new ones while memory is short.
import { type HeapGuard, SHORT_OF_MEMORY } from '../memory/heap-guard.js'
import type { RelayLimits } from '../settings.js'

export interface FilterRoomParts {
  readonly heap: Pick<HeapGuard, 'isTight'>
  readonly limits: Pick<RelayLimits, 'maxFiltersPerConnection'>
  /** Other open filters of the connection. */
  readonly open: number
  /** Filters of the request. */
  readonly asked: number
}

/** The refusal of a request; undefined: none. Check it before parsing filters, which takes time and memory. */
export function refusalForMore({ heap, limits, open, asked }: FilterRoomParts): string | undefined {
  if (heap.isTight()) return SHORT_OF_MEMORY
  const most = limits.maxFiltersPerConnection
  return open + asked > most
    ? `rate-limited: more than ${most} filters in all subscriptions of this connection`
    : undefined
}
