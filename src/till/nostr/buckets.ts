// How often each receiving key is unwrapped: a token per unwrap, refilled steadily (specification: invoicing, 4.6).

export interface BucketTerms {
  readonly perMinute: number
  readonly burst: number
}

export interface Buckets {
  /** What the key has; below 1 it has to wait. */
  tokensOf(key: string): number
  /** Milliseconds until the key has a whole token; 0 when it has one. */
  waitMs(key: string): number
  take(key: string): void
  /** The unwrap did not happen, or was the relay's fault. */
  giveBack(key: string): void
}

interface Level {
  readonly tokens: number
  readonly at: number
}

const MINUTE = 60_000
/** Full buckets are forgotten when this many are kept. */
const SWEEP_AT = 2000

/** One bucket per key, full at first. What is kept is bounded by the keys used within the last burst's refill. */
export function createBuckets({ perMinute, burst }: BucketTerms, clock: { monotonic(): number }): Buckets {
  const levels = new Map<string, Level>()
  const msPerToken = MINUTE / perMinute
  let sweepAt = SWEEP_AT

  function tokensOf(key: string): number {
    const level = levels.get(key)
    return level ? Math.min(burst, level.tokens + Math.max(0, clock.monotonic() - level.at) / msPerToken) : burst
  }

  function change(key: string, by: number): void {
    levels.set(key, { tokens: Math.min(burst, tokensOf(key) + by), at: clock.monotonic() })
    if (levels.size < sweepAt) return
    for (const known of [...levels.keys()]) if (tokensOf(known) >= burst) levels.delete(known)
    sweepAt = Math.max(SWEEP_AT, levels.size * 2)
  }

  return {
    tokensOf,
    // Rounded up: who waits that long finds a whole token.
    waitMs: (key) => Math.max(0, Math.ceil((1 - tokensOf(key)) * msPerToken)),
    take: (key) => change(key, -1),
    giveBack: (key) => change(key, 1),
  }
}
