// Which of several prices counts, and when none does: the one place that decides it. A wrong price is worse than none: what was sold for it
// is gone.
import { backoff } from '../lib/backoff.js'
import { decimalUnits } from '../lib/decimal.js'
import type { Clock } from '../lib/ports.js'
import { priceUnavailable } from './errors.js'
import { AskedToWait, type RateFeed } from './sources.js'

// Caches one price source: one request for all currencies, and none while the source's rate limit applies.
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
  clock: Pick<Clock, 'monotonic'>,
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

/** Percent of the lower price by which sources may differ before an operator has to look. */
const ALARM_PERCENT = 20
/** Prices of this time are compared, and PAY_RATE_MAX_JUMP is what a price may move in it. */
export const WINDOW_MS = 600_000
const DECIMALS = 10
/** 100 windows are 17 hours: nothing is compared with a price of the day before. */
const MOST_WINDOWS = 100n

export interface Prices {
  /** The prices that may be charged, in the order of PAY_RATE_SOURCE; at least one. */
  readonly usable: readonly KnownRate[]
  /** All prices received within the window, usable ones included. */
  readonly known: readonly KnownRate[]
  /** The price charged before, if any: a single source is compared with it. */
  readonly reference: KnownRate | undefined
}

/** `price` is undefined when nothing may be charged; `finding` is what an operator must know, if anything. */
export interface Judgement {
  readonly price: KnownRate | undefined
  readonly finding: string | undefined
}

/**
 * Up to 20 percent apart: the first. Further apart, within `maxJump` percent: the lowest (fiat per GRIN), which asks the customer for more
 * GRIN and so never leaves the shop with too little; with a finding. Beyond `maxJump`: a source that is alone against most is left out; two
 * that disagree, or a price that left the reference by more, give none. The reference counts for less with time: by `maxJump` a window.
 */
export function judgePrices({ usable, known, reference }: Prices, maxJump: number): Judgement {
  const agreeing = agreeingOf(known, maxJump)
  const candidates = usable.filter((price) => agreeing.includes(price))
  const isApart = percentApart(known, ALARM_PERCENT)
  const chosen = percentApart(agreeing, ALARM_PERCENT) ? sorted(candidates)[0] : candidates[0]
  if (chosen === undefined) return { price: undefined, finding: `${listed(known)}: ${limit(maxJump)}` }
  if (reference !== undefined && hasJumped(chosen, reference, maxJump))
    return { price: undefined, finding: `${listed([chosen])}, before that ${listed([reference])}: ${limit(maxJump)}` }
  return { price: chosen, finding: isApart ? `${listed(known)}: charged at ${chosen.rate}` : undefined }
}

/** The prices within the bound of the median, if they are the majority. */
function agreeingOf(known: readonly KnownRate[], maxJump: number): readonly KnownRate[] {
  const middle = sorted(known)[(known.length - 1) >> 1]
  const near = known.filter((price) => middle !== undefined && !percentApart([price, middle], maxJump))
  return near.length * 2 > known.length ? near : []
}

function hasJumped(price: KnownRate, reference: KnownRate, maxJump: number): boolean {
  const [low, high] = [price, reference].map(unitsOf).sort(ascending) as [bigint, bigint]
  const windows = BigInt(Math.max(1, Math.floor((price.at - reference.at) / WINDOW_MS)))
  return windows <= MOST_WINDOWS && high * 100n ** windows > low * BigInt(100 + maxJump) ** windows
}

/** Whether the highest is more than so many percent above the lowest. */
function percentApart(prices: readonly KnownRate[], percent: number): boolean {
  const units = prices.map(unitsOf).sort(ascending)
  const [low = 0n, high = 0n] = [units[0], units.at(-1)]
  return high * 100n > low * BigInt(100 + percent)
}

const unitsOf = ({ rate }: KnownRate): bigint => decimalUnits(rate, DECIMALS) ?? 0n
const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : Number(a > b))
const sorted = (prices: readonly KnownRate[]): readonly KnownRate[] =>
  [...prices].sort((a, b) => ascending(unitsOf(a), unitsOf(b)))
const listed = (prices: readonly KnownRate[]): string =>
  prices.map(({ source, rate }) => `${source} says ${rate}`).join(', ')
const limit = (maxJump: number): string => `more than PAY_RATE_MAX_JUMP (${maxJump} percent) apart`
