export {
  FEE_BASE,
  feeField,
  MAX_WEIGHT,
  minimumFee,
  type Shape,
  SMALLEST_FEE,
  shiftedFee,
  splitFee,
  transactionWeight,
} from './fees.js'
export {
  encodeKernel,
  featuresJson,
  featuresOfSlate,
  type Kernel,
  type KernelFeatures,
  type KernelFeaturesJson,
  kernelHash,
  kernelMessage,
  type ProtocolVersion,
  signatureJson,
} from './kernel.js'
export { parseKernelJson, parseOutputJson, parseTransactionJson } from './parse.js'
export {
  boundSecrets,
  excessOf,
  hasSigned,
  openSigningSession,
  packSecrets,
  participantOf,
  type SecretSource,
  type SlateSecrets,
  sealKernel,
  signedParticipant,
  stepOffset,
  unpackSecrets,
} from './signing.js'
export {
  commitmentsOf,
  encodeTransaction,
  sortByHash,
  sortKey,
  type Transaction,
  type TransactionJson,
  type TxInput,
  type TxOutput,
  transactionBody,
  transactionHash,
  transactionJson,
} from './transaction.js'
export {
  isSigned,
  type KernelSums,
  kernelSumsBalance,
  shapeOfTransaction,
  type TxFailure,
  validateTransaction,
} from './validate.js'
