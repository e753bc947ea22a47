// Opens a relay's database and assembles its verbs. One process owns it, because the newest events are indexed in its memory.
import type { Clock } from '../../lib/ports.js'
import type { EventStore } from '../../relay/index.js'
import { relayFollowsLog } from '../errors.js'
import { type Claim, claimDatabase } from '../sqlite/claim.js'
import { EVENTS_FILE } from '../sqlite/kinds.js'
import { migrate } from '../sqlite/migrate.js'
import { createOwnFile, mergeLog, naming, withFile } from '../sqlite/open-file.js'
import { inTransaction, type Sqlite } from '../sqlite/sqlite.js'
import { startBackground } from './background.js'
import { createFollowing, type FollowedLog, type RequestRemoval } from './following.js'
import { INDEXING_SIZES, type IndexingSizes } from './index/indexing.js'
import { MANY_EVENTS } from './query/plan.js'
import { createEventQueries } from './query/reader.js'
import { createReaderPool, type ReaderCounts, type ReaderOptions } from './readers/readers.js'
import { createRemoval, type Removal } from './removal/removal.js'
import { createSearchIndex, type SearchSizes } from './search/search-index.js'
import { createShuffle, SECRET_BYTES } from './staging/shuffle.js'
import { bytesOf, type EventStats, freeBytesOf } from './stats.js'
import { createFileSync } from './wal/file-sync.js'
import { createAppend } from './write/append.js'
import { followsLog } from './write/position.js'
import { recover } from './write/recover.js'
import { createEventWriter } from './write/writer.js'

export interface EventStoreParts {
  readonly path: string
  /** Epoch milliseconds. */
  readonly clock: Pick<Clock, 'now'>
  /** Whether the recipient of a gift wrap may delete it (NIP-09, by its `p` tag). Default: false. */
  readonly giftWrapRecipientDelete?: boolean
  /** Kinds whose texts can be searched (NIP-50); empty: search is off. Undefined: an index that exists stays as it is, without new events. */
  readonly searchKinds?: readonly number[]
  /** A CSPRNG, needed where untrusted clients write: the keys of in-memory maps must be unpredictable. */
  readonly random?: { bytes(length: number): Uint8Array }
  /** Thresholds of the move from memory into the index tables; for tests. */
  readonly sizes?: IndexingSizes
  /** Of the search index; for tests. */
  readonly searchSizes?: SearchSizes
  /** Threads for dear statements of queries. Default: none. */
  readonly readers?: ReaderOptions
  /** The store follows a shared log, and sends removals of commands and of retention through it. `founder`: a new UUID. Absent: the store decides by itself. */
  readonly follows?: { readonly requestRemoval: RequestRemoval; readonly founder: string }
}

/** The store of a running relay. It deletes expired events, and carries out requests of commands (`changeEvents`). */
export interface OpenEventStore extends EventStore, Removal {
  /** Undefined: it follows no log. */
  readonly log: FollowedLog | undefined
  /** Resolves when the database can be written. */
  check(): Promise<void>
  /** Immediate; bytes of the file without its free pages. */
  size(): { readonly events: number; readonly bytes: number }
  /** Immediate: bytes that are free inside of the file, where events were deleted. */
  freeBytes(): number
  /** What reader threads did and do. */
  readers(): ReaderCounts
  /** Counted in the database, off the event loop. */
  stats(): Promise<EventStats>
  /** Writes a consistent copy to a new file (mode 0600) while the store keeps serving. */
  copyTo(target: string): Promise<void>
  /** Moves all events into the index tables and checkpoints the WAL. Idempotent. */
  close(): Promise<void>
}

/**
 * Opens or creates a relay's database and claims it for this process.
 * Throws DATABASE_IN_USE, DATABASE_NEWER, DATABASE_FOREIGN, DATABASE_UNUSABLE, RELAY_FOLLOWS_LOG.
 */
export async function openEventStore(parts: EventStoreParts): Promise<OpenEventStore> {
  const { path, clock } = parts
  return naming(path, EVENTS_FILE, () => {
    createOwnFile(path, EVENTS_FILE)
    const claim = claimDatabase(path, clock.now())
    try {
      return withFile(path, 'events', (db) => {
        migrate(db, EVENTS_FILE)
        if (!parts.follows && followsLog(db)) throw relayFollowsLog(path)
        return assemble(db, claim, parts)
      })
    } catch (error) {
      claim.release()
      throw error
    }
  })
}

const NO_READERS: ReaderCounts = { answered: 0, waiting: 0, replaced: 0 }

function assemble(db: Sqlite, claim: Claim, parts: EventStoreParts): OpenEventStore {
  const { clock, random, giftWrapRecipientDelete = false, sizes = INDEXING_SIZES, searchKinds, searchSizes } = parts
  const now = () => Math.floor(clock.now() / 1000)
  // Requests to the previous process were answered when it stopped.
  inTransaction(db, () => db.run('DELETE FROM request'))
  const state = recover(db, random && createShuffle(random.bytes(SECRET_BYTES)))
  const { stage, tombstones } = state
  const wrote = (bytes: number): void => background.wrote(bytes)
  const search = createSearchIndex({
    db,
    kinds: searchKinds,
    lastSeq: () => state.nextSeq - 1,
    wrote,
    ...(searchSizes && { sizes: searchSizes }),
  })
  const writer = createEventWriter({ db, state, sizes, search, wrote })
  const rules = { giftWrapRecipientDelete }
  const pool = parts.readers && createReaderPool(db.path, parts.readers)
  const readers = () => (state.events >= (parts.readers?.leastEvents ?? MANY_EVENTS) ? pool : undefined)
  const [indexed, erasures] = [() => state.indexed, () => state.erasures]
  const sources = { db, stage, tombstones, indexed, erasures }
  const reader = createEventQueries({ ...sources, search, now, readers })
  const following =
    parts.follows &&
    createFollowing({
      db,
      state,
      writer,
      rules,
      ...parts.follows,
      findAt: (time) => createEventQueries({ ...sources, now: time }).find,
    })
  const append = following?.append ?? createAppend({ db, state, writer, rules, now })
  const removal: Removal = following?.removal ?? createRemoval({ db, state, writer, find: reader.find, now })
  const file = createFileSync(db.path)
  const background = startBackground({ db, file, writer, search, removal })
  let open = true

  return {
    ...reader,
    ...removal,
    ...background.verbs,
    log: following?.log,
    append(events, mark) {
      background.changed()
      return append(events, mark)
    },
    knows: (id) => stage.has(id),
    check: async () => void inTransaction(db, () => db.run('UPDATE meta SET checked_at = ?', [clock.now()])),
    size: () => ({ events: state.events, bytes: bytesOf(db) }),
    freeBytes: () => freeBytesOf(db),
    readers: () => pool?.counts() ?? NO_READERS,
    async close() {
      if (!open) return
      open = false
      await pool?.close()
      await background.close()
      while (writer.step(true));
      search.finish()
      mergeLog(db)
      db.close()
      await file.close()
      claim.release()
    },
  }
}
