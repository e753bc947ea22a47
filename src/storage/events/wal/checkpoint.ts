// Checkpoints the write-ahead log, on the connection of the database thread.
import type { Sqlite } from '../../sqlite/sqlite.js'

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
