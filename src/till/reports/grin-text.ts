import { decimalText } from '../../lib/decimal.js'

/** Decimal GRIN of a sum in nanogrin, which may outgrow one amount. */
export const grinText = (nanogrin: bigint): string => decimalText(nanogrin, 9)
