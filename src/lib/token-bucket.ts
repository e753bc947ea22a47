// Rate limits that allow a burst and then an even flow: a token per event, refilled steadily (specification: invoicing, 4.6; relay, 12).
import type { MonotonicClock } from './rate-limiter.js'

const MINUTE = 60_000

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

/** What asks a limit that a setting may switch off. */
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
  /** What the token was taken for did not happen. */
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
