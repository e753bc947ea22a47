export {
  type Direction,
  type SyncParts,
  type SyncProgress,
  type SyncSummary,
  type SyncTransfer,
  syncRelays,
} from './sync.js'
