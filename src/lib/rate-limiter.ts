// Rate limits. A fixed window opens again at the full minute (specification: invoicing, 2.12), a sliding window frees one place at a time
// (specification: names, 4), and a token bucket allows a burst and then an even flow (specification: invoicing, 4.6; relay, 12). All count
// in memory, by the monotonic clock, and bound how many keys they know.

export interface MonotonicClock {
  /** Milliseconds since some moment; never set, never back. */
  monotonic(): number
}

export interface WindowTerms {
  readonly limit: number
  readonly windowMs: number
  /** Keys counted at once, default 10,000. Beyond it the limiter forgets the oldest: a flood of keys must not use up the memory, nor the share of others. */
  readonly maxKeys?: number
}

export interface RateLimiter {
  /** Counts `weight` for the key and answers 0. Over the limit it counts nothing and answers the milliseconds until the key may ask again. */
  delayMs(key?: string, weight?: number): number
}

export interface SlidingWindow extends RateLimiter {
  /** `delayMs` as a yes or no: counts one, unless the key is over the limit. */
  take(key: string): boolean
  /** Keys counted now. */
  size(): number
}

const MINUTE = 60_000
const MAX_KEYS = 10_000

/** Forgets the key that stands first, once `size` is over the bound. */
function forgetOldest(keys: Map<string, unknown>, bound: number): void {
  const [oldest] = keys.size > bound ? keys.keys() : []
  if (oldest !== undefined) keys.delete(oldest)
}

/** Windows of the clock, the same for all keys: `limit` in each, then nothing until the next one begins. */
export function createFixedWindow(
  { limit, windowMs, maxKeys = MAX_KEYS }: WindowTerms,
  clock: MonotonicClock,
): RateLimiter {
  let window = Number.NaN
  const counts = new Map<string, number>()
  return {
    delayMs(key = '', weight = 1) {
      const now = clock.monotonic()
      const current = Math.floor(now / windowMs)
      if (current !== window) counts.clear()
      window = current
      const count = (counts.get(key) ?? 0) + weight
      if (count > limit) return (current + 1) * windowMs - now
      counts.set(key, count)
      forgetOldest(counts, maxKeys)
      return 0
    },
  }
}

/**
 * A minute that begins with the first event after the last minute. The answered function counts one and says whether the minute holds
 * more than `most`: for one peer that is dropped then, so nothing asks when it may come back.
 */
export function createMinuteLimit(most: number, clock: MonotonicClock): (weight?: number) => boolean {
  let [count, since] = [0, clock.monotonic()]
  return (weight = 1) => {
    if (clock.monotonic() - since > MINUTE) [count, since] = [0, clock.monotonic()]
    count += weight
    return count > most
  }
}

/** At most `limit` in each stretch of `windowMs`, exactly. Keys stand in the order of their last granted request; silent ones leave as new ones come. */
export function createSlidingWindow(
  { limit, windowMs, maxKeys = MAX_KEYS }: WindowTerms,
  clock: MonotonicClock,
): SlidingWindow {
  const granted = new Map<string, Times>()

  /** Two per new key: the map shrinks again after a flood, and no request pays for all of it. */
  function forgetSilent(now: number): void {
    for (let at = 0; at < 2; at++) {
      const [oldest] = granted
      if (!oldest) return
      dropUntil(oldest[1], now - windowMs)
      if (oldest[1].count > 0) return
      granted.delete(oldest[0])
    }
  }

  function delayMs(key = ''): number {
    const now = clock.monotonic()
    const known = granted.get(key)
    if (!known) forgetSilent(now)
    const times = known ?? noTimes()
    dropUntil(times, now - windowMs)
    if (times.count >= limit) return (oldestOf(times) ?? now) + windowMs - now
    addTime(times, now)
    granted.delete(key)
    granted.set(key, times)
    forgetOldest(granted, maxKeys)
    return 0
  }

  return { delayMs, take: (key) => delayMs(key) === 0, size: () => granted.size }
}

/** Times in the order in which they came, in a ring whose length is a power of two: an array that grows among young objects is copied again and again. */
export interface Times {
  ring: Float64Array
  first: number
  count: number
}

const FIRST_LENGTH = 8

export const noTimes = (): Times => ({ ring: new Float64Array(FIRST_LENGTH), first: 0, count: 0 })

