export type { RailOffer } from './acceptance.js'
export type * from './api.js'
export {
  createForeignApi,
  FOREIGN_BODY_LIMIT,
  type ForeignAnswer,
  type ForeignApi,
} from './foreign/index.js'
export type { IdKind, IdSearch } from './id-search.js'
export type * from './model.js'
export * from './moving/index.js'
export { createNostrRail, type NostrRail, type NostrRailParts, type RelayHooks } from './nostr/index.js'
export { MAX_LOGO_BYTES, readShopLogo } from './pages/index.js'
export type { IncomingSlate, TillParts, Wallet } from './parts.js'
export type * from './ports.js'
export { areAllFailing } from './receiver-health.js'
export { tillOpenapi } from './routes/openapi.js'
export { type TillHttpOptions, tillHttp } from './routes/till-http.js'
export type * from './routes/views.js'
export { createTill, type RunningTill } from './till.js'
export { createWallet } from './wallet.js'
export { tillLoops } from './workers/loops.js'
