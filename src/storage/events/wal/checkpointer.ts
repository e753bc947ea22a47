// Keeps the write-ahead log short without blocking the event loop: a thread runs checkpoints while events arrive.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { DatabaseThread } from './database-thread.js'
import type { FileSync } from './file-sync.js'

/** Bytes of events, or milliseconds, until a checkpoint. */
const DUE_BYTES = 8 * 2 ** 20
const DUE_MS = 2000

export interface Checkpointer {
  /** Called after every commit. */
  wrote(bytes: number): void
  close(): Promise<void>
}

/** `file` syncs the database file. */
export function createCheckpointer(db: Sqlite, thread: DatabaseThread, file: FileSync): Checkpointer {
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let merging: Promise<void> | undefined
  let closed = false

  function begin(): void {
    clearTimeout(timer)
    timer = undefined
    if (!closed) merging ??= merge()
  }

  async function merge(): Promise<void> {
    bytes = 0
    try {
      if (await isRipe()) await finish()
    } catch {
      // On a failure, such as a full disk, the WAL stays valid. The next commits retry.
    }
    merging = undefined
    if (bytes > 0) wrote(0)
  }

  async function isRipe(): Promise<boolean> {
    if (closed) return false
    const answer = await thread.ask({ kind: 'merge', path: db.path })
    return !closed && answer.kind === 'merged' && answer.ripe
  }

  /**
   * The thread never catches up with a busy writer: the last pages are checkpointed here, and the next commit restarts the WAL. The final
   * checkpoint waits for an fsync, which takes a tenth of a second unless the disk has nearly all pages already.
   */
  async function finish(): Promise<void> {
    await file.synced()
    if (await isRipe()) db.all('PRAGMA wal_checkpoint(PASSIVE)')
  }

  function wrote(more: number): void {
    if (closed) return
    bytes += more
    if (bytes >= DUE_BYTES) begin()
    else timer ??= setTimeout(begin, DUE_MS).unref()
  }

  return {
    wrote,
    async close() {
      closed = true
      clearTimeout(timer)
      // A checkpoint that still waits for the disk would otherwise use the thread after its database is closed.
      await merging
      await thread.close()
    },
  }
}

// Checkpoints the write-ahead log, on the connection of the database thread.

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
