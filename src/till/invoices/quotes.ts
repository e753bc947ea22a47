// A price in nanogrin for the terms of an invoice: exact, or by today's rate.
import { causedBy, hasCode, messageOf } from '../../lib/errors.js'
import { fiatAmountTooSmall, quoteDisputed, quoteUnavailable } from '../errors.js'
import { type FiatQuote, type GrinRate, type Invoice, spelled } from '../model.js'
import type { Rates } from '../ports.js'
import { formatRate, nanogrinFor } from './pricing.js'
import { invoiceAmount, type Price } from './terms.js'

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
