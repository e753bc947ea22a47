// Prices from several sources: the first response counts, and a cached price is a time-limited fallback.
import { GrinpayError } from '../lib/errors.js'
import type { Rates } from '../till/index.js'
import { priceUnavailable } from './errors.js'
import { createSourceMemory, type KnownRate, type SourceMemory } from './source-memory.js'
import { type RateSetting, rateSourceOf, type SourceOptions } from './sources.js'

export interface RatesParts extends SourceOptions {
  /** PAY_RATE_SOURCE, in order of preference, at least one. */
  readonly sources: readonly RateSetting[]
  /** Lower case; all are fetched at once. */
  readonly currencies: readonly string[]
  /** Seconds a price counts as fresh; 0 = always ask. */
  readonly cacheTtl: number
  /** Seconds up to which an old price is used while every source fails; 0 = never. */
  readonly staleMax: number
  readonly clock: { now(): number; monotonic(): number }
}

/** A source with a failure in this time is asked last, so that its timeout does not delay every invoice. */
const LATELY_MS = 60_000
/** Time limit for all sources together: a shop's client waits 15 s for its invoice. */
const ROUND_MS = 10_000

/** `rate` rejects with RATE_UNAVAILABLE if no source has a price and no cached one is recent enough. */
export function createRates({ sources, currencies, cacheTtl, staleMax, clock, ...given }: RatesParts): Rates {
  const remote = sources.filter(({ kind }) => kind !== 'fixed').length
  const options = { timeoutMs: Math.floor(ROUND_MS / Math.max(1, remote)), ...given }
  const memories = sources.map((setting) => createSourceMemory(rateSourceOf(setting, options), currencies, clock))

  const hasFailedLately = (memory: SourceMemory): boolean => clock.monotonic() - memory.failedAt() < LATELY_MS
  const inTurn = (): readonly SourceMemory[] => [
    ...memories.filter((memory) => !hasFailedLately(memory)),
    ...memories.filter(hasFailedLately),
  ]

  const youngest = (currency: string, seconds: number): KnownRate | undefined =>
    memories
      .flatMap((memory) => memory.remembered(currency, seconds) ?? [])
      .sort((a, b) => b.at - a.at)
      .at(0)

  /** While every source fails, returns an allowed cached price at once, and asks the sources in the background. */
  async function ask(currency: string): Promise<KnownRate> {
    const stale = memories.every(hasFailedLately) ? youngest(currency, staleMax) : undefined
    if (stale === undefined) return askInTurn(currency)
    askInTurn(currency).catch(() => {}) // each source records its failure
    return stale
  }

  async function askInTurn(currency: string): Promise<KnownRate> {
    const failures: GrinpayError[] = []
    for (const memory of inTurn()) {
      const answer = await memory.ask(currency).catch((thrown: unknown) => {
        if (thrown instanceof GrinpayError && priceUnavailable.is(thrown)) return thrown
        throw thrown
      })
      if (!(answer instanceof GrinpayError)) return answer
      failures.push(answer)
    }
    const stale = youngest(currency, staleMax)
    if (stale) return stale
    const [first] = failures
    if (first && failures.length === 1) throw first
    throw priceUnavailable(failures.map(({ message }) => message.replace(/^price oracle unavailable: /, '')).join('; '))
  }

  /** Of the first source, where that is one of this machine. */
  async function fixed(currency: string): Promise<KnownRate | undefined> {
    if (sources[0]?.kind !== 'fixed') return undefined
    return memories[0]?.ask(currency).catch(() => undefined)
  }

  const dated = ({ rate, source, at }: KnownRate) => ({
    rate,
    source,
    at: clock.now() - Math.round(clock.monotonic() - at),
  })

  return {
    async rate(currency) {
      const name = currency.toLowerCase()
      return dated(youngest(name, cacheTtl) ?? (await ask(name)))
    },
    async known(currency) {
      const name = currency.toLowerCase()
      const stale = memories.every(hasFailedLately) ? youngest(name, staleMax) : undefined
      const rate = youngest(name, cacheTtl) ?? stale ?? (await fixed(name))
      return rate && dated(rate)
    },
  }
}
