export type { LegacyRow } from './cells.js'
export type * from './parts.js'
export { takeOver } from './take-over.js'
