import type { SyncParts, SyncSummary } from './sync.js'

export type { Direction, SyncParts, SyncProgress, SyncSummary, SyncTransfer } from './sync.js'

/** Loaded on first use: a running relay needs neither this nor a client of other relays. */
export const syncRelays = async (parts: SyncParts): Promise<SyncSummary> =>
  (await import('./sync.js')).syncRelays(parts)
