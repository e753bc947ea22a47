// A relay's database in a folder of its own, and what is really in its file.
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { parseEvent } from '../../src/nostr/event/index.js'
import { type EventStoreParts, type OpenEventStore, openEventStore } from '../../src/storage/events/event-store.js'
import { inTableOrder } from '../../src/storage/events/index/generation.js'
import { indexKeysOf, KeyColumns } from '../../src/storage/events/index/index-keys.js'
import { INDEX_TABLES } from '../../src/storage/events/index/index-tables.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { NOW } from './event-builders.js'
import { temporaryFolder } from './temporary-store.js'

/** So small that a few events go through everything. */
export const TINY = { staged: 8, tombstones: 3, slice: 4, maxSlice: 30 }

export interface TemporaryEvents {
  readonly path: string
  readonly clock: { seconds: number; now(): number }
  open(parts?: Partial<EventStoreParts>): Promise<OpenEventStore>
  /** Opens a copy of the files as they are at this moment, as after kill -9; the given store is closed. */
  crash(store: OpenEventStore, parts?: Partial<EventStoreParts>): Promise<OpenEventStore>
}

export function temporaryEvents(): TemporaryEvents {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const clock = { seconds: NOW, now: () => clock.seconds * 1000 }
  let path = join(folder, 'relay.db')
  let copies = 0

  async function open(parts: Partial<EventStoreParts> = {}): Promise<OpenEventStore> {
    const store = await openEventStore({ path, clock, ...parts })
    onTestFinished(() => store.close())
    return store
  }

  return {
    get path() {
      return path
    },
    clock,
    open,
    async crash(store, parts) {
      const copy = join(folder, `copy-${copies++}`, 'relay.db')
      mkdirSync(dirname(copy))
      for (const suffix of ['', '-wal']) if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix)
      await store.close()
      path = copy
      return open(parts)
    },
  }
}

/** Ids of the events in a file, sorted. */
export const idsIn = (path: string): readonly string[] =>
  storedEvents(path)
    .map(({ id }) => id)
    .sort()

/** Table by table, the rows that are there and should not be, and those that are missing; of a closed store. */
export function wrongRows(path: string): readonly string[] {
  const db = openSqlite(path, 'reading')
  try {
    const events = new KeyColumns()
    for (const [seq, text] of db.all('SELECT seq, text FROM event')) events.add(Number(seq), indexKeysOf(eventOf(text)))
    return INDEX_TABLES.flatMap((table) => {
      const { name } = table
      const { length, row } = inTableOrder(table, events)
      const wanted = new Set(Array.from({ length }, (_, at) => row(at).join()))
      const found = new Set(db.all(`SELECT * FROM ${name}`).map((row) => row.join()))
      return [
        ...[...wanted].filter((row) => !found.has(row)).map((row) => `${name} lacks ${row}`),
        ...[...found].filter((row) => !wanted.has(row)).map((row) => `${name} still has ${row}`),
      ]
    })
  } finally {
    db.close()
  }
}

/** Events of the searched kinds that the index lacks, and rows of events that are not there; of a closed store. */
export function wrongSearchRows(path: string, searchKinds: readonly number[]): readonly string[] {
  const db = openSqlite(path, 'durable')
  try {
    const hasIndex = db.get("SELECT 1 FROM sqlite_schema WHERE name = 'search_row'") !== undefined
    if (!hasIndex) return []
    db.run("INSERT INTO search (search) VALUES ('integrity-check')")
    const upTo = Number(db.get('SELECT upto FROM search_progress')?.[0])
    const events = db.all('SELECT seq, CAST(text AS TEXT) FROM event').map(([seq, text]) => ({
      seq: Number(seq),
      kind: JSON.parse(String(text)).kind as number,
    }))
    const wanted = events.filter(({ seq, kind }) => seq <= upTo && searchKinds.includes(kind)).map(({ seq }) => seq)
    const found = db.all('SELECT seq FROM search_row').map(([seq]) => Number(seq))
    const inSize = Number(db.get('SELECT count(*) FROM search_docsize')?.[0])
    return [
      ...wanted.filter((seq) => !found.includes(seq)).map((seq) => `lacks ${seq}`),
      ...found.filter((seq) => !wanted.includes(seq)).map((seq) => `still has ${seq}`),
      ...(inSize === found.length ? [] : [`${inSize} entries for ${found.length} rows`]),
    ]
  } finally {
    db.close()
  }
}

/** The events of a file. */
export function storedEvents(path: string) {
  const db = openSqlite(path, 'reading')
  try {
    return db.all('SELECT text FROM event').map(([text]) => eventOf(text))
  } finally {
    db.close()
  }
}

function eventOf(text: unknown) {
  const event = text instanceof Uint8Array ? parseEvent(JSON.parse(Buffer.from(text).toString())) : undefined
  if (!event) throw new Error('not an event')
  return event
}
