// The balance every node checks: outputs + fees*H - inputs - created*H = kernel excesses + offset*G. Specification: grin-crypto, 9.
import { commit, commitmentsBalance, scalarFromBytes } from '../crypto/index.js'
import type { TxInput } from './transaction.js'

/** The members of the equation inputs + created = outputs + fees + excesses + offset. */
export interface KernelSums {
  readonly inputs: readonly TxInput[]
  readonly outputs: readonly TxInput[]
  /** Kernel excesses, 33 bytes each. */
  readonly excesses: readonly Uint8Array[]
  /** 32 bytes; of several transactions or a whole block, the sum. */
  readonly offset: Uint8Array
  /** Nanogrin paid as fees. Zero for a block: its coinbase output takes the fees. */
  readonly fees: bigint
  /** Nanogrin created by blocks (60 GRIN each); zero for transactions. */
  readonly created: bigint
}

/** Whether a transaction, several together, or a block balance. False for an offset that is no scalar. Throws BAD_POINT. */
export function kernelSumsBalance({ inputs, outputs, excesses, offset, fees, created }: KernelSums): boolean {
  const blind = scalarOrUndefined(offset)
  if (blind === undefined) return false
  const pos = [...outputs.map(({ commitment }) => commitment), ...coins(fees)]
  const neg = [...inputs.map(({ commitment }) => commitment), ...coins(created), ...excesses]
  return commitmentsBalance(pos, blind === 0n ? neg : [...neg, commit(0n, blind)])
}

/** An amount as a commitment without blinding; empty for zero, which has no commitment. */
const coins = (amount: bigint): Uint8Array[] => (amount === 0n ? [] : [commit(amount, 0n)])

function scalarOrUndefined(bytes: Uint8Array): bigint | undefined {
  try {
    return scalarFromBytes(bytes)
  } catch {
    return undefined
  }
}
