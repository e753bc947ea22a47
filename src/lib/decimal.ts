// Exact decimal arithmetic on integers that count units of 10^-decimals.

/** numerator / denominator to the nearest integer, halves up. Both are not negative; the denominator is not zero. */
export const divideHalfUp = (numerator: bigint, denominator: bigint): bigint =>
  (2n * numerator + denominator) / (2n * denominator)

/** A count of units of 10^-decimals as plain text, trailing zeros cut: 1500 with 3 decimals is "1.5". */
export function decimalText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(-decimals).replace(/0+$/, '')
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`
}

const PLAIN = /^(\d{0,30})(?:\.(\d*))?$/

/**
 * The inverse, for numbers as people write settings: blanks around it, `.5`, `5.` and needless zeros are fine; signs, exponents, commas and
 * more decimals than there are units are not: undefined.
 */
export function decimalUnits(text: string, decimals: number): bigint | undefined {
  const [, whole = '', fraction = ''] = PLAIN.exec(text.trim()) ?? []
  if (whole + fraction === '' || fraction.length > decimals) return undefined
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

// How many decimals amounts of a currency have.
/** Smallest units of a coin, which rate sources quote like currencies. */
const UNDIVIDED = new Set(['SATS'])
/** Looking up the digits of a currency takes long, so each code is looked up once. */
const known = new Map<string, number | undefined>()
let codes: ReadonlySet<string> | undefined

/** By its code in upper case, as ISO 4217 has them: 2 for USD, 0 for JPY, 3 for KWD; 0 for SATS. Undefined for a coin, and for any other text. */
export function currencyDigits(code: string): number | undefined {
  if (!known.has(code)) known.set(code, lookUp(code))
  return known.get(code)
}

function lookUp(code: string): number | undefined {
  if (UNDIVIDED.has(code)) return 0
  codes ??= new Set(Intl.supportedValuesOf('currency'))
  if (!codes.has(code)) return undefined
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits
}
