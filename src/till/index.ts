export type * from './api.js'
export type * from './console-reads.js'
export {
  createForeignApi,
  FOREIGN_BODY_LIMIT,
  type ForeignAnswer,
  type ForeignApi,
} from './grin1/foreign-api.js'
export type * from './legacy-import/parts.js'
export { takeOver } from './legacy-import/take-over.js'
export { type TillLoop, tillLoops } from './loops.js'
export type * from './model.js'
export { createNostrRail, type NostrRail, type NostrRailParts, type RelayHooks } from './nostr/index.js'
export { createSharedRail, type SharedRail } from './nostr/shared-rail.js'
export { MAX_LOGO_BYTES, readShopLogo } from './pages/shop-logo.js'
export type { IncomingSlate, TillParts, Wallet } from './parts.js'
export type { RailOffer } from './payments/acceptance.js'
export type * from './ports.js'
export { tillOpenapi } from './routes/openapi.js'
export type { ReportView } from './routes/reports.js'
export type { CreateInvoiceBody } from './routes/requests.js'
export type * from './routes/schemas.js'
export { type TillHttpOptions, tillHttp } from './routes/till-http.js'
export type { SaleReads } from './sale-reads.js'
export { createTill, type RunningTill } from './till.js'
export { createWallet } from './wallet/wallet.js'
export { areAllFailing, isAnyFailing } from './webhooks/receiver-health.js'
