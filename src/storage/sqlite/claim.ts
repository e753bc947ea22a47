// One daemon per database: a lock that the kernel drops with the process, so there is nothing stale to detect.
import { hasCode } from '../../lib/errors.js'
import { databaseInUse } from '../errors.js'
import { createPrivateFile } from './files.js'
import { inTransaction, openSqlite, realPathOf, type Sqlite } from './sqlite.js'

export interface Claim {
  release(): void
}

/** Where the marker of a database lies: beside the file itself, also where `path` is a symbolic link to it. */
export const lockPathOf = (path: string): string => `${realPathOf(path)}.lock`

/**
 * Claims `path` for this process through a marker file beside it; beside the file itself where `path` is a symbolic link, so
 * that two links to one database are one claim. The database must exist. The marker is itself a tiny database, and the claim
 * is its write lock, held open: it survives neither exit nor kill -9, and a reused pid means nothing. Readers of the marker
 * still see whose it is. Throws DATABASE_IN_USE naming the owner's pid.
 */
export function claimDatabase(path: string, now: number): Claim {
  const markerPath = lockPathOf(path)
  createPrivateFile(markerPath)
  const marker = openSqlite(markerPath, 'marker')
  try {
    inTransaction(marker, () => signMarker(marker, now))
    // A process that came in between has signed the marker as well and is named below.
    marker.script('BEGIN IMMEDIATE')
  } catch (error) {
    const owner = hasCode(error, 'SQLITE_BUSY') ? ownerOf(marker) : undefined
    marker.close()
    throw owner === undefined ? error : databaseInUse(path, owner)
  }
  return {
    release() {
      if (marker.inTransaction) marker.script('ROLLBACK')
      marker.close()
    },
  }
}

function signMarker(marker: Sqlite, now: number): void {
  marker.script('CREATE TABLE IF NOT EXISTS owner (pid INTEGER NOT NULL, since INTEGER NOT NULL) STRICT')
  marker.run('DELETE FROM owner')
  marker.run('INSERT INTO owner (pid, since) VALUES (?, ?)', [process.pid, now])
}

function ownerOf(marker: Sqlite): string {
  try {
    return String(marker.get('SELECT pid FROM owner')?.[0] ?? 'unknown')
  } catch {
    // The owner is signing the marker at this moment.
    return 'unknown'
  }
}
