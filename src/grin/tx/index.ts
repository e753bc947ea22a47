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
  signatureJson,
} from './kernel.js'
export { parseKernelJson, parseOutputJson, parseTransactionJson } from './parse.js'
export {
  drawSecrets,
  excessOf,
  hasSigned,
  openSigningSession,
  packSecrets,
  participantOf,
  type SlateSecrets,
  sealKernel,
  signedParticipant,
  stepOffset,
  unpackSecrets,
} from './signing.js'
export { kernelSumsBalance } from './sums.js'
export {
  commitmentsOf,
  encodeTransaction,
  sortByHash,
  sortKey,
  type Transaction,
  transactionBody,
  transactionHash,
  transactionJson,
} from './transaction.js'
export { isSigned, shapeOfTransaction, validateTransaction } from './validate.js'
