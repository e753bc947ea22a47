// Sums of fiat prices, exact: units of 10^-8, the most decimals that people write. Only longer prices and values at a rate are rounded.
import { currencyDigits, decimalText, decimalUnits, divideHalfUp } from '../../lib/decimal.js'

const DECIMALS = 8
const MOST_DECIMALS = 18
const USUAL_DIGITS = 2
export const GRIN_DECIMALS = 9

/** Units of a price as an invoice keeps it, rounded where it has more decimals than people write; undefined for one that is no plain decimal (an import from an earlier program). */
export function fiatUnits(amount: string): bigint | undefined {
  const units = decimalUnits(amount, MOST_DECIMALS)
  return units === undefined ? undefined : divideHalfUp(units, 10n ** BigInt(MOST_DECIMALS - DECIMALS))
}

/** Decimals that a rate is read with. */
const RATE_DECIMALS = 10

/**
 * What an amount in nanogrin is worth at a rate (fiat per GRIN), in units of 10^-8, rounded to the digits of the currency, halves up.
 * Undefined for a rate that is no plain decimal.
 */
export function valueUnits(nanogrin: bigint, rate: string, currency: string): bigint | undefined {
  const perGrin = decimalUnits(rate, RATE_DECIMALS)
  if (perGrin === undefined) return undefined
  const digits = valueDigits(currency)
  const rounded = divideHalfUp(nanogrin * perGrin, 10n ** BigInt(GRIN_DECIMALS + RATE_DECIMALS - digits))
  return rounded * 10n ** BigInt(DECIMALS - digits)
}

/** Units of 10^-8 with at least the digits of the currency: 1250000000 is "12.50" USD, "12.5" JPY. */
export function fiatText(units: bigint, currency: string): string {
  const [whole = '', fraction = ''] = decimalText(units, DECIMALS).split('.')
  const padded = fraction.padEnd(digitsOf(currency), '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

/** 2 for what is no currency of ISO 4217. */
const digitsOf = (currency: string): number => currencyDigits(currency) ?? USUAL_DIGITS

/** A coin such as BTC is worth so much that two digits would say nothing. */
const valueDigits = (currency: string): number => currencyDigits(currency) ?? DECIMALS

/** Decimal GRIN of a sum in nanogrin, which may outgrow one amount. */
export const grinText = (nanogrin: bigint): string => decimalText(nanogrin, 9)
