export { createFrameWriter, type FrameWriter } from './frame-writer.js'
export { eventPrefix } from './frames.js'
export { createOutbox, type Outbox, type OutboxParts } from './outbox.js'
