// GRIN below each other: with so many decimals as the longest of the column, so that their points are in line.
import { formatGrin, type NanoGrin } from '../../../grin/amount/index.js'

/** How many decimals an amount in nanogrin needs. */
export const decimalsOf = (nanogrin: bigint): number => plain(nanogrin).split('.')[1]?.length ?? 0

/** Decimal GRIN with at least so many decimals. */
export function decimalText(nanogrin: bigint, decimals = 0): string {
  const [whole = '', fraction = ''] = plain(nanogrin).split('.')
  const padded = fraction.padEnd(decimals, '0')
  return padded === '' ? whole : `${whole}.${padded}`
}

const plain = (nanogrin: bigint): string => formatGrin(nanogrin as NanoGrin)
