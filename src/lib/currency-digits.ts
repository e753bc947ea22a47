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
