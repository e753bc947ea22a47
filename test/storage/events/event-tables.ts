// The tables and the stage of a relay, filled without the store's rules: any ids, any authors, rows that are not there and rows that should not be.
import { join } from 'node:path'
import type { EventText, NostrEvent } from '../../../src/nostr/event/index.js'
import type { EventStore } from '../../../src/relay/index.js'
import { inTableOrder } from '../../../src/storage/events/index/generation.js'
import { indexKeysOf } from '../../../src/storage/events/index/index-keys.js'
import { INDEX_TABLES, runBulk } from '../../../src/storage/events/index/index-tables.js'
import { createEventQueries } from '../../../src/storage/events/query/find.js'
import { createStage } from '../../../src/storage/events/staging/stage.js'
import { createPrivateFile } from '../../../src/storage/sqlite/files.js'
import { EVENTS_FILE } from '../../../src/storage/sqlite/kinds.js'
import { migrate } from '../../../src/storage/sqlite/migrate.js'
import { openSqlite, type Sqlite } from '../../../src/storage/sqlite/sqlite.js'
import { temporaryFolder } from '../../support/temporary-store.js'
import { columnsOf } from './columns-of.js'

/** The text of an event whose id need not be true. */
function untrueText(event: NostrEvent): EventText {
  const { id, pubkey, created_at, kind, tags, content, sig } = event
  return { event, bytes: Buffer.from(JSON.stringify({ id, pubkey, created_at, kind, tags, content, sig })) }
}

type Reader = Pick<EventStore, 'find' | 'count' | 'listSet'>

export interface EventTables {
  readonly db: Sqlite
  readonly reader: Reader
  /** Writes the events and stages them. */
  add(events: readonly NostrEvent[]): void
  /** Moves the first staged ones into the tables. */
  index(count: number): void
  /** As `index`, but they stay staged a little longer, and those after them have some rows already. */
  indexHalf(count: number): void
  /** The event is no more; its index rows stay. */
  remove(id: string): void
  /** Epoch seconds. */
  now: number
  close(): void
}

export function openEventTables(): EventTables {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'relay.db')
  createPrivateFile(path)
  const db = openSqlite(path, 'events')
  migrate(db, EVENTS_FILE)
  const stage = createStage()
  const seqs = new Map<string, number>()
  const tombstones = new Map<number, ReturnType<typeof indexKeysOf>>()
  let indexed = 0

  function write(count: number, tables = INDEX_TABLES) {
    const staged = columnsOf(stage.keys().copying())
    const moved = columnsOf(staged.copying(Int32Array.from({ length: Math.min(count, staged.length) }, (_, at) => at)))
    for (const table of tables) {
      const { length, row } = inTableOrder(table, moved)
      runBulk(
        db,
        table.insert,
        Array.from({ length }, (_, at) => row(at)),
      )
    }
    return [...moved.seq.subarray(0, moved.length)]
  }

  const self: EventTables = {
    db,
    reader: createEventQueries({ db, stage, tombstones, indexed: () => indexed, now: () => self.now }),
    now: 0,
    add(events) {
      for (const event of events) {
        const seq = seqs.size + 1
        seqs.set(event.id, seq)
        const keys = indexKeysOf(event)
        const text = untrueText(event)
        db.run('INSERT INTO event (seq, text, expires) VALUES (?, ?, ?)', [seq, text.bytes, keys.expires ?? null])
        if (keys.expires !== undefined) db.run('INSERT INTO expiry (expires, seq) VALUES (?, ?)', [keys.expires, seq])
        stage.add({ seq, text, keys })
      }
    },
    index(count) {
      for (const seq of write(count)) {
        indexed = seq
        stage.remove(seq)
      }
    },
    indexHalf(count) {
      indexed = write(count).at(-1) ?? indexed
      write(count * 2, INDEX_TABLES.slice(0, 3))
    },
    remove(id) {
      const seq = seqs.get(id) ?? 0
      const staged = stage.get(id)
      const [row] = db.all('SELECT text FROM event WHERE seq = ?', [seq])
      if (!row) return
      if (!staged || seq <= indexed)
        tombstones.set(seq, indexKeysOf(JSON.parse(String(row[0] && Buffer.from(row[0] as Uint8Array)))))
      stage.remove(seq)
      db.run('DELETE FROM event WHERE seq = ?', [seq])
      db.run('DELETE FROM expiry WHERE seq = ?', [seq])
    },
    close() {
      db.close()
      remove()
    },
  }
  return self
}
