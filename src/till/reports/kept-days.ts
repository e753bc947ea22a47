// Tallies of days that are over, kept in memory: a confirmed payment stays confirmed, so such a day changes only when a payment of it is
// assigned to an invoice. Of a day that is not over the part is kept to which nothing more is added.
import { createSetClockNotice } from '../../lib/steady-clock.js'
import type { Tally } from './tally.js'

/** A payment is stored this long after the moment it is stored with, at the most. */
const SETTLED_MS = 60_000
/** Of all zones together: about 3 KB each. */
const MOST_PARTS = 2000

/** What was confirmed at or after `start`, before `end`. */
export interface KeptPart {
  readonly start: number
  readonly end: number
  /** Undefined: days without a payment. */
  readonly content?: { readonly day: number; readonly tally: Tally }
  /** It ends where a day ends. */
  readonly isWhole: boolean
}

interface Clock {
  now(): number
  monotonic(): number
}

/** The parts of one zone, as long as one report is made. */
export interface KeptZone {
  /** Nothing more is added to what was confirmed before this moment. */
  readonly settledAt: number
  get(start: number): KeptPart | undefined
  keep(part: KeptPart): void
}

export function createKeptDays(clock: Clock) {
  const parts = new Map<string, KeptPart>()
  const wasSet = createSetClockNotice(clock)
  let changes = 0

  return {
    open(zone: string): KeptZone {
      if (wasSet()) parts.clear() // what was over by a clock that was ahead may not be over
      const settledAt = clock.now() - SETTLED_MS
      const changesBefore = changes
      const keyOf = (start: number): string => `${zone} ${start}`
      return {
        settledAt,
        get: (start) => parts.get(keyOf(start)),
        keep(part) {
          // Read before the change, perhaps.
          if (changes !== changesBefore || part.end > settledAt) return
          parts.delete(keyOf(part.start))
          parts.set(keyOf(part.start), part)
          const [oldest = ''] = parts.keys()
          if (parts.size > MOST_PARTS) parts.delete(oldest)
        },
      }
    },
    /** A payment that was confirmed at this moment counts in another way from now on. */
    forget(confirmedAt: number): void {
      changes += 1
      for (const [key, { start, end }] of parts) if (start <= confirmedAt && confirmedAt < end) parts.delete(key)
    },
  }
}
