import type { Publisher, PublisherParts } from './moving/publisher.js'
import type { SyncParts, SyncSummary } from './sync/sync.js'

export type { ClientConnection } from './connection/connection.js'
export { OTHER_KINDS } from './counters.js'
export type {
  ChangeEntry,
  EventLog,
  LogChange,
  LogDigest,
  LogEvent,
  LogFollower,
  LogSettings,
  RelayLog,
  Spared,
} from './event-log.js'
export type { PendingEvent } from './ingest/verify-queue.js'
export * from './management/management.js'
export { type Lines, newestLines, oldestLines } from './moving/chronological-export.js'
export { importLines, type PublishAnswer } from './moving/import.js'
export type { ImportCounts } from './moving/import-counts.js'
export type { Publisher } from './moving/publisher.js'
export { LISTED_HEAP_BYTES, LISTINGS_AT_ONCE } from './negentropy/reconciliation-budget.js'
export * from './policy/index.js'
export type * from './ports.js'
export { createRelay, type Relay, type RelayMetrics, type RelayParts } from './relay.js'
export { managementRoute } from './routes/management.js'
export type { Restrictions } from './routes/nip11.js'
export { RELAY_APP, type RelayHttpOptions, relayHttp } from './routes/relay-http.js'
export type * from './settings.js'
export { attachSockets, type SocketParts } from './sockets/sockets.js'
export type { Direction, SyncParts, SyncProgress, SyncSummary, SyncTransfer } from './sync/sync.js'
export { warmUp } from './warm-up/warm-up.js'

// Loaded on first use: a running relay needs no client of other relays.
export const openPublisher = async (parts: PublisherParts): Promise<Publisher> =>
  (await import('./moving/publisher.js')).openPublisher(parts)
export const syncRelays = async (parts: SyncParts): Promise<SyncSummary> =>
  (await import('./sync/sync.js')).syncRelays(parts)
