// Amounts: bigint counts of nanogrin. 1 GRIN is 10^9 nanogrin.
import { formatGrin as format, type NanoGrin, nanoGrin, parseGrin } from '../grin/amount/index.js'

export { type NanoGrin, nanoGrin, parseGrin }

/** Decimal text in GRIN: up to nine decimals, without trailing zeros. Throws RangeError outside 0 … 2^64-1 nanogrin. */
export const formatGrin = (nanogrin: bigint): string => format(nanoGrin(nanogrin))
