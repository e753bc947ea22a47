// Where a name authority keeps its names: in a file of this machine, or in PostgreSQL, where several front ends share them.
import type { NameStore, OperatorStore, PublicLookups } from '../../../authority/index.js'
import type { NameauthConfig } from '../../../config/index.js'
import { type Instances, openNameStore, openSharedNames } from '../../../storage/index.js'
import {
  createDirectory,
  replaceFileForFolder,
  type SystemClock,
  type SystemLog,
  type SystemRandom,
  watermarkFile,
} from '../../../system/index.js'
import type { Check, Part } from '../../runtime.js'
import { databaseCheck } from '../database-check.js'
import { createDiskReserve, type DiskReserve } from '../disk-reserve.js'
import { migrateFirst } from '../migrate-first.js'

interface Names {
  readonly store: NameStore & OperatorStore
  /** Undefined: the store's own. */
  readonly lookups: PublicLookups | undefined
  /** Resolves when the daemon must stop for good. */
  readonly failure: Promise<Error> | undefined
  /** Undefined: the file is of one process. */
  readonly instances: Instances | undefined
  readonly part: Part
  /** Undefined: the names are on another machine. */
  readonly reserve: DiskReserve | undefined
}

interface NamesContext {
  readonly clock: SystemClock
  readonly random: SystemRandom
  readonly log: SystemLog
  /** Before anything else, create or update the tables. */
  readonly migrate?: boolean | undefined
}

/** Throws what opening a database throws. */
export async function openNames(
  { database, dbPath, dataDir }: Pick<NameauthConfig, 'database' | 'dbPath' | 'dataDir'>,
  { migrate = false, ...context }: NamesContext,
): Promise<Names> {
  if (database === undefined) {
    const store = await openNameStore({ path: dbPath, now: context.clock.now })
    const reserve = createDiskReserve({ path: dbPath, ...context })
    const part = partOf(store, async () => reserve.checked(await databaseCheck(dbPath, store.check)))
    return { store, lookups: undefined, failure: undefined, instances: undefined, part, reserve }
  }
  if (migrate) await migrateFirst('nameauth', database, context.log)
  await createDirectory(dataDir, 0o700)
  const watermark = { path: watermarkFile(dataDir), replace: replaceFileForFolder }
  const store = await openSharedNames({ place: database, watermarkFile: watermark, ...context })
  const { lookups, failure, instances } = store
  return { store, lookups, failure, instances, part: partOf(store, () => sharedCheck(store)), reserve: undefined }
}

const partOf = (store: { close(): Promise<void> }, check: () => Promise<Check>): Part => ({
  name: 'database',
  start: async () => {},
  stop: () => store.close(),
  check,
})

async function sharedCheck(store: NameStore): Promise<Check> {
  await store.check()
  return { ok: true, detail: 'writable, on a second machine' }
}
