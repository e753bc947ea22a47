// So many per key and window: messages of a sender, refusals to a payer.

export interface QuotaTerms {
  readonly limit: number
  readonly windowMs: number
  /** Keys remembered at most; beyond it the one that took longest ago starts anew. */
  readonly maxKeys?: number
}

export interface Quota {
  /** Counts one; false, and nothing is counted, when the key has had its share. */
  take(key: string): boolean
}

const MAX_KEYS = 10_000

/** A sliding window per key: the moments of the last `limit` takings are kept. */
export function createQuota(
  { limit, windowMs, maxKeys = MAX_KEYS }: QuotaTerms,
  clock: { monotonic(): number },
): Quota {
  const taken = new Map<string, readonly number[]>()
  return {
    take(key) {
      const now = clock.monotonic()
      const recent = (taken.get(key) ?? []).filter((at) => at > now - windowMs)
      if (recent.length >= limit) return false
      taken.delete(key)
      taken.set(key, [...recent, now])
      const [oldest] = taken.size > maxKeys ? taken.keys() : []
      if (oldest !== undefined) taken.delete(oldest)
      return true
    },
  }
}
