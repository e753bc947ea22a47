// From fiat to nanogrin, in exact decimal arithmetic (specification: invoicing, 3.4).
import { decimalText, divideHalfUp } from '../../lib/decimal.js'

const NANO_PER_GRIN = 10n ** 9n
const RATE_DECIMALS = 10

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

/** nanogrin = fiat / rate × 10^9, halves up. Throws RangeError for a rate of zero or malformed numbers. */
export function nanogrinFor(fiat: string, rate: string): bigint {
  const price = parseDecimal(fiat)
  const perGrin = parseDecimal(rate)
  if (perGrin.digits === 0n) throw new RangeError('a rate of zero')
  const numerator = price.digits * NANO_PER_GRIN * 10n ** BigInt(perGrin.scale)
  return divideHalfUp(numerator, perGrin.digits * 10n ** BigInt(price.scale))
}

/** A rate as it is kept: at most 10 decimals (halves up), trailing zeros cut. Throws RangeError. */
export function formatRate(rate: string): string {
  const { digits, scale } = parseDecimal(rate)
  const shift = scale - RATE_DECIMALS
  const units = shift > 0 ? divideHalfUp(digits, 10n ** BigInt(shift)) : digits * 10n ** BigInt(-shift)
  return decimalText(units, RATE_DECIMALS)
}

/** A fiat amount as a request may write it: trimmed, greater than zero; undefined when it is not one. */
export function parseFiatAmount(text: string): string | undefined {
  const trimmed = text.trim()
  return /^\d{1,12}(\.\d{1,8})?$/.test(trimmed) && /[1-9]/.test(trimmed) ? trimmed : undefined
}