export const oldestOf = ({ ring, first, count }: Times): number | undefined => (count > 0 ? ring[first] : undefined)

export function addTime(times: Times, time: number): void {
  if (times.count === times.ring.length) grow(times)
  times.ring[(times.first + times.count) & (times.ring.length - 1)] = time
  times.count += 1
}

/** Drops the times up to `until`, inclusive. */
export function dropUntil(times: Times, until: number): void {
  while (times.count > 0 && (times.ring[times.first] ?? 0) <= until) {
    times.first = (times.first + 1) & (times.ring.length - 1)
    times.count -= 1
  }
}

function grow(times: Times): void {
  const { ring, first } = times
  times.ring = new Float64Array(2 * ring.length)
  times.ring.set(ring.subarray(first))
  times.ring.set(ring.subarray(0, first), ring.length - first)
  times.first = 0
}

export interface BucketTerms {
  readonly perMinute: number
  /** Tokens of a full bucket; a minute's worth without it. */
  readonly burst?: number
}

/** Full at first. A class: the relay makes three per connection and asks one per message. */
export class TokenBucket {
  readonly #clock: MonotonicClock
  readonly #msPerToken: number
  readonly #burst: number
  #tokens: number
  #since: number

  constructor({ perMinute, burst = perMinute }: BucketTerms, clock: MonotonicClock) {
    this.#clock = clock
    this.#msPerToken = MINUTE / perMinute
    this.#burst = burst
    this.#tokens = burst
    this.#since = clock.monotonic()
  }

  /** What the bucket holds now; below 1 its owner has to wait. */
  tokens(now = this.#clock.monotonic()): number {
    return Math.min(this.#burst, this.#tokens + (now - this.#since) / this.#msPerToken)
  }

  /** Takes one token if there is one. */
  take(): boolean {
    const now = this.#clock.monotonic()
    const tokens = this.tokens(now)
    if (tokens < 1) return false
    this.#tokens = tokens - 1
    this.#since = now
    return true
  }

  /** Adds tokens, or takes them with a negative `by`; never more than the bucket holds. */
  change(by: number): void {
    const now = this.#clock.monotonic()
    this.#tokens = Math.min(this.#burst, this.tokens(now) + by)
    this.#since = now
  }

  /** Milliseconds until there is a whole token, rounded up; 0 when there is one. */
  waitMs(): number {
    return Math.max(0, Math.ceil((1 - this.tokens()) * this.#msPerToken))
  }
}

/** A limit of messages that a setting may switch off. */
export type MessageBudget = Pick<TokenBucket, 'take'>

const UNLIMITED: MessageBudget = { take: () => true }

/** `perMinute` undefined: no limit. */
export const openMessageBudget = (perMinute: number | undefined, clock: MonotonicClock): MessageBudget =>
  perMinute === undefined ? UNLIMITED : new TokenBucket({ perMinute }, clock)

export interface TokenBuckets {
  tokensOf(key: string): number
  /** Milliseconds until the key has a whole token; 0 when it has one. */
  waitMs(key: string): number
  take(key: string): void
  /** Returns a token whose event did not happen. */
  giveBack(key: string): void
}

/** The map is swept of full buckets when it holds this many. */
const SWEEP_AT = 2000

/** One bucket per key. The map is bounded by the keys used within the refill of a burst: a full bucket need not be known. */
export function createTokenBuckets(terms: Required<BucketTerms>, clock: MonotonicClock): TokenBuckets {
  const buckets = new Map<string, TokenBucket>()
  let sweepAt = SWEEP_AT

  function change(key: string, by: number): void {
    const bucket = buckets.get(key) ?? new TokenBucket(terms, clock)
    buckets.set(key, bucket)
    bucket.change(by)
    if (buckets.size < sweepAt) return
    for (const [known, other] of buckets) if (other.tokens() >= terms.burst) buckets.delete(known)
    sweepAt = Math.max(SWEEP_AT, buckets.size * 2)
  }

  return {
    tokensOf: (key) => buckets.get(key)?.tokens() ?? terms.burst,
    waitMs: (key) => buckets.get(key)?.waitMs() ?? 0,
    take: (key) => change(key, -1),
    giveBack: (key) => change(key, 1),
  }
}
