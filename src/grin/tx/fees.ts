// Weights and fees. Specification: grin-wallet, 2.4.

/** How many members a transaction has: its weight. */
export interface Shape {
  readonly inputs: number
  readonly outputs: number
  readonly kernels: number
}

/** Nanogrin per unit of weight. */
export const FEE_BASE = 500_000n
/** The maximum weight of a transaction. */
export const MAX_WEIGHT = 39_976
/** Nanogrin: the fee of the smallest payment (one input, one output, one kernel). */
export const SMALLEST_FEE = 12_500_000n

const FEE_BITS = 40n
const SHIFT_BITS = 4n
const MAX_FEE = (1n << FEE_BITS) - 1n
const MAX_SHIFT = (1n << SHIFT_BITS) - 1n

/** The unit of the block limit and of fees. */
export const transactionWeight = ({ inputs, outputs, kernels }: Shape): number => inputs + 21 * outputs + 3 * kernels

/** The minimum fee that a node's pool accepts for this shape, in nanogrin. */
export const minimumFee = (shape: Shape): bigint => BigInt(transactionWeight(shape)) * FEE_BASE

/** Splits a fee field: bits 0..39 nanogrin, 40..43 the shift; `stray` if other bits are set. */
export function splitFee(field: bigint): { readonly fee: bigint; readonly shift: bigint; readonly stray: boolean } {
  return {
    fee: field & MAX_FEE,
    shift: (field >> FEE_BITS) & MAX_SHIFT,
    stray: field >> (FEE_BITS + SHIFT_BITS) !== 0n,
  }
}

/** The fee as a pool counts it: shifted right by the payer's priority. */
export function shiftedFee(field: bigint): bigint {
  const { fee, shift } = splitFee(field)
  return fee >> shift
}

/** Makes a fee field. Throws RangeError outside fee 1 … 2^40-1 and shift 0 … 15. */
export function feeField(fee: bigint, shift = 0n): bigint {
  if (fee < 1n || fee > MAX_FEE) throw new RangeError(`fee out of range: ${fee}`)
  if (shift < 0n || shift > MAX_SHIFT) throw new RangeError(`fee shift out of range: ${shift}`)
  return (shift << FEE_BITS) | fee
}
