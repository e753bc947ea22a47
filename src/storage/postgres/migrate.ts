// Brings a schema to the step of this version. One process at a time does it; those that come second find nothing missing.
import { databaseNewer, schemaForeign, schemaMissing, schemaMoved, schemaOlder } from '../errors.js'
import type { Connection } from './driver.js'
import type { PostgresService } from './services.js'
import { isAbsence } from './sql-errors.js'

/** Steps expand first and contract one version later, so a version runs on the step after its own, too. */
const STEPS_AHEAD = 1

/** Stands in place of the service when `store move --from` has moved the rows to a file. */
export const MOVED_AWAY = 'moved to a file'

const VERSION = 'SELECT max(step), min(service), max(service) FROM schema_version'
/** `grpg` in the upper half: other programs in the same database use other numbers. */
const LOCK = "SELECT pg_advisory_xact_lock((x'67727067'::bigint << 32) | hashtext(?)::bigint & x'ffffffff'::bigint)"
const TABLES = `SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = ?`

/** Throws SCHEMA_MISSING, SCHEMA_OLDER, SCHEMA_FOREIGN, SCHEMA_MOVED, DATABASE_NEWER. */
export async function requireStep(connection: Connection, schema: string, service: PostgresService): Promise<void> {
  const found = await stepOf(connection, schema, service)
  if (found === 0) throw schemaMissing(schema, connection.host)
  const known = service.steps.length
  if (found < known) throw schemaOlder(schema, found, known)
  if (found > known + STEPS_AHEAD) throw databaseNewer(`schema "${schema}"`, found, known)
}

/** The step of the schema; 0: there is none. Throws SCHEMA_FOREIGN, SCHEMA_MOVED. */
async function stepOf(connection: Connection, schema: string, service: PostgresService): Promise<number> {
  const [step = null, first, last] = (await connection.get(VERSION).catch(absentIsEmpty)) ?? []
  if (step === null) return 0
  if (first === MOVED_AWAY) throw schemaMoved(schema)
  const other = [first, last].find((name) => name !== service.name)
  if (other !== undefined) throw schemaForeign(schema, service.owner, `it belongs to "${other}"`)
  return Number(step)
}

function absentIsEmpty(thrown: unknown): undefined {
  if (!isAbsence(thrown)) throw thrown
  return undefined
}

/** All missing steps in one transaction. Answers their numbers. Throws SCHEMA_FOREIGN, DATABASE_NEWER. */
export async function migrateSchema(
  connection: Connection,
  schema: string,
  service: PostgresService,
): Promise<readonly number[]> {
  await connection.script('BEGIN')
  try {
    await connection.get(LOCK, [schema])
    const before = await lockedStep(connection, schema, service)
    if (before > service.steps.length + STEPS_AHEAD)
      throw databaseNewer(`schema "${schema}"`, before, service.steps.length)
    const missing = service.steps.map((_, at) => at + 1).slice(before)
    if (missing[0] === 1) await connection.script(`CREATE SCHEMA IF NOT EXISTS "${schema}"`)
    for (const step of missing) {
      await connection.script(service.steps[step - 1] ?? '')
      await connection.run('INSERT INTO schema_version (step, service) VALUES (?, ?)', [step, service.name])
    }
    await connection.script('COMMIT')
    return missing
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** Asking a table that is not there would end the transaction. */
async function lockedStep(connection: Connection, schema: string, service: PostgresService): Promise<number> {
  const [exists] = (await connection.get('SELECT to_regclass(?) IS NOT NULL', [`"${schema}".schema_version`])) ?? []
  if (exists === 't') return stepOf(connection, schema, service)
  const [tables] = (await connection.get(TABLES, [schema])) ?? []
  if (Number(tables) > 0) throw schemaForeign(schema, service.owner, 'it holds tables of another program')
  return 0
}
