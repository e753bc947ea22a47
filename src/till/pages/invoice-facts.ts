// What a page tells of an invoice beside its amount: price, rate, purpose, the time left. Pure.
import type { FiatQuote, Invoice } from '../model.js'
import { timeLeft, unambiguous } from './amounts.js'
import type { Words } from './texts/index.js'
import type { TextKey } from './texts/types.js'

/** `Price fixed · 14 minutes left`. */
export function countdownOf({ status, expiresAt, fiat }: Invoice, words: Words, now: number): string {
  if (status !== 'open' || expiresAt === null) return ''
  const left = timeLeft(expiresAt, now, words)
  return fiat ? `${words.text('priceFixed')} · ${left}` : left
}

/** Name and value, most useful first. */
export function factsOf({ fiat, memo, orderRef, id, confirmedAt }: Invoice, words: Words) {
  const { text, moment } = words
  const facts: readonly (readonly [TextKey, string | null])[] = [
    ['price', fiat && `${unambiguous(fiat.amount.trim())} ${fiat.currency.toUpperCase()}`],
    ['rate', fiat && rateText(fiat, words)],
    ['purpose', memo],
    ['order', orderRef],
    ['paidOn', confirmedAt === null ? null : moment(confirmedAt)],
    ['invoice', id.slice(0, 12)],
  ]
  return facts.flatMap(([key, value]) => (value ? [[text(key), value] as const] : []))
}

/** Stays on one line of a narrow screen. */
const unbroken = (time: string): string => time.replaceAll(' ', '\u00a0')

/** What a GRIN cost, and when that was asked for: absent on invoices of earlier versions. */
function rateText({ rate, currency, rateAt }: FiatQuote, { text, moment }: Words): string {
  const values = { rate: unambiguous(rate), currency: currency.toUpperCase() }
  return rateAt == null ? text('ratePerGrin', values) : text('rateAsOf', { ...values, time: unbroken(moment(rateAt)) })
}
