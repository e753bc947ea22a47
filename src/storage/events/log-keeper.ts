// Keeps the write-ahead log short without holding up anybody: a thread merges it into the database, again and again while events come.
import type { Sqlite } from '../sqlite.js'
import type { FromMerger, Merger } from './merger.js'

/** Bytes of events, and milliseconds, after which the log is merged. */
const DUE_BYTES = 8 * 2 ** 20
const DUE_MS = 2000
/** Pages. The log begins anew only when all of it is merged; beyond this it is time to, if what is left takes some milliseconds … */
const LONG = 32_768
const LITTLE = 1000
/** … and beyond this in any case: the disk is not endless. */
const TOO_LONG = 262_144

export interface LogKeeper {
  /** To be told after every commit. */
  wrote(bytes: number): void
  close(): Promise<void>
}

export function createLogKeeper(db: Sqlite, merger: Merger): LogKeeper {
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let merging = false
  let closed = false

  async function merge(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (merging || closed) return
    merging = true
    bytes = 0
    try {
      finish(await merger.ask({ kind: 'merge', path: db.path }))
    } catch {
      // A full disk, for one: the log stays and is as good. The next commits ask again.
    }
    merging = false
    if (bytes > 0) wrote(0)
  }

  /** The thread never catches up with a writer that does not pause: the last pages are merged here, and the next commit begins anew. */
  function finish(answer: FromMerger): void {
    if (closed || answer.kind !== 'merged') return
    const left = answer.frames - answer.merged
    if (answer.frames > TOO_LONG || (answer.frames > LONG && left < LITTLE)) db.all('PRAGMA wal_checkpoint(PASSIVE)')
  }

  function wrote(more: number): void {
    bytes += more
    if (bytes >= DUE_BYTES) void merge()
    else timer ??= setTimeout(merge, DUE_MS).unref()
  }

  return {
    wrote,
    async close() {
      closed = true
      clearTimeout(timer)
      await merger.close()
    },
  }
}
