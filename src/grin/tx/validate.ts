// Validates a transaction as a node does: cheap rules first, range proofs last. Specification: grin-wallet, 2.4, 2.9; grin-crypto, 8.5, 9.
import { compareBytes, toHex } from '../../lib/bytes.js'
import {
  commit,
  commitmentsBalance,
  commitmentToPublicKey,
  isCommitment,
  scalarFromBytes,
  type VerifyRange,
  verifySignature,
} from '../crypto/index.js'
import { MAX_WEIGHT, minimumFee, type Shape, shiftedFee, splitFee, transactionWeight } from './fees.js'
import { feeOf, type Kernel, kernelHash, kernelMessage } from './kernel.js'
import { sortKey, type Transaction, type TxInput } from './transaction.js'

// The balance every node checks: outputs + fees*H - inputs - created*H = kernel excesses + offset*G. Specification: grin-crypto, 9.
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

/** The first reason for which a node refuses a transaction. */
export interface TxFailure {
  readonly code:
    | 'TX_EMPTY'
    | 'TX_TOO_HEAVY'
    | 'TX_COINBASE'
    | 'TX_BAD_COMMITMENT'
    | 'TX_UNSORTED'
    | 'TX_DUPLICATE'
    | 'TX_CUT_THROUGH'
    | 'TX_FEE_FIELD'
    | 'TX_FEE_TOO_LOW'
    | 'TX_KERNEL_SIGNATURE'
    | 'TX_KERNEL_SUM'
    | 'TX_RANGE_PROOF'
  readonly text: string
}

type Rule = { readonly code: TxFailure['code']; readonly broken: (tx: Transaction) => string | undefined }

/** Checked in this order; the first broken rule is the answer. */
const RULES: readonly Rule[] = [
  { code: 'TX_EMPTY', broken: missingParts },
  { code: 'TX_TOO_HEAVY', broken: tooHeavy },
  { code: 'TX_COINBASE', broken: coinbaseInside },
  { code: 'TX_BAD_COMMITMENT', broken: badCommitment },
  { code: 'TX_UNSORTED', broken: outOfOrder },
  { code: 'TX_DUPLICATE', broken: repeated },
  { code: 'TX_CUT_THROUGH', broken: outputSpentInside },
  { code: 'TX_FEE_FIELD', broken: badFeeField },
  { code: 'TX_FEE_TOO_LOW', broken: feeTooLow },
  { code: 'TX_KERNEL_SIGNATURE', broken: badKernelSignature },
  {
    code: 'TX_KERNEL_SUM',
    broken: (tx) => (tallies(tx) ? undefined : 'inputs, outputs, fee and kernels do not balance'),
  },
]

/** The first reason for which a node refuses `tx`, or undefined. Does not check that inputs exist. */
export async function validateTransaction(tx: Transaction, verifyRange: VerifyRange): Promise<TxFailure | undefined> {
  for (const { code, broken } of RULES) {
    const text = broken(tx)
    if (text !== undefined) return { code, text }
  }
  for (const { commitment, proof } of tx.outputs)
    if (!(await verifyRange(commitment, proof)))
      return { code: 'TX_RANGE_PROOF', text: `range proof of output ${short(commitment)} does not verify` }
  return undefined
}

/** The first 8 bytes in hex identify a commitment in a text. */
const short = (commitment: Uint8Array): string => `${toHex(commitment.subarray(0, 8))}…`

/** The counts that decide weight and minimum fee. */
export const shapeOfTransaction = ({ inputs, outputs, kernels }: Transaction): Shape => ({
  inputs: inputs.length,
  outputs: outputs.length,
  kernels: kernels.length,
})

function missingParts({ inputs, outputs, kernels }: Transaction): string | undefined {
  const missing = Object.entries({ inputs, outputs, kernels }).find(([, list]) => list.length === 0)
  return missing && `no ${missing[0]}`
}

function tooHeavy(tx: Transaction): string | undefined {
  const weight = transactionWeight(shapeOfTransaction(tx))
  return weight > MAX_WEIGHT ? `weighs ${weight}, at most ${MAX_WEIGHT}` : undefined
}

/** Only a block may create coins. */
function coinbaseInside({ outputs, kernels }: Transaction): string | undefined {
  if (outputs.some(({ coinbase }) => coinbase)) return 'a coinbase output'
  return kernels.some(({ features }) => features.kind === 'coinbase') ? 'a coinbase kernel' : undefined
}

function badCommitment({ inputs, outputs, kernels }: Transaction): string | undefined {
  const all = [...inputs, ...outputs].map(({ commitment }) => commitment)
  const bad = [...all, ...kernels.map(({ excess }) => excess)].find((one) => !isCommitment(one))
  return bad && `${short(bad)} is not a commitment`
}

/** Each list is sorted by hash. Equal neighbours are in order here, and duplicates by the next rule. */
function outOfOrder({ inputs, outputs, kernels }: Transaction): string | undefined {
  const hashes = { inputs: inputs.map(sortKey), outputs: outputs.map(sortKey), kernels: kernels.map(kernelHash) }
  const wrong = Object.entries(hashes).find(([, list]) =>
    list.some((hash, i) => compareBytes(list[i - 1] ?? hash, hash) > 0),
  )
  return wrong && `${wrong[0]} are not in order`
}

function repeated({ inputs, outputs, kernels }: Transaction): string | undefined {
  const commitments = (list: readonly TxInput[]) => list.map(({ commitment }) => commitment)
  const names = { inputs: commitments(inputs), outputs: commitments(outputs), kernels: kernels.map(kernelHash) }
  const wrong = Object.entries(names).find(([, list]) => new Set(list.map(toHex)).size < list.length)
  return wrong && `${wrong[0]} contain ${wrong[0] === 'kernels' ? 'a kernel' : 'a commitment'} twice`
}

function outputSpentInside({ inputs, outputs }: Transaction): string | undefined {
  const spent = new Set(inputs.map(({ commitment }) => toHex(commitment)))
  const both = outputs.find(({ commitment }) => spent.has(toHex(commitment)))
  return both && `output ${short(both.commitment)} is also an input`
}

function badFeeField({ kernels }: Transaction): string | undefined {
  const bad = kernels
    .map(({ features }) => feeOf(features))
    .find((field) => splitFee(field).stray || !splitFee(field).fee)
  return bad === undefined ? undefined : `fee field ${bad} is not valid`
}

function feeTooLow(tx: Transaction): string | undefined {
  const paid = tx.kernels.reduce((sum, { features }) => sum + shiftedFee(feeOf(features)), 0n)
  const least = minimumFee(shapeOfTransaction(tx))
  return paid < least ? `fee ${paid} nanogrin, at least ${least} for this shape` : undefined
}

function badKernelSignature({ kernels }: Transaction): string | undefined {
  const bad = kernels.find((kernel) => !isSigned(kernel))
  return bad && `signature of kernel ${short(bad.excess)} does not verify`
}

/** Whether a kernel's signature is valid, as a node checks it. The excess must be a commitment. */
export const isSigned = ({ features, excess, signature }: Kernel): boolean =>
  verifySignature({ signature, publicKey: commitmentToPublicKey(excess), message: kernelMessage(features) })

function tallies({ inputs, outputs, kernels, offset }: Transaction): boolean {
  const fees = kernels.reduce((sum, { features }) => sum + splitFee(feeOf(features)).fee, 0n)
  return kernelSumsBalance({
    inputs,
    outputs,
    excesses: kernels.map(({ excess }) => excess),
    offset,
    fees,
    created: 0n,
  })
}
