// Amounts as a cashier types them, and in whole units of their currency. Pure.
import { currencyDigits, divideHalfUp } from '../../../lib/decimal.js'

/** Whole digits that an invoice may have (specification: invoicing, 2.3). */
const MOST_DIGITS = 12
const MOST_DECIMALS = 8

export const GRIN = 'grin'

/** A sum in units of 10^-decimals of its currency. */
export interface Money {
  /** Lower case. */
  readonly currency: string
  readonly units: bigint
}

/** Decimals that prices of this currency have: 9 for GRIN, 2 for EUR, 0 for JPY and SATS, 8 for a coin. */
export const decimalsOf = (currency: string): number =>
  currency === GRIN ? 9 : (currencyDigits(currency.toUpperCase()) ?? MOST_DECIMALS)

/** `12.50` for EUR, `1.5` for GRIN: prices of few decimals show all of them. */
export function moneyText({ currency, units }: Money): string {
  const decimals = decimalsOf(currency)
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals)
  const shown = decimals > 3 ? fraction.replace(/0+$/, '') : fraction
  return shown === '' ? whole : `${whole}.${shown}`
}

/** `12.50 EUR`. */
export const priceText = (money: Money): string => `${moneyText(money)} ${money.currency.toUpperCase()}`

type Rule = {
  readonly says: (text: string, currency: string) => string
  readonly breaks: (text: string, currency: string) => boolean
}

const wholeOf = (text: string): string => (text.split(/[.,]/)[0] ?? '').replace(/^0+/, '')
const fractionOf = (text: string): string => text.split(/[.,]/)[1] ?? ''
const shorten = (text: string): string => (text.length > 24 ? `${text.slice(0, 24)}…` : text)

/** Checked in this order; the first broken rule is what the cashier reads. */
const RULES: readonly Rule[] = [
  { says: () => 'Enter an amount.', breaks: (text) => text === '' },
  { says: () => 'An amount cannot be negative.', breaks: (text) => /^[-−–]/.test(text) },
  {
    says: (text) =>
      `“${shorten(text)}” is not an amount. Type digits with at most one comma or point, such as 12.50, and nothing between thousands.`,
    breaks: (text) => !/^(\d+[.,]?\d*|[.,]\d+)$/.test(text),
  },
  {
    says: () => `The amount has too many digits: at most ${MOST_DIGITS} before the comma or point.`,
    breaks: (text) => wholeOf(text).length > MOST_DIGITS,
  },
  {
    says: (text, currency) => {
      const most = decimalsOf(currency)
      const has = most === 0 ? 'has no decimals' : `has at most ${most} decimals`
      return `${currency.toUpperCase()} ${has}; “${shorten(text)}” has ${fractionOf(text).length}. Comma and point both mark decimals.`
    },
    breaks: (text, currency) => fractionOf(text).length > decimalsOf(currency),
  },
]

/** Reads what was typed, comma or point as the decimal sign. Answers the reason where it is no amount; 0 is one. */
export function parseMoney(typed: string, currency: string): Money | { readonly problem: string } {
  const text = typed.replace(/\s/g, '')
  const broken = RULES.find(({ breaks }) => breaks(text, currency))
  if (broken) return { problem: broken.says(text, currency) }
  const units = BigInt((wholeOf(text) || '0') + fractionOf(text).padEnd(decimalsOf(currency), '0'))
  return { currency, units }
}

/** So many percent of it, halves up to a unit. */
export const percentOf = ({ currency, units }: Money, percent: number): Money => ({
  currency,
  units: divideHalfUp(units * BigInt(percent), 100n),
})
