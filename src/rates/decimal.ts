// Prices as decimal text, never as a float.
import { decimalText, divideHalfUp } from '../lib/decimal.js'

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
