// The till's database: opening it, and reading the database of the till that came before grinpay.
export { readLegacyTill } from './legacy-file.js'
export type { TillImportCounts, TillImportOutcome } from './legacy-import.js'
export { type OpenTillStore, openTillReader, openTillStore, type RunningTillStore, type TillReader } from './store.js'
