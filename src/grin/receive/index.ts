export { ownAddresses } from './addresses.js'
export {
  finalizeInvoice,
  issueInvoice,
  issueWith,
} from './invoice.js'
export { checkI2 } from './invoice-rules.js'
export { receiveS1, receiveWith } from './receive.js'

export { replyArmor } from './reply.js'
export { checkS1, S1_RULES } from './rules.js'
export { createSecretVault } from './secret-vault.js'
