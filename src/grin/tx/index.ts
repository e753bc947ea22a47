export {
  FEE_BASE,
  feeField,
  MAX_WEIGHT,
  minimumFee,
  type Shape,
  SMALLEST_FEE,
  shiftedFee,
  splitFee,
  weightOf,
} from './fees.js'
export {
  encodeKernel,
  featuresJson,
  featuresOfSlate,
  type Kernel,
  type KernelFeatures,
  kernelHash,
  kernelMessage,
  type ProtocolVersion,
  signatureJson,
} from './kernel.js'
export { parseKernelJson, parseTransactionJson } from './parse.js'
export {
  drawSecrets,
  excessOf,
  hasSigned,
  openSession,
  packSecrets,
  participantOf,
  type RandomBytes,
  type Session,
  type SlateSecrets,
  sealKernel,
  signedParticipant,
  stepOffset,
  unpackSecrets,
} from './signing.js'
export { type KernelSums, kernelSumsBalance } from './sums.js'
export {
  bodyOf,
  commitmentsOf,
  encodeTransaction,
  sortByHash,
  sortKey,
  type Transaction,
  type TxInput,
  type TxOutput,
  transactionHash,
  transactionJson,
} from './transaction.js'
export { isSigned, shapeOf, type TxFailure, validateTransaction } from './validate.js'
