export { type Direction, type Progress, type SyncParts, type SyncSummary, syncRelays, type Transfer } from './sync.js'
