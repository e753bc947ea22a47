export { createReservedCheck, isHoldableName, shapeOf } from '../names/index.js'
export { createNameAdmin, type NameAdmin } from './admin.js'

export type { NameStatusView } from './status.js'
export type { GrantView, HistoryView, NameView, OfferView, ReservedView } from './views.js'
