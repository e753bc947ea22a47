// A relay's database: opening it safely, and its verbs put together. One process has it alone, because it remembers the newest events by itself.
import type { EventStore } from '../../relay/index.js'
import { type Claim, claimDatabase } from '../claim.js'
import { createPrivateFile } from '../files.js'
import { EVENTS } from '../kinds.js'
import { migrate } from '../migrate.js'
import { mergeLog, naming, withFile } from '../open-file.js'
import type { Sqlite } from '../sqlite.js'
import { createAppend } from './append.js'
import { INDEXING_SIZES, type IndexingSizes } from './indexing.js'
import { createLogKeeper } from './log-keeper.js'
import { createMerger } from './merger.js'
import { createReader } from './reader.js'
import { recover } from './recover.js'
import { createLogSync } from './sync-log.js'
import { createWriter } from './writer.js'

export interface EventStoreParts {
  readonly path: string
  /** Epoch milliseconds. */
  readonly clock: { now(): number }
  /** Whether the receiver of a gift wrap may have it deleted (NIP-09 by its `p` key). Default false. */
  readonly giftWrapRecipientDelete?: boolean
  /** How events move from memory into the index tables; for tests. */
  readonly sizes?: IndexingSizes
}

/** The store of a running relay. */
export interface OpenEventStore extends EventStore {
  /** Resolves when the database can be written. */
  check(): Promise<void>
  /** Writes a consistent copy to a new file, mode 0600, while everything goes on. */
  copyTo(target: string): Promise<void>
  /** Moves all events into the index tables, and the log into the one file. May be called again. */
  close(): Promise<void>
}

/**
 * Opens or creates a relay's database and claims it for this process.
 * Throws DATABASE_IN_USE, DATABASE_NEWER, DATABASE_FOREIGN, DATABASE_UNUSABLE.
 */
export async function openEventStore(parts: EventStoreParts): Promise<OpenEventStore> {
  const { path, clock } = parts
  return naming(path, EVENTS, () => {
    createPrivateFile(path)
    const claim = claimDatabase(path, clock.now())
    try {
      return withFile(path, 'events', (db) => {
        migrate(db, EVENTS)
        return assemble(db, claim, parts)
      })
    } catch (error) {
      claim.release()
      throw error
    }
  })
}

function assemble(db: Sqlite, claim: Claim, parts: EventStoreParts): OpenEventStore {
  const { clock, giftWrapRecipientDelete = false, sizes = INDEXING_SIZES } = parts
  const remembered = recover(db)
  const writer = createWriter(db, remembered, sizes)
  const now = () => Math.floor(clock.now() / 1000)
  const append = createAppend({ db, remembered, writer, rules: { giftWrapRecipientDelete }, now })
  const merger = createMerger(db.path)
  const log = createLogKeeper(db, merger)
  const { synced, close: closeSync } = createLogSync(db.path)
  let open = true

  return {
    append(events) {
      const kept = append(events)
      let bytes = 0
      for (const { bytes: text } of events) bytes += text.length
      log.wrote(bytes)
      return kept
    },
    synced,
    knows: (id) => remembered.stage.has(id),
    ...createReader({ db, stage: remembered.stage, gone: remembered.gone, indexed: () => remembered.indexed, now }),
    check: async () => void db.run('UPDATE meta SET checked_at = ?', [clock.now()]),
    copyTo: async (target) => void (await merger.ask({ kind: 'copy', path: db.path, target })),
    async close() {
      if (!open) return
      open = false
      await closeSync()
      await log.close()
      while (writer.step(true));
      mergeLog(db)
      db.close()
      claim.release()
    },
  }
}
