export type { Chain, MineOptions, ReorgOptions } from './chain.js'
export { createEventFeed, type EventFeed, type SeenEvent } from './events.js'
export { forwardTo } from './forward.js'
export { openHome, type SandboxHome } from './home.js'
export { introduce } from './introduction.js'
export { type SandboxNode, type SandboxNodeParts, startSandboxNode } from './node.js'
export type { Absence } from './node-server.js'
export { payTargetOf } from './pay-target.js'
export {
  createSandboxPayer,
  type FinishedPayment,
  type HeldPayment,
  type PayerParts,
  type SandboxPayer,
} from './payer.js'
export { steer } from './payer-http.js'
export { SANDBOX_CONFIRMATIONS, sandboxVariables } from './settings.js'
export { type StoryParts, type Told, tellStory } from './story.js'
export { createVoice, type Print } from './voice.js'
