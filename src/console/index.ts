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
export { type Plot, plotOf } from './pages/plot.js'
export { LONGEST_REASON, REASON, reasonOf } from './pages/reason.js'
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
export { clip, type Tag } from './pages/words.js'
export type { AuditEntry, ConsoleStore, Link, NewSession, Passkey, PersonRecord, Session } from './ports.js'
export { createPosArea } from './pos/area.js'
export type { NewSale, PaidFrom, Sale, SaleDesk } from './pos/desk.js'
export { consoleHosts } from './sign-in/origin.js'
export type { Role } from './sign-in/roles.js'
export { newLink, type WantedLink } from './sign-in/sign-in.js'
