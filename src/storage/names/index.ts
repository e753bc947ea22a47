// The front door of the name authority's database. Loaded on first use; `row-format.ts` stays apart because an export of rows needs nothing else.
export type { ImportChange, ImportConflict, ImportOutcome } from './import.js'
export type { SourceRow } from './legacy-import.js'
export type { NameRow } from './row-kinds.js'
export { type NameSource, openNameSource } from './source.js'
export { type OpenNameStore, openNameReader, openNameStore } from './store.js'
export type { NameTotals } from './totals.js'
