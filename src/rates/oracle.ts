// Prices from several sources: all are asked and compared (`judge.ts`), and a cached price is a time-limited fallback.
import { GrinpayError } from '../lib/errors.js'
import type { Clock, Log } from '../lib/ports.js'
import type { Rates } from '../till/index.js'
import { priceDisputed, priceUnavailable } from './errors.js'
import {
  createSourceMemory,
  type Judgement,
  judgePrices,
  type KnownRate,
  type SourceMemory,
  WINDOW_MS,
} from './judge.js'
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
  /** PAY_RATE_MAX_JUMP: percent. */
  readonly maxJump: number
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly log: Pick<Log, 'error'>
}

/** A source with a failure in this time is asked only when the others have no price, so that its timeout does not delay every invoice. */
const LATELY_MS = 60_000
/** Time limit for all sources together: a shop's client waits 15 s for its invoice. */
const ROUND_MS = 10_000
/** A finding that nothing has confirmed for so long is no alarm any more. */
const FINDING_MS = 3_600_000

/** `rate` rejects with RATE_UNAVAILABLE if no source has a price and no cached one is recent enough, with RATE_DISPUTED if prices contradict. */
export function createRates(parts: RatesParts): Rates {
  const { sources, currencies, cacheTtl, staleMax, maxJump, clock, log, ...given } = parts
  const remote = sources.filter(({ kind }) => kind !== 'fixed').length
  const options = { timeoutMs: Math.floor(ROUND_MS / Math.max(1, remote)), ...given }
  const memories = sources.map((setting) => createSourceMemory(rateSourceOf(setting, options), currencies, clock))
  const network = memories.filter(({ isFixed }) => !isFixed)
  /** A fixed price of the operator counts before all others if it is listed first, else only when the others have no price. */
  const fixed = memories.filter(({ isFixed }) => isFixed)
  const isFixedFirst = memories[0]?.isFixed === true
  const inOrder = isFixedFirst ? [...fixed, ...network] : [...network, ...fixed]
  /** By currency: the price that was charged at when the window began. */
  const references = new Map<string, KnownRate>()
  const findings = new Map<string, { readonly text: string; readonly at: number }>()

  const hasFailedLately = (memory: SourceMemory): boolean => clock.monotonic() - memory.failedAt() < LATELY_MS
  const remembered = (currency: string, seconds: number): readonly KnownRate[] =>
    inOrder.flatMap((memory) => memory.remembered(currency, seconds) ?? [])

  /** While every source fails, returns allowed cached prices at once, and asks the sources in the background. */
  async function ask(currency: string): Promise<readonly KnownRate[]> {
    const stale = memories.every(hasFailedLately) ? remembered(currency, staleMax) : []
    if (stale.length === 0) return askInTurn(currency)
    askInTurn(currency).catch(() => {}) // each source records its failure
    return stale
  }

  async function askInTurn(currency: string): Promise<readonly KnownRate[]> {
    const failures: GrinpayError[] = []
    const well = network.filter((memory) => !hasFailedLately(memory))
    const failing = network.filter(hasFailedLately)
    for (const group of isFixedFirst ? [fixed, well, failing] : [well, fixed, failing]) {
      const answers = await answersOf(group, currency)
      const prices = answers.filter(isPrice)
      if (prices.length > 0) return prices
      failures.push(...answers.filter((answer) => answer instanceof GrinpayError))
    }
    const stale = remembered(currency, staleMax)
    if (stale.length > 0) return stale
    const [first] = failures
    if (first && failures.length === 1) throw first
    throw priceUnavailable(failures.map(({ message }) => message.replace(/^price oracle unavailable: /, '')).join('; '))
  }

  /** Asks all at once. A source that has failed since it last answered is not waited for, unless no other has a price. */
  async function answersOf(group: readonly SourceMemory[], currency: string) {
    const asked = group.map((memory) => ({ isWell: memory.failedAt() < 0, answer: outcomeOf(memory, currency) }))
    const first = await Promise.all(asked.flatMap(({ isWell, answer }) => (isWell ? [answer] : [])))
    return first.some(isPrice) ? first : Promise.all(asked.map(({ answer }) => answer))
  }

  /** Prices of sources over the network are held against all that are known; a fixed one is the operator's word. */
  function judgeCurrency(currency: string, usable: readonly KnownRate[]): Judgement {
    const [first] = usable
    if (first?.isFixed) return { price: first, finding: undefined }
    const known = new Set([
      ...usable,
      ...network.flatMap((memory) => memory.remembered(currency, WINDOW_MS / 1000) ?? []),
    ])
    return judgePrices({ usable, known: [...known], reference: references.get(currency) }, maxJump)
  }

  function note(currency: string, { price, finding }: Judgement): void {
    const before = findings.get(currency)
    if (finding === undefined) findings.delete(currency)
    else findings.set(currency, { text: finding, at: clock.monotonic() })
    if (finding !== undefined && finding !== before?.text)
      log.error({ currency, charged: price?.rate ?? null }, finding)
    const reference = references.get(currency)
    if (price && !price.isFixed && !(reference && price.at - reference.at < WINDOW_MS)) references.set(currency, price)
  }

  const dated = ({ rate, source, at }: KnownRate) => ({
    rate,
    source,
    at: clock.now() - Math.round(clock.monotonic() - at),
  })

  return {
    async rate(currency) {
      const name = currency.toLowerCase()
      const fresh = remembered(name, cacheTtl)
      const judgement = judgeCurrency(name, fresh.length > 0 ? fresh : await ask(name))
      note(name, judgement)
      if (judgement.price === undefined) throw priceDisputed(judgement.finding ?? '')
      return dated(judgement.price)
    },
    async known(currency) {
      const name = currency.toLowerCase()
      const fresh = remembered(name, cacheTtl)
      const stale = fresh.length === 0 && memories.every(hasFailedLately) ? remembered(name, staleMax) : fresh
      const usable = stale.length === 0 && isFixedFirst ? await answersOf(fixed, name) : stale
      const prices = usable.filter(isPrice)
      const { price } = prices.length === 0 ? { price: undefined } : judgeCurrency(name, prices)
      return price && dated(price)
    },
    alarms: () =>
      [...findings]
        .filter(([, { at }]) => clock.monotonic() - at < FINDING_MS)
        .map(([currency, { text }]) => `price in ${currency.toUpperCase()}: ${text}`),
  }
}

const isPrice = (answer: KnownRate | GrinpayError): answer is KnownRate => !(answer instanceof GrinpayError)

/** The price, or why there is none. */
const outcomeOf = (memory: SourceMemory, currency: string): Promise<KnownRate | GrinpayError> =>
  memory.ask(currency).catch((thrown: unknown) => {
    if (thrown instanceof GrinpayError && priceUnavailable.is(thrown)) return thrown
    throw thrown
  })
