// The front door. What is behind it is loaded by the first who opens something: a name authority needs nothing of a till.

import type { DaemonName } from '../lib/daemon-names.js'
import type { LegacyTill } from '../till/index.js'
import type { openConsoleStore as OpenConsoleStoreVerb } from './console/store.js'
import type {
  CopyFacts,
  copyWhileUsed as CopyWhileUsed,
  DatabaseName,
  examineCopy as ExamineCopy,
  isInUse as IsInUse,
  reviveTill as ReviveTill,
} from './copies.js'
import type { Document, DocumentParts } from './documents.js'
import type {
  changeEvents as ChangeEventsVerb,
  isServed as IsServed,
  openEventCounter as OpenEventCounter,
  openEventReader as OpenEventReaderVerb,
} from './events/event-commands.js'
import type { openEventStore as OpenEventStoreVerb } from './events/event-store.js'
import type { LogCopy } from './events/log-copy.js'
import type { NameSource, openNameReader as OpenNameReader, openNameStore as OpenNameStoreVerb } from './names/index.js'
import type { SeenInstance } from './postgres/instances.js'
import type {
  importSharedNames as ImportSharedNames,
  moveNames as MoveNames,
  moveNamesBack as MoveNamesBack,
} from './postgres/names/move.js'
import type { openSharedNames as OpenSharedNames } from './postgres/names/store.js'
import type { lookAtNodes as LookAtNodes } from './postgres/nodes.js'
import type { DatabasePlace } from './postgres/place.js'
import type { openSharedLog as OpenSharedLog } from './postgres/relay-log/log.js'
import type { lookAtRelayLog as LookAtRelayLog } from './postgres/relay-log/look.js'
import type { raiseRules as RaiseRules } from './postgres/relay-log/rules.js'
import type { adoptTill as AdoptTill } from './postgres/till/adopt.js'
import type { moveTill as MoveTill, moveTillBack as MoveTillBack } from './postgres/till/move.js'
import type { openSharedTill as OpenSharedTill } from './postgres/till/store.js'
import type { forgetWatermark as ForgetWatermark } from './postgres/watermark.js'
import type { openRelayLists as OpenRelayLists } from './relay-lists.js'
import type { Claim } from './sqlite/claim.js'
import type { openTillReader as OpenTillReader, openTillStore as OpenTillStoreVerb } from './till/index.js'
import type { openTillProfiles as OpenTillProfiles } from './till-profiles.js'

export type { OpenConsoleStore } from './console/store.js'
export type { CopyFacts, DatabaseName } from './copies.js'
export type { Document, ReplaceFile } from './documents.js'
export { databaseMissing } from './errors.js'
export type { EventReader } from './events/event-commands.js'
export type { OpenEventStore } from './events/event-store.js'
export type { FollowedLog } from './events/following.js'
export type { LogCopy } from './events/log-copy.js'
export type { ReaderCounts } from './events/readers/readers.js'
export type { EventStats } from './events/stats.js'
export type {
  ImportChange,
  ImportConflict,
  ImportOutcome,
  NameSource,
  NameTotals,
  OpenNameStore,
  SourceRow,
} from './names/index.js'
export { formatNameRow } from './names/row-format.js'
export type { Instances, SeenInstance } from './postgres/instances.js'
export type { NodeView as ClusterNode } from './postgres/nodes.js'
export type { DatabasePlace } from './postgres/place.js'
export type { SharedLog } from './postgres/relay-log/log.js'
export type { RelayLogView } from './postgres/relay-log/look.js'
export type { SharedTillStore as SharedTill } from './postgres/till/store.js'
export {
  giveBackReserves,
  logBytes,
  reservedBytes,
  reservesBeside,
  roomBeside,
  writeReserve,
} from './sqlite/reserve.js'
export type { OpenTillStore, RunningTillStore, TillImportOutcome, TillReader } from './till/index.js'
export type { TillProfile, TillProfiles } from './till-profiles.js'

export const openDocument = async <T>(parts: DocumentParts<T>): Promise<Document<T>> =>
  (await import('./documents.js')).openDocument(parts)

export const openTillProfiles: typeof OpenTillProfiles = async (parts) =>
  (await import('./till-profiles.js')).openTillProfiles(parts)

export const openTillStore: typeof OpenTillStoreVerb = async (parts) =>
  (await import('./till/index.js')).openTillStore(parts)
export const openTillReader: typeof OpenTillReader = async (parts) =>
  (await import('./till/index.js')).openTillReader(parts)

export const openConsoleStore: typeof OpenConsoleStoreVerb = async (parts) =>
  (await import('./console/store.js')).openConsoleStore(parts)

export const openNameStore: typeof OpenNameStoreVerb = async (parts) =>
  (await import('./names/index.js')).openNameStore(parts)
export const openNameReader: typeof OpenNameReader = async (parts) =>
  (await import('./names/index.js')).openNameReader(parts)

/** A till in PostgreSQL; the client is loaded with it. */
export const openSharedTill: typeof OpenSharedTill = async (parts) =>
  (await import('./postgres/till/store.js')).openSharedTill(parts)

/** Names in PostgreSQL; the client is loaded with it. */
export const openSharedNames: typeof OpenSharedNames = async (parts) =>
  (await import('./postgres/names/store.js')).openSharedNames(parts)

/** The log of several front ends in PostgreSQL; the client is loaded with it. */
export const openSharedLog: typeof OpenSharedLog = async (parts) =>
  (await import('./postgres/relay-log/log.js')).openSharedLog(parts)

