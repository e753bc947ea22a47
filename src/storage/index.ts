export { openDocument, type ReplaceFile } from './documents.js'
export { type OpenNameStore, openNameReader, openNameStore } from './name-store.js'
export { type OpenTillStore, openTillReader, openTillStore, type TillReader } from './till-store.js'
