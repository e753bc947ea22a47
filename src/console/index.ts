// The front door of the console.
export type {
  ActionOutcome,
  ActionRequest,
  Confirmation,
  ConsoleAction,
  ConsoleArea,
  ConsolePage,
  ConsoleStream,
  Field,
  PageContent,
  PageRequest,
} from './area.js'
export { badField, noSuchPerson, noSuchSession } from './errors.js'
export { asHtml } from './html.js'
export { createConsoleApp } from './http/service.js'
export { address, cursorOf, pagesOf } from './pages/address.js'
export { liveStream, REFRESH_SECONDS } from './pages/live.js'
export { createPeopleArea } from './pages/people/people.js'
export { type Plot, plotOf } from './pages/plot.js'
export { LONGEST_REASON, REASON, reasonOf } from './pages/reason.js'
export { clip, type Tag } from './pages/words.js'
export type { AuditEntry, ConsoleStore, Link, NewSession, Passkey, PersonRecord, Session } from './ports.js'
export { consoleHosts } from './sign-in/origin.js'
export type { Role } from './sign-in/roles.js'
export { newLink, type WantedLink } from './sign-in/sign-in.js'
