// Caches one price source: one request for all currencies, and none while the source's rate limit applies.
import { backoff } from '../lib/backoff.js'
import { priceUnavailable } from './errors.js'
import { AskedToWait, type RateFeed } from './sources.js'

export interface KnownRate {
  readonly rate: string
  readonly source: string
  /** Written down by the operator. */
  readonly isFixed: boolean
  /** Monotonic milliseconds of its request. */
  readonly at: number
}

/** After "too many requests": 30 s, doubling, at most ten minutes. */
const WAIT_MS = 30_000
const WAIT_MOST_MS = 600_000

export interface SourceMemory {
  readonly isFixed: boolean
  /** The cached price, if at most `seconds` old; 0: none. */
  remembered(currency: string, seconds: number): KnownRate | undefined
  /** Rejects with RATE_UNAVAILABLE. Concurrent callers share one request. */
  ask(currency: string): Promise<KnownRate>
  /** Monotonic time of the last failure, if no success followed; else below zero. */
  failedAt(): number
}

export function createSourceMemory(
  source: RateFeed,
  currencies: readonly string[],
  clock: { monotonic(): number },
): SourceMemory {
  const known = new Map<string, KnownRate>()
  let asking: Promise<void> | undefined
  let refusals = 0
  let waitUntil = Number.NEGATIVE_INFINITY
  let failedAt = Number.NEGATIVE_INFINITY

  async function fetchAll(): Promise<void> {
    const seconds = Math.ceil((waitUntil - clock.monotonic()) / 1000)
    if (seconds > 0) throw priceUnavailable(`${source.name} asked us to wait; next try in ${seconds} s`)
    try {
      const at = clock.monotonic()
      for (const [currency, rate] of await source.fetch(currencies))
        known.set(currency, { rate, at, source: source.name, isFixed: source.isFixed })
      refusals = 0
      failedAt = Number.NEGATIVE_INFINITY
    } catch (thrown) {
      failedAt = clock.monotonic()
      if (!(thrown instanceof AskedToWait)) throw thrown
      refusals++
      waitUntil = clock.monotonic() + backoff(refusals, WAIT_MS, WAIT_MOST_MS)
      throw priceUnavailable(`${source.name} answered ${thrown.message}`)
    }
  }

  return {
    isFixed: source.isFixed,
    remembered(currency, seconds) {
      const entry = known.get(currency)
      return entry && seconds > 0 && clock.monotonic() - entry.at <= seconds * 1000 ? entry : undefined
    },
    async ask(currency) {
      const before = known.get(currency)
      asking ??= fetchAll().finally(() => {
        asking = undefined
      })
      await asking
      const entry = known.get(currency)
      if (entry === undefined || entry === before) throw priceUnavailable(`${source.name} has no price in ${currency}`)
      return entry
    },
    failedAt: () => failedAt,
  }
}
