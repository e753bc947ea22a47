// Transactions: JSON of a node's `push_transaction`, binary forms, kernels, fees, and the checks of a node's pool.
import { type Transaction, type TxFailure, validateTransaction as validate } from '../grin/tx/index.js'
import { localProver, type Prover } from './local-prover.js'

export {
  commitmentsOf,
  encodeKernel,
  encodeTransaction,
  FEE_BASE,
  feeField,
  type Kernel,
  type KernelFeatures,
  type KernelFeaturesJson,
  type KernelSums,
  kernelHash,
  kernelMessage,
  kernelSumsBalance,
  MAX_WEIGHT,
  minimumFee,
  type ProtocolVersion,
  parseKernelJson,
  parseOutputJson,
  parseTransactionJson,
  type Shape,
  SMALLEST_FEE,
  shapeOfTransaction,
  shiftedFee,
  sortByHash,
  splitFee,
  type Transaction,
  type TransactionJson,
  type TxFailure,
  type TxInput,
  type TxOutput,
  transactionBody,
  transactionHash,
  transactionJson,
  transactionWeight,
} from '../grin/tx/index.js'

/** The first reason for which a node refuses the transaction, or undefined. Does not check that its inputs exist. */
export const validateTransaction = (
  transaction: Transaction,
  { prover = localProver }: { readonly prover?: Prover } = {},
): Promise<TxFailure | undefined> => validate(transaction, prover.verify)