// What commands do with the rows there: postgres/admin.ts.
const postgresAdmin = () => import('./postgres/admin.js')
export const moveNames: typeof MoveNames = async (parts) => (await postgresAdmin()).moveNames(parts)
export const moveNamesBack: typeof MoveNamesBack = async (parts) => (await postgresAdmin()).moveNamesBack(parts)
export const importSharedNames: typeof ImportSharedNames = async (parts) =>
  (await postgresAdmin()).importSharedNames(parts)
export const moveTill: typeof MoveTill = async (parts) => (await postgresAdmin()).moveTill(parts)
export const moveTillBack: typeof MoveTillBack = async (parts) => (await postgresAdmin()).moveTillBack(parts)
export const adoptTill: typeof AdoptTill = async (...args) => (await postgresAdmin()).adoptTill(...args)
export const forgetWatermark: typeof ForgetWatermark = async (...args) =>
  (await postgresAdmin()).forgetWatermark(...args)
export const lookAtNodes: typeof LookAtNodes = async (...args) => (await postgresAdmin()).lookAtNodes(...args)
/** The same of a till. */
export const migrateTill = async (place: DatabasePlace): Promise<readonly number[]> => {
  const { migrateOnPrimary, TILL_SERVICE } = await postgresAdmin()
  return migrateOnPrimary({ place, service: TILL_SERVICE })
}
/** Answers the numbers of the steps that were missing. */
export const migrateNames = async (place: DatabasePlace): Promise<readonly number[]> => {
  const { migrateOnPrimary, NAMES_SERVICE } = await postgresAdmin()
  return migrateOnPrimary({ place, service: NAMES_SERVICE })
}
/** The same for the log of a relay. */
export const migrateRelayLog = async (place: DatabasePlace): Promise<readonly number[]> => {
  const { migrateOnPrimary, RELAY_LOG_SERVICE } = await postgresAdmin()
  return migrateOnPrimary({ place, service: RELAY_LOG_SERVICE })
}
/** A relay's log, and who follows it. */
export const lookAtRelayLog: typeof LookAtRelayLog = async (parts) => (await postgresAdmin()).lookAtRelayLog(parts)
/** Raises the rules by which a relay's front ends decide. */
export const raiseRelayRules: typeof RaiseRules = async (...order) => (await postgresAdmin()).raiseRules(...order)
/** The processes that share these tables. */
export const seenInstances = async (daemon: DaemonName, place: DatabasePlace): Promise<readonly SeenInstance[]> => {
  const { listInstances, NAMES_SERVICE, RELAY_LOG_SERVICE, TILL_SERVICE } = await postgresAdmin()
  const service = { pay: TILL_SERVICE, nameauth: NAMES_SERVICE, relay: RELAY_LOG_SERVICE }[daemon]
  return listInstances({ place, service })
}

export const openEventStore: typeof OpenEventStoreVerb = async (parts) =>
  (await import('./events/event-store.js')).openEventStore(parts)
export const openEventReader: typeof OpenEventReaderVerb = async (parts) =>
  (await import('./events/event-commands.js')).openEventReader(parts)
/** Counts in a thread. */
export const openEventCounter: typeof OpenEventCounter = async (path) =>
  (await import('./events/event-commands.js')).openEventCounter(path)
export const changeEvents: typeof ChangeEventsVerb = async (parts, request) =>
  (await import('./events/event-commands.js')).changeEvents(parts, request)

/** A copy of a relay's database for another front end. */
const logCopies = () => import('./events/log-copy.js')
export const readLogCopy = async (path: string): Promise<LogCopy> => (await logCopies()).readLogCopy(path)
export const beginLogWith = async (path: string, founder: string): Promise<void> =>
  (await logCopies()).beginLogWith(path, founder)
/** Keeps every relay away from this database. Throws DATABASE_IN_USE. */
export const claimEvents: (path: string, now: number) => Promise<Claim> = async (path, now) =>
  (await import('./sqlite/claim.js')).claimDatabase(path, now)

/** Whether the relay of this database runs. */
export const isRelayServed = async (parts: Parameters<typeof IsServed>[0]): Promise<boolean> =>
  (await import('./events/event-commands.js')).isServed(parts)

/** Throws what `openNameSource` of names/source.ts throws. */
export const openNameSource = async (path: string): Promise<NameSource> =>
  (await import('./names/index.js')).openNameSource(path)

/** The rows of the till before this one. Throws TILL_IMPORT_UNKNOWN, DATABASE_UNUSABLE. */
export const readLegacyTill = async (path: string): Promise<LegacyTill> =>
  (await import('./till/index.js')).readLegacyTill(path)

/** The operator's lists of a relay. Throws DOCUMENT_DAMAGED. */
export const openRelayLists: typeof OpenRelayLists = async (parts) =>
  (await import('./relay-lists.js')).openRelayLists(parts)

// Copies of databases, for backups: what each throws stands in copies.ts.
export const copyWhileUsed = async (...args: Parameters<typeof CopyWhileUsed>): Promise<CopyFacts> =>
  (await import('./copies.js')).copyWhileUsed(...args)
export const examineCopy = async (...args: Parameters<typeof ExamineCopy>): Promise<ReturnType<typeof ExamineCopy>> =>
  (await import('./copies.js')).examineCopy(...args)
export const reviveTill = async (...args: Parameters<typeof ReviveTill>): Promise<number> =>
  (await import('./copies.js')).reviveTill(...args)
export const isInUse = async (...args: Parameters<typeof IsInUse>): Promise<boolean> =>
  (await import('./copies.js')).isInUse(...args)
export const newestSchema = async (name: DatabaseName): Promise<number> =>
  (await import('./copies.js')).newestSchema(name)
