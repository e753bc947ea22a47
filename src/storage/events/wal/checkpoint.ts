// Merging the write-ahead log into the database, on the merging thread's connection.
import type { Sqlite } from '../../sqlite/sqlite.js'

/** Pages, 128 MB. The log begins anew only when all of it is merged; beyond this it is time to. */
const LONG = 32_768
/** Pages that the writer may merge itself: some milliseconds. */
const LITTLE = 500
/** The log grows while it is merged: each time less, unless the disk is too slow for the writer. */
const TRIES = 8
/** Then the writer merges what is left, however long that takes: the disk is not endless. */
const TOO_LONG = 262_144

/** True when the log is long and nearly all of it is merged: whoever merges the rest before the next commit has it begin anew. */
export function checkpointMost(db: Pick<Sqlite, 'all'>): boolean {
  let length = merged(db)
  for (let tries = 0; length >= LONG && tries < TRIES; tries++) {
    const before = length
    length = merged(db)
    if (length - before <= LITTLE) return true
  }
  return length > TOO_LONG
}

/** The pages that were in the log, all of which are in the database now. */
function merged(db: Pick<Sqlite, 'all'>): number {
  const [, length = 0] = (db.all('PRAGMA wal_checkpoint(PASSIVE)')[0] ?? []).map(Number)
  return length
}
