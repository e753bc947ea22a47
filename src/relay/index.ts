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
} from './event-log/index.js'
export type { PendingEvent } from './ingest/pending-event.js'
export * from './management/management.js'
export * from './moving/index.js'
export { LISTED_HEAP_BYTES, LISTINGS_AT_ONCE } from './negentropy/index.js'
export * from './policy/index.js'
export type * from './ports.js'
export { createRelay, type Relay, type RelayMetrics, type RelayParts } from './relay.js'
export * from './routes/index.js'
export type { Restrictions } from './routes/nip11.js'
export type * from './settings.js'
export { attachSockets, type SocketParts } from './sockets/sockets.js'
export * from './sync/index.js'
export { warmUp } from './warm-up/warm-up.js'
