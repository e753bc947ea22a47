export { openDocument, type ReplaceFile } from './documents.js'
export { type OpenTillStore, openTillReader, openTillStore } from './till-store.js'
