// Prices as decimal text: what was written is what is multiplied, never a float.

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
  if (units === 0n) return undefined
  const digits = units.toString().padStart(DECIMALS + 1, '0')
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}

/** value × 10^power, halves up. */
function scaled(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power)
  const divisor = 10n ** BigInt(-power)
  return (value * 2n + divisor) / (divisor * 2n)
}
