export { type Customers, createCustomers, payRailOf } from './customers.js'
export { openHome, type SandboxHome } from './home.js'
export { createNameScript } from './name-script.js'
export { type SandboxNode, startSandboxNode } from './node.js'
export { createPasteCustomer } from './paste-customer.js'
export { invoiceElsewhere, invoiceIdOf, payUrlElsewhere } from './pay-target.js'
export {
  createSandboxPayer,
  type HeldPayment,
  type SandboxPayer,
  type SignedPayment,
} from './payer.js'
export { invoiceIdAt, steer } from './payer-http.js'
export {
  introduce,
  type NameAddresses,
  nodePortFlag,
  sandboxNamesFile,
  sandboxNameVariables,
  sandboxRelayVariables,
  sandboxVariables,
} from './settings.js'
export {
  createEventFeed,
  createPrinter,
  type EventFeed,
  forwardTo,
  offerInvoice,
  type Print,
  runScript,
  type ScriptResult,
} from './story.js'
