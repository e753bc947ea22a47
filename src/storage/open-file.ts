// Opening and closing a daemon's database file, whatever is in it.
import { causedBy, GrinpayError, hasCode } from '../lib/errors.js'
import { databaseForeign, databaseUnusable } from './errors.js'
import type { DatabaseKind } from './kinds.js'
import { openSqlite, type Sqlite } from './sqlite.js'

/** Runs `work` on a fresh connection, which is closed again when it throws. */
export function withFile<T>(
  path: string,
  how: 'durable' | 'reading' | 'events' | 'events-reading' | 'merging' | 'copy',
  work: (db: Sqlite) => T,
): T {
  const db = openSqlite(path, how)
  try {
    return work(db)
  } catch (error) {
    db.close()
    throw error
  }
}

/** Gives the failures of the disk and of SQLite the file's name and a remedy: throws DATABASE_FOREIGN, DATABASE_UNUSABLE. */
export function naming<T>(path: string, { owner }: DatabaseKind, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (hasCode(error, 'SQLITE_NOTADB')) throw databaseForeign(path, owner, 'it is no database at all')
    if (!isSystemError(error)) throw error
    throw causedBy(databaseUnusable(path, error.message), error)
  }
}

/** So that the one file is the whole database while nobody has it open; on a full disk the log beside it stays and is as good. */
export function mergeLog(db: Sqlite): void {
  try {
    db.script('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

const isSystemError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && !(thrown instanceof GrinpayError) && 'code' in thrown
