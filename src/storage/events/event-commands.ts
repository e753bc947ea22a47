// A relay's database for commands, whether the relay runs or not.
import { existsSync } from 'node:fs'
import type { EventStore } from '../../relay/index.js'
import { claimDatabase } from '../claim.js'
import { databaseInUse, databaseMissing } from '../errors.js'
import { EVENTS } from '../kinds.js'
import { copyDatabase, requireSchema } from '../migrate.js'
import { naming, withFile } from '../open-file.js'
import type { Sqlite } from '../sqlite.js'
import { type EventStoreParts, openEventStore } from './event-store.js'
import { createReader } from './reader.js'
import { recover } from './recover.js'
import { askStore, carryOut, type EventRequest } from './requests.js'
import { countEvents, type EventStats } from './stats.js'

type CommandParts = Pick<EventStoreParts, 'path' | 'clock'>

/** What somebody sees who only looks; the events are those of the moment of opening. */
export interface EventReader extends Pick<EventStore, 'find' | 'count' | 'listSet'> {
  stats(): Promise<EventStats>
  /** Writes a consistent copy to a new file, mode 0600. */
  copyTo(target: string): Promise<void>
  close(): Promise<void>
}

/** Opens the database of a relay that may be running, for looking only. Throws DATABASE_MISSING, DATABASE_OLDER and the like. */
export async function openEventReader({ path, clock }: CommandParts): Promise<EventReader> {
  return existing(path, 'events-reading', (db) => {
    // One snapshot for everything: what is read back into memory fits to the tables.
    db.script('BEGIN')
    const remembered = recover(db)
    const { stage, gone, indexed } = remembered
    const now = () => Math.floor(clock.now() / 1000)
    return {
      ...createReader({ db, stage, gone, indexed: () => indexed, now }),
      stats: async () => countEvents(db),
      copyTo: async (target) => withFile(path, 'reading', (own) => copyAndClose(own, target)),
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
  const { path, clock } = parts
  if (!existsSync(path)) throw databaseMissing(path)
  if (isServed(path, clock.now())) return await throughRelay(path, request, () => isServed(path, clock.now()))
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

/** Whether a process has claimed the database. */
function isServed(path: string, now: number): boolean {
  try {
    claimDatabase(path, now).release()
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
