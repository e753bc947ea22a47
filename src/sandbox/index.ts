export { createEventFeed, type EventFeed } from './events.js'
export { forwardTo } from './forward.js'
export { openHome, type SandboxHome } from './home.js'
export { introduce } from './introduction.js'
export { type SandboxNode, startSandboxNode } from './node.js'
export { payTargetOf } from './pay-target.js'
export {
  createSandboxPayer,
  type FinishedPayment,
  type HeldPayment,
  type SandboxPayer,
} from './payer.js'
export { steer } from './payer-http.js'
export { sandboxVariables } from './settings.js'
export { type Told, tellStory } from './story.js'
export { createVoice, type Print } from './voice.js'
