// A file whose rows were moved to PostgreSQL: it stays as it was, and nothing is done with it any more.
import { databaseMoved } from '../errors.js'
import type { Sqlite } from './sqlite.js'

const MARK = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'moved'"

/** Throws DATABASE_MOVED. */
export function requireNotMoved(db: Sqlite): void {
  if (!db.get(MARK)) return
  throw databaseMoved(db.path, String(db.get('SELECT target FROM moved')?.[0] ?? ''))
}

/** From now on nothing in `tables` changes, also not by a process that has the file open already. Within a transaction. */
export function markMoved(db: Sqlite, { target, now, tables }: MoveMark): void {
  db.script('CREATE TABLE moved (target TEXT NOT NULL, at INTEGER NOT NULL) STRICT')
  db.run('INSERT INTO moved (target, at) VALUES (?, ?)', [target, now])
  for (const table of tables)
    for (const change of ['INSERT', 'UPDATE', 'DELETE'])
      db.script(`CREATE TRIGGER moved_${table}_${change.toLowerCase()} BEFORE ${change} ON ${table}
        BEGIN SELECT RAISE(ABORT, 'these rows were moved to PostgreSQL'); END`)
}

interface MoveMark {
  /** Where they went, for the operator: no password. */
  readonly target: string
  readonly now: number
  readonly tables: readonly string[]
}
