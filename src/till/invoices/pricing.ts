// From fiat to nanogrin, in exact decimal arithmetic (specification: invoicing, 3.4).
import { decimalText, divideHalfUp } from '../../lib/decimal.js'

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
