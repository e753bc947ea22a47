export { openDocument, type ReplaceFile } from './documents.js'
export { type OpenTillStore, openTillReader, openTillStore, type TillReader } from './till-store.js'
