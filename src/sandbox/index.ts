export { type Customers, createCustomers, payRailOf } from './customers.js'
export { createEventFeed, type EventFeed, forwardTo } from './events.js'
export { openHome, type SandboxHome } from './home.js'
export { introduce, nodePortFlag } from './introduction.js'
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
export { createPrinter, type Print } from './printer.js'
export {
  type NameAddresses,
  sandboxNamesFile,
  sandboxNameVariables,
  sandboxRelayVariables,
  sandboxVariables,
} from './settings.js'
export { offerInvoice, runScript, type ScriptResult } from './story.js'
