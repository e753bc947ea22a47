// The front door of the console.
export type {
  ActionRequest,
  Confirmation,
  ConsoleAction,
  ConsoleArea,
  ConsolePage,
  Field,
  PageRequest,
} from './area.js'
export { badField, noSuchPerson, noSuchSession } from './errors.js'
export { createConsoleApp } from './http/service.js'
export { address, cursorOf, pagesOf } from './pages/address.js'
export { liveStream, REFRESH_SECONDS } from './pages/live.js'
export { createPeopleArea } from './pages/people/people.js'
export { REASON, reasonOf } from './pages/reason.js'
export { createRelayArea } from './pages/relay/area.js'
export {
  LIST_NAMES,
  type RelayActivity,
  type RelayDesk,
  type RelayFigures,
  type RelayHour,
  type RelayListEntry,
  type RelayListName,
  type RelaySetup,
  type StoredAnswer,
  type StoredEvents,
} from './pages/relay/desk.js'
export { listsTooLong } from './pages/relay/errors.js'
export { createMoveArea } from './pages/relay/moving/area.js'
export type { EventFile, EventFolder, ExportOrder, Move, MoveDesk } from './pages/relay/moving/desk.js'
export type { ReportAnswer, ReportDesk, ReportQuestion } from './pages/reports/desk.js'
export { createReportsArea } from './pages/reports/reports.js'
export { createTillArea } from './pages/till/area.js'
export {
  CHART_DAYS,
  type DaySum,
  type Health,
  type InvoiceResults,
  type InvoiceSearch,
  MOST_COUNTED,
  type Sum,
  type TillDesk,
} from './pages/till/desk.js'
export type { Tag } from './pages/words.js'
export type { AuditEntry, ConsoleStore, Link, NewSession, Passkey, PersonRecord, Session } from './ports.js'
export { createPosArea } from './pos/area.js'
export type { NewSale, PaidFrom, Sale, SaleDesk } from './pos/desk.js'
export { consoleHosts } from './sign-in/origin.js'
export type { Role } from './sign-in/roles.js'
export { newLink, type WantedLink } from './sign-in/sign-in.js'
