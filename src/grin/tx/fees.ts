// Weights and fees. Specification: grin-wallet.md 2.4.

export interface Shape {
  readonly inputs: number
  readonly outputs: number
  readonly kernels: number
}

/** Nanogrin per unit of weight. */
export const FEE_BASE = 500_000n
/** What a transaction may weigh at most. */
export const MAX_WEIGHT = 39_976
/** What the smallest transaction that pays us (one input, our output, one kernel) costs. */
export const SMALLEST_FEE = 12_500_000n

const FEE_BITS = 40n
const SHIFT_BITS = 4n
const MAX_FEE = (1n << FEE_BITS) - 1n
const MAX_SHIFT = (1n << SHIFT_BITS) - 1n

/** What a block's limit and the fee are counted in. */
export const transactionWeight = ({ inputs, outputs, kernels }: Shape): number => inputs + 21 * outputs + 3 * kernels

/** The least fee a node's pool takes for this shape, in nanogrin. */
export const minimumFee = (shape: Shape): bigint => BigInt(transactionWeight(shape)) * FEE_BASE

/** What a fee field holds: bits 0..39 nanogrin, 40..43 the shift, and stray bits. */
export function splitFee(field: bigint): { readonly fee: bigint; readonly shift: bigint; readonly stray: boolean } {
  return {
    fee: field & MAX_FEE,
    shift: (field >> FEE_BITS) & MAX_SHIFT,
    stray: field >> (FEE_BITS + SHIFT_BITS) !== 0n,
  }
}

/** The fee that counts for a pool: shifted right by the priority the payer chose. */
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
