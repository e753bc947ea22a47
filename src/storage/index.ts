export { type OpenTillStore, openTillReader, openTillStore } from './till-store.js'
