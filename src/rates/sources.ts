// Price sources (specification: invoicing, 3.4): a public service, another address, or fixed rates.
import { decimalText, divideHalfUp } from '../lib/decimal.js'
import { messageOf, orThrow } from '../lib/errors.js'
import { fetchBounded } from '../lib/http-request.js'
import { membersOf, parseNumbersAsText } from '../lib/parse-json.js'
import { priceUnavailable } from './errors.js'

// Prices as decimal text, never as a float.
const DECIMALS = 10
/** A JSON number. */
const NUMBER = /^(\d{1,30})(?:\.(\d{1,60}))?(?:[eE]([+-]?\d{1,2}))?$/

/**
 * A rate at no more than ten decimals, halves up, trailing zeros cut. Undefined for anything that is no positive number,
 * also for one that is zero at ten decimals.
 */
export function rateText(number: string): string | undefined {
  const [match, whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? []
  if (match === undefined) return undefined
  const units = scaled(BigInt(whole + fraction), Number(exponent) - fraction.length + DECIMALS)
  return units === 0n ? undefined : decimalText(units, DECIMALS)
}

/** value × 10^power, halves up. */
const scaled = (value: bigint, power: number): bigint =>
  power >= 0 ? value * 10n ** BigInt(power) : divideHalfUp(value, 10n ** BigInt(-power))

export interface RateFeed {
  /** Stored with every quote. */
  readonly name: string
  /** Makes no request. */
  readonly isFixed: boolean
  /**
   * Fiat per GRIN as decimal text, for those of the currencies (lower case) that have a usable price.
   * Rejects with RATE_UNAVAILABLE or AskedToWait.
   */
  fetch(currencies: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** HTTP 429 or 403: the service limits the request rate. */
export class AskedToWait extends Error {
  constructor(readonly status: number) {
    super(`HTTP ${status}`)
  }
}

export interface SourceOptions {
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

/** https://docs.coinpaprika.com: `quotes` has prices by upper-case currency. */
const COINPAPRIKA = 'https://api.coinpaprika.com/v1/tickers/grin-grin'
const COINGECKO = 'https://api.coingecko.com/api/v3/simple/price'
/** The service responds 403 to library names from data centres. */
const USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const READ_MOST = 65_536

/** One entry of PAY_RATE_SOURCE, as the settings parsed it. Fixed rates: lower-case currency to fiat per GRIN as decimal text. */
export type RateSetting =
  | { readonly kind: 'coingecko' }
  | { readonly kind: 'coinpaprika' }
  | { readonly kind: 'fixed'; readonly rates: Readonly<Record<string, string>> }
  /** An address that responds like coingecko. */
  | { readonly kind: 'url'; readonly url: string }

/** The source of a setting. Makes no request before `fetch`. */
export function rateSourceOf(setting: RateSetting, options: SourceOptions = {}): RateFeed {
  switch (setting.kind) {
    case 'coingecko': {
      const query = (currencies: readonly string[]) =>
        `ids=grin&vs_currencies=${encodeURIComponent(currencies.join(','))}`
      return {
        name: 'coingecko',
        isFixed: false,
        fetch: (currencies) => ask(`${COINGECKO}?${query(currencies)}`, currencies, options),
      }
    }
    case 'coinpaprika': {
      const query = (currencies: readonly string[]) =>
        `quotes=${encodeURIComponent(currencies.join(',').toUpperCase())}`
      return {
        name: 'coinpaprika',
        isFixed: false,
        fetch: (currencies) => ask(`${COINPAPRIKA}?${query(currencies)}`, currencies, options),
      }
    }
    case 'fixed':
      return { name: 'fixed', isFixed: true, fetch: async () => new Map(Object.entries(setting.rates).flatMap(usable)) }
    case 'url':
      return {
        name: new URL(setting.url).host,
        isFixed: false,
        fetch: (currencies) => ask(setting.url, currencies, options),
      }
  }
}

function usable([currency, text]: readonly [string, string]): (readonly [string, string])[] {
  const rate = rateText(text)
  return rate === undefined ? [] : [[currency, rate]]
}

async function ask(url: string, currencies: readonly string[], { fetch, timeoutMs = 10_000 }: SourceOptions) {
  const headers = { accept: 'application/json', 'user-agent': USER_AGENT }
  const bounds = { fetch, timeoutMs, mostBytes: READ_MOST }
  const { status, text, isCut } = await fetchBounded(url, { headers }, bounds).catch((thrown) => {
    throw priceUnavailable(messageOf(thrown))
  })
  if (status === 429 || status === 403) throw new AskedToWait(status)
  if (status < 200 || status > 299) throw priceUnavailable(`HTTP ${status}`)
  if (isCut) throw priceUnavailable('the answer is far too long')
  return pricesOf(text, currencies)
}

/** `{"grin":{"usd":0.021}}`, `{"usd":0.021}` or `{"quotes":{"USD":{"price":0.021}}}`; a price may be a number or a text. */
function pricesOf(text: string, currencies: readonly string[]): ReadonlyMap<string, string> {
  const answer = orThrow(
    () => parseNumbersAsText(text),
    () => priceUnavailable('the answer is not JSON'),
  )
  const document = membersOf(answer)
  const prices =
    'quotes' in document ? quotesOf(document.quotes) : 'grin' in document ? membersOf(document.grin) : document
  return new Map(
    currencies.flatMap((currency) => {
      const price = Object.hasOwn(prices, currency) ? prices[currency] : undefined
      const rate = typeof price === 'string' ? rateText(price) : undefined
      return rate === undefined ? [] : [[currency, rate] as const]
    }),
  )
}

const quotesOf = (quotes: unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(membersOf(quotes)).map(([name, quote]) => [name.toLowerCase(), membersOf(quote).price]),
  )
