import type { Amount } from '../kinds/index.js'

// Amounts of money in nanogrin, range-checked.
/** 1 GRIN is 10^9 nanogrin; sums outgrow `number`, so money is a bigint and never a float. */
export type NanoGrin = Amount & { readonly unit: 'nanogrin' }

const PER_GRIN = 1_000_000_000n
const MAX = 2n ** 64n - 1n // amounts travel as u64 in slates

/** Checks 0 … 2^64-1 nanogrin. Throws RangeError. */
export function nanoGrin(value: bigint): NanoGrin {
  if (value < 0n || value > MAX) throw new RangeError(`amount out of range: ${value}`)
  return value as NanoGrin
}

/** Parses "1", "0.5", "12.000000001"; refuses signs, exponents and a tenth decimal. Throws RangeError. */
export function parseGrin(text: string): NanoGrin {
  const match = /^(0|[1-9]\d{0,10})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) throw new RangeError(`not an amount in GRIN: "${text.slice(0, 24)}"`)
  const [, whole = '0', fraction = ''] = match
  return nanoGrin(BigInt(whole) * PER_GRIN + BigInt(fraction.padEnd(9, '0')))
}

/** Decimal text in GRIN: up to nine decimals, without trailing zeros. */
export function formatGrin(value: NanoGrin): string {
  const fraction = (value % PER_GRIN).toString().padStart(9, '0').replace(/0+$/, '')
  return `${value / PER_GRIN}${fraction === '' ? '' : `.${fraction}`}`
}
