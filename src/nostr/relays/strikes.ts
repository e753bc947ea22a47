// What a lying relay earns: points that fade with time; with too many it is left alone for a while, longer each time. Pure.
import type { RelayClock } from './ports.js'

/** The faults of a relay and what each weighs. */
const FAULT_WEIGHT = {
  /** A frame that is no relay message, or an EVENT that is no event. */
  unreadable: 2,
  /** An event for a subscription, kind or key that was not asked for. */
  unasked: 2,
  /** More pings, notices or challenges than anybody needs. */
  flood: 2,
  /** The id of an event is not its hash. */
  'false-id': 10,
  /** Found by who opened the envelope: the signature is not of the author. */
  forgery: 10,
  /** A frame over the cap; the connection ended with it. */
  oversize: 25,
  /** A question was never answered. */
  silent: 25,
  /** It does not read what we send. */
  unread: 25,
} as const

export type Fault = keyof typeof FAULT_WEIGHT

const LIMIT = 100
const FADE_MS_PER_POINT = 6000
const SHUN_MS = 600_000
const SHUN_MOST_MS = 7_200_000
/** After this long without being shunned again the next time is short again. */
const FORGET_MS = 86_400_000

export interface Strikes {
  /** True when this was one too many: the relay is shunned from now on. */
  add(fault: Fault): boolean
  /** By the clock that is never set; in the past when the relay is not shunned. */
  shunnedUntil(): number
  /** Faults counted since the start. */
  total(): number
}

export function createStrikes(clock: Pick<RelayClock, 'monotonic'>): Strikes {
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
