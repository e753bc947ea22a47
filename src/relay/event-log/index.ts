export type * from './event-log.js'
export { createEmbeddedLog } from './event-log.js'
