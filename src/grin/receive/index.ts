export {
  type FinalizedInvoice,
  finalizeInvoice,
  issueInvoice,
  issueWith,
  type OpenInvoice,
} from './invoice.js'
export { checkI2 } from './invoice-rules.js'
export { type ReceivedPayment, receiveS1, receiveWith, replyArmor } from './receive.js'
export type { SlateRefusal } from './rules.js'
export { checkS1, type OwnAddress, ownAddresses, type ReceiveRules, S1_RULES } from './rules.js'
export { createSecretVault } from './secret-vault.js'
