// Migrates a database file to the schema of this version, or refuses with the reason.
import { databaseForeign, databaseNewer, databaseOlder } from '../errors.js'
import { createPrivateFile, syncPath } from './files.js'
import { type DatabaseKind, ownerOf } from './kinds.js'
import { inTransaction, type Sqlite } from './sqlite.js'

/** The schema number of a file of this kind; 0 for an empty one. Throws DATABASE_FOREIGN, DATABASE_NEWER. */
export function schemaOf(db: Sqlite, kind: DatabaseKind): number {
  const { applicationId, steps } = kind
  const version = numberOf(db, 'PRAGMA user_version')
  const found = numberOf(db, 'PRAGMA application_id')
  if (found !== applicationId && numberOf(db, 'SELECT count(*) FROM sqlite_schema') > 0)
    throw foreignTo(db.path, kind, found)
  if (version > steps.length) throw databaseNewer(db.path, version, steps.length)
  return version
}

/** DATABASE_FOREIGN, with the owner of the application id that was found. */
export function foreignTo(path: string, { owner: wanted }: DatabaseKind, found: number): Error {
  const owner = ownerOf(found)
  return databaseForeign(path, wanted, owner === undefined ? 'another program made it' : `it belongs to a ${owner}`)
}

/** Throws DATABASE_OLDER when the file lacks steps, for those who may not migrate. */
export function requireSchema(db: Sqlite, kind: DatabaseKind): void {
  const version = schemaOf(db, kind)
  if (version < kind.steps.length) throw databaseOlder(db.path, version, kind.steps.length)
}

/**
 * Runs the missing steps in one transaction. A file that held data is copied first; answers the copy's path, if one was made.
 * Several processes may do this at once: who comes second finds nothing missing.
 */
export function migrate(db: Sqlite, kind: DatabaseKind): string | undefined {
  const version = schemaOf(db, kind)
  if (version === kind.steps.length) return undefined
  const copy = version > 0 ? copyPath(db.path, version) : undefined
  if (copy !== undefined) copyDatabase(db, copy)
  inTransaction(db, () => {
    for (const step of kind.steps.slice(schemaOf(db, kind))) db.script(step)
    db.script(`PRAGMA application_id = ${kind.applicationId}; PRAGMA user_version = ${kind.steps.length}`)
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
