// Brings a database file to the schema this version knows, or says why it will not.
import { databaseForeign, databaseNewer, databaseOlder } from './errors.js'
import { createPrivateFile, syncPath } from './files.js'
import { inTransaction, type Sqlite } from './sqlite.js'

/** "grpy", in the file's header: tells our files from other programs' databases. */
const APPLICATION_ID = 0x67727079

/** The schema number of a file of ours; 0 for an empty one. Throws DATABASE_FOREIGN, DATABASE_NEWER. */
export function schemaOf(db: Sqlite, known: number): number {
  const version = numberOf(db, 'PRAGMA user_version')
  const tables = numberOf(db, 'SELECT count(*) FROM sqlite_schema')
  if (tables > 0 && numberOf(db, 'PRAGMA application_id') !== APPLICATION_ID)
    throw databaseForeign(db.path, 'another program made it')
  if (version > known) throw databaseNewer(db.path, version, known)
  return version
}

/** Throws DATABASE_OLDER when the file lacks steps, for those who may not migrate. */
export function requireSchema(db: Sqlite, steps: readonly string[]): void {
  const version = schemaOf(db, steps.length)
  if (version < steps.length) throw databaseOlder(db.path, version, steps.length)
}

/**
 * Runs the missing steps in one transaction. A file that held data is copied first; answers the copy's path, if one was made.
 * Steps are SQL texts, the first is schema 1.
 */
export function migrate(db: Sqlite, steps: readonly string[]): string | undefined {
  const version = schemaOf(db, steps.length)
  if (version === steps.length) return undefined
  const copy = version > 0 ? copyPath(db.path, version) : undefined
  if (copy !== undefined) copyDatabase(db, copy)
  inTransaction(db, () => {
    for (const step of steps.slice(version)) db.script(step)
    db.script(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${steps.length}`)
  })
  return copy
}

/** Writes a consistent copy to a new private file while the database stays in use. Throws when `target` holds anything. */
export function copyDatabase(db: Sqlite, target: string): void {
  createPrivateFile(target)
  db.run('VACUUM INTO ?', [target])
  syncPath(target)
}

/** A name that is free, so that an interrupted migration never overwrites the copy of an earlier one. */
function copyPath(path: string, version: number): string {
  for (let turn = 1; ; turn++) {
    const candidate = `${path}.schema-${version}${turn === 1 ? '' : `-${turn}`}`
    if (createPrivateFile(candidate)) return candidate
  }
}

const numberOf = (db: Sqlite, sql: string): number => Number(db.get(sql)?.[0] ?? 0)
