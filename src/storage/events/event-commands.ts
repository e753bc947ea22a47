// A relay's database for commands, whether the relay runs or not.
import { existsSync } from 'node:fs'
import type { Filter } from '../../nostr/filter/index.js'
import type { EventStore } from '../../relay/index.js'
import { databaseInUse, databaseMissing } from '../errors.js'
import { claimDatabase } from '../sqlite/claim.js'
import { EVENTS } from '../sqlite/kinds.js'
import { copyDatabase, requireSchema } from '../sqlite/migrate.js'
import { naming, withFile } from '../sqlite/open-file.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { type EventStoreParts, openEventStore } from './event-store.js'
import { createEventQueries } from './query/reader.js'
import type { EventRetention, Spared } from './removal/removal.js'
import { countPrunable, countRemovable } from './removal/removal.js'
import { askStore, carryOut, type EventRequest } from './removal/requests.js'
import { countEvents, type EventStats } from './stats.js'
import { recover } from './write/recover.js'

type CommandParts = Pick<EventStoreParts, 'path' | 'clock'>

/** What somebody sees who only looks; the events are those of the moment of opening. */
export interface EventReader extends Pick<EventStore, 'find' | 'count' | 'listSet'> {
  stats(): Promise<EventStats>
  /** How many events there are that `remove` would take away. */
  removable(filters: readonly Filter[], spared: Spared): Promise<number>
  /** How many events pruning would take away now; by size it is a guess. */
  prunable(retention: EventRetention): Promise<number>
  /** Writes a consistent copy to a new file, mode 0600. */
  copyTo(target: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database of a relay that may be running, for looking only. Throws DATABASE_MISSING, DATABASE_OLDER and the like. */
export async function openEventReader({ path, clock }: CommandParts): Promise<EventReader> {
  return existing(path, 'events-reading', (db) => {
    // One snapshot for everything: what is read back into memory fits to the tables.
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
      // On a connection of its own: this one may not even write to another file.
      copyTo: async (target) => withFile(path, 'merging', (own) => copyAndClose(own, target)),
      async close() {
        // A connection that is closed while it reads would keep its snapshot.
        if (db.inTransaction) db.script('ROLLBACK')
        db.close()
      },
    }
  })
}

/**
 * Takes events away, and tells how many: by itself when no relay runs, else through the relay that does.
 * Throws DATABASE_MISSING, DATABASE_OLDER, DATABASE_WRITE_FAILED.
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

async function throughRelay(path: string, request: EventRequest, served: () => boolean): Promise<number> {
  const db = await existing(path, 'durable', (own) => own)
  try {
    return await askStore(db, request, served)
  } finally {
    db.close()
  }
}

/** Whether a process has claimed the database: its relay runs. */
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
  return naming(path, EVENTS, () =>
    withFile(path, how, (db) => {
      requireSchema(db, EVENTS)
      return work(db)
    }),
  )
}

function copyAndClose(db: Sqlite, target: string): void {
  copyDatabase(db, target)
  db.close()
}
