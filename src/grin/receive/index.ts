export { type OwnAddress, ownAddresses } from './addresses.js'
export {
  type FinalizedInvoice,
  type FinalizeInput,
  finalizeInvoice,
  type IssueInput,
  issueInvoice,
  issueWith,
  type OpenInvoice,
} from './invoice.js'
export { checkI2 } from './invoice-rules.js'
export { type ReceivedPayment, type ReceiveInput, receiveS1, receiveWith } from './receive.js'
export type { Refusal } from './refusal.js'
export { type ReplyOptions, replyArmor } from './reply.js'
export { checkS1, type ReceiveRules, S1_RULES } from './rules.js'
export { createSecretVault, type SecretVault } from './secret-vault.js'
