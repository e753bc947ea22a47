export { createReservedCheck, isHoldableName, shapeOf } from '../names/rules.js'
export { createNameAdmin, type NameAdmin, type OfferWithSale } from './admin.js'
export type { NameStatus, NameStatusView } from './status.js'
export { type GrantView, type HistoryView, type NameView, type OfferView, type ReservedView, stateOf } from './views.js'
