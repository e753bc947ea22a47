// Background work of an open store: the database thread, syncs to disk, maintenance.

import type { Sqlite } from '../sqlite/sqlite.js'
import type { Removal } from './removal/removal.js'
import { createRequestHandler } from './removal/requests.js'
import type { SearchIndex } from './search/search-index.js'
import type { EventStats } from './stats.js'
import { createDatabaseThread, createFileSync, type DatabaseThread, type FileSync } from './wal/database-thread.js'
import type { EventWriter } from './write/writer.js'

interface Parts {
  readonly db: Sqlite
  /** Syncs the database file; its opener closes it. */
  readonly file: FileSync
  readonly writer: EventWriter
  readonly search: Pick<SearchIndex, 'step'>
  readonly removal: Removal
}

export function startBackground({ db, file, writer, search, removal }: Parts) {
  const { path } = db
  const thread = createDatabaseThread(path)
  const log = createCheckpointer(db, thread, file)
  const sync = createFileSync(`${path}-wal`)
  const upkeep = startMaintenance({
    sweep: removal.sweep,
    index: () => writer.step(true),
    indexSearch: search.step,
    answerRequests: createRequestHandler(db, removal),
  })

  return {
    verbs: {
      synced: sync.synced,
      stats: async (): Promise<EventStats> => {
        const answer = await thread.ask({ kind: 'count', path })
        if (answer.kind !== 'counted') throw new Error('the merging thread did not count')
        return answer.stats
      },
      copyTo: async (target: string): Promise<void> => void (await thread.ask({ kind: 'copy', path, target })),
    },
    wrote: log.wrote,
    changed: upkeep.changed,
    async close(): Promise<void> {
      upkeep.close()
      await sync.close()
      await log.close()
    },
  }
}

// Periodic maintenance: deletes expired events, indexes while idle, answers requests of commands.

/** Milliseconds between two ticks. */
const TICK_MS = 1000
/** Ticks between two sweeps; ticks without a change after which everything staged is indexed. */
const SWEEP_EVERY = 9
const QUIET = 5
/** Slices of the search index per tick while events arrive: about a tenth of the time. */
const SEARCH_SLICES = 25

interface MaintenanceTasks {
  /** Returns the number of deleted events. */
  sweep(): number
  /** Indexes a slice; false: nothing is left. */
  index(): boolean
  /** The same for the search index, which may be behind, new, or switched off. */
  indexSearch(): boolean
  answerRequests(): void
}

interface Maintenance {
  /** Called after every change. */
  changed(): void
  close(): void
}

function startMaintenance({ sweep, index, indexSearch, answerRequests }: MaintenanceTasks): Maintenance {
  let ticks = 0
  let changedAt = 0
  let busy = false

  /** Runs one slice per turn of the event loop while there is work. */
  function work(task: () => boolean): void {
    busy = true
    setImmediate(() => {
      busy = tryTask(task)
      if (busy) work(task)
    })
  }

  function tick(): void {
    ticks++
    if (busy) return
    tryTask(answerRequests)
    if (ticks % SWEEP_EVERY === 0) work(() => sweep() > 0)
    else if (ticks - changedAt >= QUIET) work(() => index() || indexSearch())
    else work(sliceOfSearch())
  }

  function sliceOfSearch(): () => boolean {
    let left = SEARCH_SLICES
    return () => left-- > 0 && indexSearch()
  }

  const timer = setInterval(tick, TICK_MS).unref()
  return {
    changed() {
      changedAt = ticks
    },
    close: () => clearInterval(timer),
  }
}

/** Ignores failures such as a full disk: `check` of the store reports them, and the next tick retries. */
function tryTask<T>(task: () => T): T | false {
  try {
    return task()
  } catch {
    return false
  }
}

// Keeps the write-ahead log short without blocking the event loop: a thread runs checkpoints while events arrive.

/** Bytes of events, or milliseconds, until a checkpoint. */
const DUE_BYTES = 8 * 2 ** 20
const DUE_MS = 2000

interface Checkpointer {
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
