// Access to a relay's database for commands, whether the relay runs or not.
import { existsSync } from 'node:fs'
import type { Filter } from '../../nostr/filter/index.js'
import type { EventStore, Spared } from '../../relay/index.js'
import { databaseInUse, databaseMissing } from '../errors.js'
import { claimDatabase } from '../sqlite/claim.js'
import { EVENTS_FILE } from '../sqlite/kinds.js'
import { copyDatabase, requireSchema } from '../sqlite/migrate.js'
import { naming, withFile } from '../sqlite/open-file.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { type EventStoreParts, openEventStore } from './event-store.js'
import { createEventQueries } from './query/find.js'
import { countPrunable, countRemovable, type EventRetention } from './removal/removal.js'
import { askStore, carryOut, type EventRequest } from './removal/requests.js'
import { countEvents, type EventStats } from './stats.js'
import { createDatabaseThread } from './wal/database-thread.js'
import { recover } from './write/writer-state.js'

type CommandParts = Pick<EventStoreParts, 'path' | 'clock'>

/** A read-only view of the events at the moment of opening. */
export interface EventReader extends Pick<EventStore, 'find' | 'count' | 'listSet'> {
  stats(): Promise<EventStats>
  /** Number of events that `remove` would delete. */
  removable(filters: readonly Filter[], spared: Spared): Promise<number>
  /** Number of events that pruning would delete now; an estimate for limits of size. */
  prunable(retention: EventRetention): Promise<number>
  /** Writes a consistent copy to a new file, mode 0600. */
  copyTo(target: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database of a possibly running relay, read-only. Throws DATABASE_MISSING, DATABASE_OLDER and the like. */
export async function openEventReader({ path, clock }: CommandParts): Promise<EventReader> {
  return existing(path, 'events-reading', (db) => {
    // One snapshot for all reads, so that staged events match the tables.
    db.script('BEGIN')
    const state = recover(db)
    const { stage, tombstones, indexed } = state
    const now = () => Math.floor(clock.now() / 1000)
    const reader = createEventQueries({ db, stage, tombstones, indexed: () => indexed, now })
    const stats = async () => countEvents(db)
    return {
      ...reader,
      stats,
      removable: async (filters, spared) => countRemovable(reader.count, filters, spared),
      prunable: async (retention) => countPrunable(await stats(), reader.count, { retention, now: now() }),
      // On a separate connection, because this one is read-only for other files too.
      copyTo: async (target) => withFile(path, 'merging', (own) => copyAndClose(own, target)),
      async close() {
        // Closing a connection within a read would keep its snapshot.
        if (db.inTransaction) db.script('ROLLBACK')
        db.close()
      },
    }
  })
}

/**
 * Deletes events and returns their number: directly when no relay runs, otherwise through the running relay. Throws DATABASE_MISSING,
 * DATABASE_OLDER, DATABASE_WRITE_FAILED.
 */
export async function changeEvents(parts: CommandParts, request: EventRequest): Promise<number> {
  const { path } = parts
  if (!existsSync(path)) throw databaseMissing(path)
  if (isServed(parts)) return await throughRelay(path, request, () => isServed(parts))
  const store = await openEventStore(parts)
  try {
    return await carryOut(store, request)
  } finally {
    await store.close()
  }
}

/** Counts the events of a possibly running relay in a thread, again and again. */
export interface EventCounter {
  /** Throws DATABASE_MISSING, DATABASE_OLDER and the like. */
  count(): Promise<EventStats>
  close(): Promise<void>
}

export async function openEventCounter(path: string): Promise<EventCounter> {
  const thread = createDatabaseThread(path)
  return {
    async count() {
      // The thread would create a file that is missing.
      await existing(path, 'events-reading', (db) => db.close())
      const answer = await thread.ask({ kind: 'count', path })
      if (answer.kind !== 'counted') throw new Error('the database thread did not count')
      return answer.stats
    },
    close: thread.close,
  }
}

async function throughRelay(path: string, request: EventRequest, served: () => boolean): Promise<number> {
  const db = await existing(path, 'durable', (own) => own)
  try {
    return await askStore(db, request, served)
  } finally {
    db.close()
  }
}

/** True when a process has claimed the database, which means that its relay runs. */
export function isServed({ path, clock }: CommandParts): boolean {
  try {
    claimDatabase(path, clock.now()).release()
    return false
  } catch (error) {
    if (databaseInUse.is(error)) return true
    throw error
  }
}

async function existing<T>(path: string, how: 'events-reading' | 'durable', work: (db: Sqlite) => T): Promise<T> {
  if (!existsSync(path)) throw databaseMissing(path)
  return naming(path, EVENTS_FILE, () =>
    withFile(path, how, (db) => {
      requireSchema(db, EVENTS_FILE)
      return work(db)
    }),
  )
}

function copyAndClose(db: Sqlite, target: string): void {
  copyDatabase(db, target)
  db.close()
}
