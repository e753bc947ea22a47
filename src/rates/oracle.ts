// Prices with a memory: one question for all currencies, kept for a while, an old price as a bounded last resort.
import { backoff } from '../lib/backoff.js'
import type { Rates } from '../till/index.js'
import { rateUnavailable } from './errors.js'
import { AskedToWait, type RateSetting, rateSourceOf, type SourceOptions } from './sources.js'

export interface RatesParts extends SourceOptions {
  /** PAY_RATE_SOURCE. */
  readonly source: RateSetting
  /** Lower case; all are fetched at once. */
  readonly currencies: readonly string[]
  /** Seconds a price counts as fresh; 0 = always ask. */
  readonly cacheTtl: number
  /** Seconds up to which an old price is used while the source fails; 0 = never. */
  readonly staleMax: number
  readonly clock: { now(): number; monotonic(): number }
}

interface Known {
  readonly rate: string
  readonly at: number
}

/** After "too many requests": 30 s, doubling, at most ten minutes. */
const WAIT_MS = 30_000
const WAIT_MOST_MS = 600_000

/** `rate` rejects with RATE_UNAVAILABLE. */
export function createRates({ source: setting, currencies, cacheTtl, staleMax, clock, ...options }: RatesParts): Rates {
  const source = rateSourceOf(setting, options)
  const known = new Map<string, Known>()
  let asking: Promise<void> | undefined
  let refusals = 0
  let waitUntil = Number.NEGATIVE_INFINITY

  /** The last price, if it is at most that many seconds old. */
  function remembered(currency: string, seconds: number): Known | undefined {
    const entry = known.get(currency)
    return entry && seconds > 0 && clock.monotonic() - entry.at <= seconds * 1000 ? entry : undefined
  }

  async function fetchAll(): Promise<void> {
    const seconds = Math.ceil((waitUntil - clock.monotonic()) / 1000)
    if (seconds > 0) throw rateUnavailable(`${source.name} asked us to wait; next try in ${seconds} s`)
    try {
      const at = clock.monotonic()
      for (const [currency, rate] of await source.fetch(currencies)) known.set(currency, { rate, at })
      refusals = 0
    } catch (thrown) {
      if (!(thrown instanceof AskedToWait)) throw thrown
      refusals++
      waitUntil = clock.monotonic() + backoff(refusals, WAIT_MS, WAIT_MOST_MS)
      throw rateUnavailable(`${source.name} answered ${thrown.message}`)
    }
  }

  /** Callers that come while a question is under way share its answer. */
  async function ask(currency: string): Promise<Known> {
    const before = known.get(currency)
    asking ??= fetchAll().finally(() => {
      asking = undefined
    })
    await asking
    const entry = known.get(currency)
    if (entry === undefined || entry === before) throw rateUnavailable(`${source.name} has no price in ${currency}`)
    return entry
  }

  function lastResort(currency: string, thrown: unknown): Known {
    const entry = rateUnavailable.is(thrown) ? remembered(currency, staleMax) : undefined
    if (entry === undefined) throw thrown
    return entry
  }

  return {
    async rate(currency) {
      const name = currency.toLowerCase()
      const { rate } = remembered(name, cacheTtl) ?? (await ask(name).catch((thrown) => lastResort(name, thrown)))
      return { rate, source: source.name }
    },
  }
}
