export { eventPrefix } from './frames.js'
export { createOutbox, type Outbox, type OutboxParts } from './outbox.js'
export { createPress, type Press } from './press.js'
