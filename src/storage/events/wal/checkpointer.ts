// Keeps the write-ahead log short without holding up anybody: a thread merges it into the database, again and again while events come.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { DatabaseThread } from './database-thread.js'
import type { FileSync } from './file-sync.js'

/** Bytes of events, and milliseconds, after which the log is merged. */
const DUE_BYTES = 8 * 2 ** 20
const DUE_MS = 2000

export interface Checkpointer {
  /** To be told after every commit. */
  wrote(bytes: number): void
  close(): Promise<void>
}

/** `file`: of the database itself. */
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
      // A full disk, for one: the log stays and is as good. The next commits ask again.
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
   * The thread never catches up with a writer that does not pause: the last pages are merged here, and the next commit begins anew. Whoever
   * merges the last one waits for the disk to have them all, which takes a tenth of a second unless it has nearly all of them already.
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
      // Whoever still waits for the disk would ask the thread once more, which would then open a database that is closed.
      await merging
      await thread.close()
    },
  }
}
