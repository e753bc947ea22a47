export type { AncestorRow, Cell } from './cells.js'
export type * from './parts.js'
export { takeOver } from './take-over.js'
