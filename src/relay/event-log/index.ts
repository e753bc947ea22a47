export { createEmbeddedLog } from './embedded-log.js'
export type * from './event-log.js'
