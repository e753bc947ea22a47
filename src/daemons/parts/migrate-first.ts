// `serve … --migrate`: the tables are brought up to date before the daemon opens them.
import type { DaemonName } from '../../lib/daemon-names.js'
import { type DatabasePlace, migrateShared } from '../../storage/index.js'
import type { SystemLog } from '../../system/index.js'

/** Throws DATABASE_UNREACHABLE, SCHEMA_FOREIGN and the like. */
export async function migrateFirst(daemon: DaemonName, place: DatabasePlace, log: SystemLog): Promise<void> {
  const steps = await migrateShared(daemon, place)
  if (steps.length > 0) log.info({ schema: place.schema, steps }, 'the tables were brought up to date')
}
