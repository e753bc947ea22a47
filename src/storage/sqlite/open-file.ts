// Opening and closing a daemon's database file, whatever is in it.
import { closeSync, openSync, readSync } from 'node:fs'
import { causedBy, GrinpayError, hasCode } from '../../lib/errors.js'
import { databaseForeign, databaseUnusable } from '../errors.js'
import { createPrivateFile } from './files.js'
import type { DatabaseKind } from './kinds.js'
import { foreignTo } from './migrate.js'
import { isOpenedHere, openSqlite, type Sqlite } from './sqlite.js'

/** Of the file format of SQLite: where a number stands that is 0 until the first table is made, and where the application id. */
const [SCHEMA_COOKIE, APPLICATION_ID, HEADER_BYTES] = [40, 68, 100]
const MAGIC = 'SQLite format 3\0'

/**
 * Makes an empty private file, unless there is one. Throws DATABASE_FOREIGN for another program's database, which it does not open: opening
 * one to write changes it. Ours get tables and application id in one transaction.
 */
export function createOwnFile(path: string, kind: DatabaseKind): void {
  if (createPrivateFile(path) || isOpenedHere(path)) return
  const header = headOf(path)
  if (!hasMagic(header) || header.readUInt32BE(SCHEMA_COOKIE) === 0) return
  const found = header.readUInt32BE(APPLICATION_ID)
  if (found !== kind.applicationId) throw foreignTo(path, kind, found)
}

/** Whether the file says that it is an SQLite database. */
export const isDatabaseFile = (path: string): boolean => isOpenedHere(path) || hasMagic(headOf(path))

const hasMagic = (header: Buffer): boolean => header.toString('latin1', 0, MAGIC.length) === MAGIC

/** Only of a file that this process has not opened as a database: see `isOpenedHere`. */
function headOf(path: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const file = openSync(path, 'r')
  try {
    readSync(file, header)
  } finally {
    closeSync(file)
  }
  return header
}

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

/** The same for work that takes several turns of the event loop; the connection is closed afterwards. */
export async function withFileAsync<T>(path: string, how: 'durable', work: (db: Sqlite) => Promise<T>): Promise<T> {
  const db = openSqlite(path, how)
  try {
    return await work(db)
  } finally {
    db.close()
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

/**
 * Closes a file that another process may have open, which goes on with the log: this one does not wait for it. `settle` writes what was asked for
 * before. Further calls do nothing.
 */
export function closeOnce(db: Sqlite, settle: () => void): () => Promise<void> {
  let open = true
  return async () => {
    if (!open) return
    open = false
    settle()
    db.script('PRAGMA busy_timeout=0')
    mergeLog(db)
    db.close()
  }
}

/** A closed database is one file; on a full disk the log beside it stays, which is equally durable. */
export function mergeLog(db: Sqlite): void {
  try {
    db.script('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
}

const isSystemError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && !(thrown instanceof GrinpayError) && 'code' in thrown

/** Pages (128 MB). The WAL restarts only after a complete checkpoint; beyond this length it should. */
const LONG = 32_768
/** Pages that the writer may checkpoint itself, in some milliseconds. */
const LITTLE = 500
/** Attempts: the WAL grows meanwhile, each time less unless the disk is too slow. */
const TRIES = 8
/** Beyond this many pages the writer checkpoints the rest, however long it takes. */
const TOO_LONG = 262_144

/** True when the WAL is long and nearly all of it is in the database: a final checkpoint before the next commit restarts it. */
export function checkpointMost(db: Pick<Sqlite, 'all'>): boolean {
  let length = checkpoint(db)
  for (let tries = 0; length >= LONG && tries < TRIES; tries++) {
    const before = length
    length = checkpoint(db)
    if (length - before <= LITTLE) return true
  }
  return length > TOO_LONG
}

/** Checkpoints; returns the number of pages in the WAL. */
function checkpoint(db: Pick<Sqlite, 'all'>): number {
  const [, length = 0] = (db.all('PRAGMA wal_checkpoint(PASSIVE)')[0] ?? []).map(Number)
  return length
}
