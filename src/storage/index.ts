// The front door. What is behind it is loaded by the first who opens something: a name authority needs nothing of a till. What each verb throws
// stands where it is made.
import type { DaemonName } from '../lib/daemon-names.js'
import type { Document, DocumentParts } from './documents.js'
import type { SeenInstance } from './postgres/instances.js'
import type { DatabasePlace } from './postgres/place.js'
import type { openSharedLog as OpenSharedLog } from './postgres/relay-log/log.js'

export type { OpenConsoleStore } from './console/store.js'
export type { CopyFacts, DatabaseName } from './copies.js'
export type { Document, ReplaceFile } from './documents.js'
export { databaseMissing } from './errors.js'
export type { EventReader } from './events/event-commands.js'
export type { OpenEventStore } from './events/event-store.js'
export type { FollowedLog } from './events/following.js'
export type { ReaderCounts } from './events/readers/readers.js'
export type { EventStats } from './events/stats.js'
export type { LogCopy } from './events/write/position.js'
export type { ImportChange, ImportConflict, ImportOutcome } from './names/import.js'
export type { SourceRow } from './names/legacy-import.js'
export { formatNameRow } from './names/row-format.js'
export type { OpenNameStore } from './names/store.js'
export type { NameTotals } from './names/totals.js'
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
} from './sqlite/sqlite.js'
export type { TillImportOutcome } from './till/legacy-import.js'
export type { OpenTillStore, RunningTillStore, TillReader } from './till/store.js'
export type { TillProfile, TillProfiles } from './till-profiles.js'

/** A verb whose file is loaded when it is first called. */
const loaded =
  <Given extends unknown[], Answer>(load: () => Promise<(...given: Given) => Answer>) =>
  async (...given: Given): Promise<Awaited<Answer>> =>
    await (await load())(...given)

export const openDocument = async <T>(parts: DocumentParts<T>): Promise<Document<T>> =>
  (await import('./documents.js')).openDocument(parts)
export const openTillProfiles = loaded(async () => (await import('./till-profiles.js')).openTillProfiles)
export const openRelayLists = loaded(async () => (await import('./relay-lists.js')).openRelayLists)
export const openConsoleStore = loaded(async () => (await import('./console/store.js')).openConsoleStore)

export const openTillStore = loaded(async () => (await import('./till/store.js')).openTillStore)
export const openTillReader = loaded(async () => (await import('./till/store.js')).openTillReader)
export const readLegacyTill = loaded(async () => (await import('./till/legacy-file.js')).readLegacyTill)
export const openNameStore = loaded(async () => (await import('./names/store.js')).openNameStore)
export const openNameReader = loaded(async () => (await import('./names/store.js')).openNameReader)
export const openNameSource = loaded(async () => (await import('./names/source.js')).openNameSource)

// In PostgreSQL; its client is loaded with it.
export const openSharedTill = loaded(async () => (await import('./postgres/till/store.js')).openSharedTill)
export const openSharedNames = loaded(async () => (await import('./postgres/names/store.js')).openSharedNames)
export const openSharedLog: typeof OpenSharedLog = async (parts) =>
  (await import('./postgres/relay-log/log.js')).openSharedLog(parts)

// What commands do with the rows there.
export const moveNames = loaded(async () => (await import('./postgres/names/move.js')).moveNames)
export const moveNamesBack = loaded(async () => (await import('./postgres/names/move.js')).moveNamesBack)
export const importSharedNames = loaded(async () => (await import('./postgres/names/move.js')).importSharedNames)
export const moveTill = loaded(async () => (await import('./postgres/till/move.js')).moveTill)
export const moveTillBack = loaded(async () => (await import('./postgres/till/move.js')).moveTillBack)
export const adoptTill = loaded(async () => (await import('./postgres/till/adopt.js')).adoptTill)
export const forgetWatermark = loaded(async () => (await import('./postgres/watermark.js')).forgetWatermark)
export const lookAtNodes = loaded(async () => (await import('./postgres/nodes.js')).lookAtNodes)
export const lookAtRelayLog = loaded(async () => (await import('./postgres/relay-log/look.js')).lookAtRelayLog)
export const raiseRelayRules = loaded(async () => (await import('./postgres/relay-log/rules.js')).raiseRules)

const serviceOf = async (daemon: DaemonName) => {
  const { NAMES_SERVICE, RELAY_LOG_SERVICE, TILL_SERVICE } = await import('./postgres/services.js')
  return { pay: TILL_SERVICE, nameauth: NAMES_SERVICE, relay: RELAY_LOG_SERVICE }[daemon]
}
/** Answers the numbers of the steps that were missing. */
export const migrateShared = async (daemon: DaemonName, place: DatabasePlace): Promise<readonly number[]> =>
  (await import('./postgres/open.js')).migrateOnPrimary({ place, service: await serviceOf(daemon) })
/** The processes that share these tables. */
export const seenInstances = async (daemon: DaemonName, place: DatabasePlace): Promise<readonly SeenInstance[]> =>
  (await import('./postgres/instance-list.js')).listInstances({ place, service: await serviceOf(daemon) })

export const openEventStore = loaded(async () => (await import('./events/event-store.js')).openEventStore)
export const openEventReader = loaded(async () => (await import('./events/event-commands.js')).openEventReader)
/** Counts in a thread. */
export const openEventCounter = loaded(async () => (await import('./events/event-commands.js')).openEventCounter)
export const changeEvents = loaded(async () => (await import('./events/event-commands.js')).changeEvents)
/** Whether the relay of this database runs. */
export const isRelayServed = loaded(async () => (await import('./events/event-commands.js')).isServed)

// A copy of a relay's database for another front end.
export const readLogCopy = loaded(async () => (await import('./events/write/position.js')).readLogCopy)
export const beginLogWith = loaded(async () => (await import('./events/write/position.js')).beginLogWith)
/** Keeps every relay away from this database. Throws DATABASE_IN_USE. */
export const claimEvents = loaded(async () => (await import('./sqlite/claim.js')).claimDatabase)

// Copies of databases, for backups.
export const copyWhileUsed = loaded(async () => (await import('./copies.js')).copyWhileUsed)
export const examineCopy = loaded(async () => (await import('./copies.js')).examineCopy)
export const reviveTill = loaded(async () => (await import('./copies.js')).reviveTill)
export const isInUse = loaded(async () => (await import('./copies.js')).isInUse)
export const newestSchema = loaded(async () => (await import('./copies.js')).newestSchema)
