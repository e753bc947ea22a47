// `serve … --migrate`: the tables are brought up to date before the daemon opens them.
import type { DatabasePlace } from '../../storage/index.js'
import type { SystemLog } from '../../system/index.js'

/** Throws DATABASE_UNREACHABLE, SCHEMA_FOREIGN and the like. */
export async function migrateFirst(
  migrate: (place: DatabasePlace) => Promise<readonly number[]>,
  place: DatabasePlace,
  log: SystemLog,
): Promise<void> {
  const steps = await migrate(place)
  if (steps.length > 0) log.info({ schema: place.schema, steps }, 'the tables were brought up to date')
}
