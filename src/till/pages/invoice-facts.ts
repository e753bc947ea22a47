// What a page shows of an invoice beside its amount: price, rate, purpose, the time left. Amounts and times are printed unambiguously. Pure.
import type { FiatQuote, Invoice } from '../model.js'
import type { TextKey } from './texts/en.js'
import type { Translator } from './texts/index.js'

/**
 * A decimal with a point, as wallets take it. Three decimals get a zero: `1.500` means fifteen hundred where a point groups
 * thousands, `1.5000` does nowhere.
 */
export const unambiguous = (decimal: string): string => (/^\d+\.\d{3}$/.test(decimal) ? `${decimal}0` : decimal)

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The time left as text, in whole units that have passed: `14 minutes left` from 15 minutes down to 14. */
export function timeLeft(expiresAt: number, now: number, { text, plural }: Translator): string {
  const left = expiresAt - now
  if (left < MINUTE) return text('lessThanAMinuteLeft')
  if (left < 2 * HOUR) return plural('minutesLeft', Math.floor(left / MINUTE))
  if (left < 2 * DAY) return plural('hoursLeft', Math.floor(left / HOUR))
  return plural('daysLeft', Math.floor(left / DAY))
}

/** `Price fixed · 14 minutes left`. */
export function countdownOf({ status, expiresAt, fiat }: Invoice, translator: Translator, now: number): string {
  if (status !== 'open' || expiresAt === null) return ''
  const left = timeLeft(expiresAt, now, translator)
  return fiat ? `${translator.text('priceFixed')} · ${left}` : left
}

/** Name and value, most useful first. */
export function factsOf({ fiat, memo, orderRef, id, confirmedAt }: Invoice, translator: Translator) {
  const { text, moment } = translator
  const facts: readonly (readonly [TextKey, string | null])[] = [
    ['price', fiat && `${unambiguous(fiat.amount.trim())} ${fiat.currency.toUpperCase()}`],
    ['rate', fiat && rateText(fiat, translator)],
    ['purpose', memo],
    ['order', orderRef],
    ['paidOn', confirmedAt === null ? null : moment(confirmedAt)],
    ['invoice', id.slice(0, 12)],
  ]
  return facts.flatMap(([key, value]) => (value ? [[text(key), value] as const] : []))
}

/** Stays on one line of a narrow screen. */
const unbroken = (time: string): string => time.replaceAll(' ', '\u00a0')

/** What a GRIN cost, and when the source was asked for it: absent on invoices of earlier versions. */
function rateText({ rate, currency, rateAt }: FiatQuote, { text, moment }: Translator): string {
  const values = { rate: unambiguous(rate), currency: currency.toUpperCase() }
  return rateAt == null ? text('ratePerGrin', values) : text('rateAsOf', { ...values, time: unbroken(moment(rateAt)) })
}
