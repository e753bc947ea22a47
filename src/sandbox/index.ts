export { type Customers, createCustomers, payRailOf } from './customers.js'
export { createEventFeed, type EventFeed } from './events.js'
export { forwardTo } from './forward.js'
export { openHome, type SandboxHome } from './home.js'
export { introduce } from './introduction.js'
export { createNameTale } from './name-tale.js'
export { type SandboxNode, startSandboxNode } from './node.js'
export { invoiceElsewhere, payUrlElsewhere } from './pay-elsewhere.js'
export { invoiceIdOf } from './pay-target.js'
export {
  createSandboxPayer,
  type FinishedPayment,
  type HeldPayment,
  type SandboxPayer,
} from './payer.js'
export { invoiceIdAt, steer } from './payer-http.js'
export { type NameAddresses, sandboxNameVariables, sandboxRelayVariables, sandboxVariables } from './settings.js'
export { type Told, tellStory } from './story.js'
export { createVoice, type Print } from './voice.js'
