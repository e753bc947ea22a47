// Counts faults of a relay as points that decay over time. With too many it is shunned for a while, longer each time. Pure.
import type { Clock } from '../../lib/ports.js'

/** The faults of a relay and what each weighs. */
const FAULT_WEIGHT = {
  /** A frame that is no relay message, or an EVENT that is no event. */
  unreadable: 2,
  /** An event for an unknown subscription, kind or key. */
  unasked: 2,
  /** Too many pings, notices or challenges. */
  flood: 2,
  /** The id of an event is not its hash. */
  'false-id': 10,
  /** The opener of the gift wrap found an invalid signature. */
  forgery: 10,
  /** A frame above the limit, which ends the connection. */
  oversize: 25,
  /** A missing response. */
  silent: 25,
  /** The relay does not read its socket. */
  unread: 25,
} as const

export type Fault = keyof typeof FAULT_WEIGHT

const LIMIT = 100
const FADE_MS_PER_POINT = 6000
const SHUN_MS = 600_000
const SHUN_MOST_MS = 7_200_000
/** After this time without a fault limit reached, the next shunning is short again. */
const FORGET_MS = 86_400_000

export interface Strikes {
  /** True if this fault exceeds the limit: the relay is shunned from now on. */
  add(fault: Fault): boolean
  /** Monotonic time; in the past if the relay is not shunned. */
  shunnedUntil(): number
  /** Faults counted since the start. */
  total(): number
}

export function createStrikes(clock: Pick<Clock, 'monotonic'>): Strikes {
  let points = 0
  let countedAt = clock.monotonic()
  let total = 0
  let until = 0
  let shunMs = SHUN_MS

  function shun(now: number): void {
    if (until > 0 && now - until > FORGET_MS) shunMs = SHUN_MS
    until = now + shunMs
    shunMs = Math.min(shunMs * 2, SHUN_MOST_MS)
    points = 0
  }

  return {
    add(fault) {
      const now = clock.monotonic()
      points = Math.max(0, points - (now - countedAt) / FADE_MS_PER_POINT) + FAULT_WEIGHT[fault]
      countedAt = now
      total++
      if (points <= LIMIT || until > now) return false
      shun(now)
      return true
    },
    shunnedUntil: () => until,
    total: () => total,
  }
}
