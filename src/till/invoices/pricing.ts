// From fiat to nanogrin, in exact decimal arithmetic (specification: invoicing, 3.4).
import { nanoGrin } from '../../grin/amount/index.js'
import { decimalText, divideHalfUp } from '../../lib/decimal.js'
import { causedBy, hasCode, messageOf } from '../../lib/errors.js'
import { amountOutOfRange, fiatAmountTooSmall, quoteDisputed, quoteUnavailable } from '../errors.js'
import { type FiatQuote, type GrinRate, type Invoice, spelled } from '../model.js'
import type { Rates } from '../ports.js'

const NANO_PER_GRIN = 10n ** 9n
const RATE_DECIMALS = 10
/** Of a price that people write. */
const USUAL_DECIMALS = 8
const MOST_DECIMALS = 18
const MOST_DIGITS = 12

/** A decimal number as `digits / 10^scale`. */
interface Decimal {
  readonly digits: bigint
  readonly scale: number
}

/** Reads plain decimals like "12.50". Throws RangeError. */
export function parseDecimal(text: string): Decimal {
  const match = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(text)
  if (!match) throw new RangeError(`not a decimal number: "${text.slice(0, 24)}"`)
  const [, whole = '', fraction = ''] = match
  return { digits: BigInt(whole + fraction), scale: fraction.length }
}

/**
 * nanogrin = fiat / rate × 10^9: halves up, and always up for a price of more than 8 decimals (a program's own rounding, such as
 * 3.3000000000000003). Throws RangeError for a rate of zero or malformed numbers.
 */
export function nanogrinFor(fiat: string, rate: string): bigint {
  const price = parseDecimal(fiat)
  const perGrin = parseDecimal(rate)
  if (perGrin.digits === 0n) throw new RangeError('a rate of zero')
  const numerator = price.digits * NANO_PER_GRIN * 10n ** BigInt(perGrin.scale)
  const denominator = perGrin.digits * 10n ** BigInt(price.scale)
  return price.scale > USUAL_DECIMALS
    ? (numerator + denominator - 1n) / denominator
    : divideHalfUp(numerator, denominator)
}

/** A rate as it is kept: at most 10 decimals (halves up), trailing zeros cut. Throws RangeError. */
export function formatRate(rate: string): string {
  const { digits, scale } = parseDecimal(rate)
  const shift = scale - RATE_DECIMALS
  const units = shift > 0 ? divideHalfUp(digits, 10n ** BigInt(shift)) : digits * 10n ** BigInt(-shift)
  return decimalText(units, RATE_DECIMALS)
}

/** Why a trimmed text is no fiat amount, in this order; the last describes what one looks like. */
const FIAT_FAULTS: readonly (readonly [fault: string, isBroken: (text: string) => boolean])[] = [
  ['it is empty', (text) => text === ''],
  ['it has a sign', (text) => /^[+-]/.test(text)],
  ['it has an exponent: write all digits', (text) => /^[\d.]+e[+-]?\d+$/i.test(text)],
  ['it has a comma: write a point, and nothing between thousands', (text) => /^[\d.]*,[\d.,]*$/.test(text)],
  ['it has no digit before the point', (text) => /^\.\d+$/.test(text)],
  ['it has no digit after the point', (text) => /^\d+\.$/.test(text)],
  ['it is not digits with at most one point, such as 12.50', (text) => !/^\d+(\.\d+)?$/.test(text)],
  [
    `it has more than ${MOST_DIGITS} digits before the point`,
    (text) => (text.split('.')[0] ?? '').length > MOST_DIGITS,
  ],
  [`it has more than ${MOST_DECIMALS} decimals`, (text) => (text.split('.')[1] ?? '').length > MOST_DECIMALS],
  ['it is zero', (text) => !/[1-9]/.test(text)],
]

/** What is wrong with a fiat amount as a request writes it, blanks around it aside; undefined for a good one. */
export const fiatAmountFault = (text: string): string | undefined =>
  FIAT_FAULTS.find(([, isBroken]) => isBroken(text.trim()))?.[0]

/** An exact amount, or a fiat price that still needs a rate. */
export type Price =
  | { readonly exact: bigint }
  | { readonly fiatAmount: string; readonly fiatText: string; readonly currency: string }

const MAX_AMOUNT = 2n ** 53n - 1n

/** `amount` in nanogrin as an invoice may have it. Throws AMOUNT_OUT_OF_RANGE. */
export function invoiceAmount(amount: bigint): Invoice['amount'] {
  if (amount < 1n || amount > MAX_AMOUNT) throw amountOutOfRange(amount)
  return nanoGrin(amount)
}

export type Quote = Pick<Invoice, 'amount' | 'fiat' | 'grinRate'>

/** `currency` is that in which a price in GRIN is valued. Throws RATE_UNAVAILABLE, RATE_DISPUTED, FIAT_AMOUNT_TOO_SMALL, AMOUNT_OUT_OF_RANGE. */
export async function quoteOf(price: Price, rates: Rates, currency: string | undefined): Promise<Quote> {
  if ('exact' in price)
    return { amount: invoiceAmount(price.exact), fiat: null, grinRate: await knownRate(rates, currency) }
  const { rate, source, at: rateAt } = await askRate(rates, price.currency.toLowerCase())
  const amount = nanogrinFor(price.fiatAmount, rate)
  if (amount === 0n) throw fiatAmountTooSmall(price.fiatAmount)
  const fiat: FiatQuote = { amount: price.fiatText, ...spelled(price.currency), rate, source, rateAt }
  return { amount: invoiceAmount(amount), fiat, grinRate: null }
}

/** Waits for no source: a price in GRIN needs no rate. */
async function knownRate(rates: Rates, currency: string | undefined): Promise<GrinRate | null> {
  const known = currency === undefined ? undefined : await rates.known(currency)
  if (!known || currency === undefined) return null
  const { rate, source, at: rateAt } = known
  return { currency, rate, source, rateAt }
}

async function askRate(rates: Rates, currency: string): Promise<Awaited<ReturnType<Rates['rate']>>> {
  try {
    const { rate, source, at } = await rates.rate(currency)
    const text = formatRate(rate)
    if (text === '0') throw new RangeError('the rate is zero')
    return { rate: text, source, at }
  } catch (cause) {
    const refusal = hasCode(cause, quoteDisputed.code) ? quoteDisputed : quoteUnavailable
    throw causedBy(refusal(messageOf(cause)), cause)
  }
}
