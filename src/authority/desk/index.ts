export type { AssignedView, ChangeView, EvictedView, VoidedView } from './changes.js'
export { createDesk, type Desk } from './desk.js'
export type { ReservationView, StandingView } from './standing.js'
export type { GrantView, HistoryView, NameView, OfferDetailView, OfferView, ReservedView } from './views.js'
