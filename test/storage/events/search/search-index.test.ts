// The search index in slices: old events, a kill in between, other kinds, dropping, and a store that is opened without search.
import { describe, expect, test } from 'vitest'
import { type Filter, parseFilter } from '../../../../src/nostr/filter/index.js'
import type { OpenEventStore } from '../../../../src/storage/events/event-store.js'
import { createSearchIndex, type SearchIndex } from '../../../../src/storage/events/search/search-index.js'
import { openSqlite, type Sqlite } from '../../../../src/storage/sqlite/sqlite.js'
import { aDeletion, aText, NOW } from '../../../support/event-builders.js'
import { temporaryEvents } from '../../../support/event-store.js'

const KINDS = [0, 1]
/** Nothing is indexed at the start. */
const SLOW = { slice: 10, due: 1_000_000, few: 0 }

const texts = Array.from({ length: 55 }, (_, n) => aText({ created_at: NOW - n, content: `word n${n}` }))
const others = Array.from({ length: 20 }, (_, n) => aText({ kind: 7, created_at: NOW - n, content: `word ${n}` }))

function matchesIn(store: OpenEventStore, search: string): number {
  const query = store.find([parseFilter({ search }, { maxValues: 9, searchKinds: KINDS }) as Filter])
  let found = 0
  for (let page = query.next(); page; page = query.next()) found += page.ends.length
  return found
}

/** A file with events and without an index. */
async function filledFile() {
  const files = temporaryEvents()
  const store = await files.open()
  store.append([...texts, ...others])
  await store.close()
  return files
}

const indexOf = (db: Sqlite, kinds: readonly number[] | undefined, logged: number[] = []): SearchIndex =>
  createSearchIndex({
    ...{ db, kinds, sizes: SLOW, wrote: (bytes: number) => void logged.push(bytes) },
    lastSeq: () => Number(db.get('SELECT max(seq) FROM event')?.[0]),
  })
const rowsIn = (db: Sqlite): number => Number(db.get('SELECT count(*) FROM search_row')?.[0])
const tablesIn = (db: Sqlite): readonly unknown[] =>
  db.all("SELECT name FROM sqlite_schema WHERE name LIKE 'search%'").flat()

describe('old events', () => {
  test('are indexed slice by slice, and after a kill from where it was', async () => {
    const { path } = await filledFile()
    const db = openSqlite(path, 'events')
    const logged: number[] = []
    const first = indexOf(db, KINDS, logged)
    expect(rowsIn(db)).toBe(0)
    expect([first.step(), rowsIn(db)]).toEqual([true, 10])
    expect([first.step(), rowsIn(db)]).toEqual([true, 20])
    const second = indexOf(db, KINDS, logged)
    let steps = 0
    while (second.step()) steps++
    expect([steps, rowsIn(db), logged.length]).toEqual([6, 55, 8])
    expect(indexOf(db, KINDS).step()).toBe(false)
    db.close()
  })

  test('a slice that fails has no effect, and is done again', async () => {
    const { path } = await filledFile()
    const db = openSqlite(path, 'events')
    let isBroken = true
    const run: Sqlite['run'] = (sql, values) => {
      if (isBroken && sql.startsWith('UPDATE search_progress')) throw new Error('disk full')
      return db.run(sql, values)
    }
    const index = indexOf(
      {
        ...db,
        get inTransaction() {
          return db.inTransaction
        },
        run,
      },
      KINDS,
    )
    expect(() => index.step()).toThrow('disk full')
    expect(rowsIn(db)).toBe(0)
    isBroken = false
    while (index.step());
    expect(rowsIn(db)).toBe(55)
    db.run("INSERT INTO search (search) VALUES ('integrity-check')")
    db.close()
  })
})

/** A query opens the list of each word in each of them. */
const segmentsIn = (db: Sqlite): number => Number(db.get('SELECT count(DISTINCT segid) FROM search_idx')?.[0])

test('segments that slices left are merged while nothing else is to be done', async () => {
  const { path } = await filledFile()
  const db = openSqlite(path, 'events')
  const first = indexOf(db, KINDS)
  while (first.step());
  const before = segmentsIn(db)
  for (let n = 1; n <= 20; n++) db.run('INSERT INTO search (rowid, terms) VALUES (?, ?)', [n, `word x${n}`])
  expect(segmentsIn(db)).toBe(before + 20)
  expect(first.step()).toBe(false) // it has merged all of its own
  const second = indexOf(db, KINDS)
  while (second.step());
  expect(segmentsIn(db)).toBeLessThan(5)
  expect(second.step()).toBe(false)
  db.run("INSERT INTO search (search) VALUES ('integrity-check')")
  db.close()
})

describe('dropping', () => {
  test('goes in steps, also after a kill, and ends without tables', async () => {
    const { path } = await filledFile()
    const db = openSqlite(path, 'events')
    const on = indexOf(db, KINDS)
    while (on.step());
    expect(indexOf(db, []).step()).toBe(true)
    expect(tablesIn(db)).toContain('search_row')
    const off = indexOf(db, [])
    expect(off.isReady).toBe(false)
    while (off.step());
    expect(tablesIn(db)).toEqual([])
    db.close()
  })

  test('that was interrupted ends before an index is made again', async () => {
    const { path } = await filledFile()
    const db = openSqlite(path, 'events')
    while (indexOf(db, KINDS).step());
    indexOf(db, []).step()
    const again = indexOf(db, KINDS)
    expect(again.isReady).toBe(false)
    while (again.step());
    expect([again.isReady, rowsIn(db)]).toEqual([true, 55])
    const others = indexOf(db, [7])
    while (others.step());
    expect(rowsIn(db)).toBe(20)
    db.close()
  })
})

describe('a store', () => {
  test('that was opened without search keeps the index right', async () => {
    const files = await filledFile()
    await (await files.open({ searchKinds: KINDS })).close()
    const plain = await files.open()
    plain.append([
      aText({ created_at: NOW, content: 'word added' }),
      aDeletion({ created_at: NOW, tags: texts.slice(0, 5).map(({ event }) => ['e', event.id]) }),
    ])
    await plain.close()
    const store = await files.open({ searchKinds: KINDS })
    expect([matchesIn(store, 'word'), matchesIn(store, 'added'), matchesIn(store, 'n3')]).toEqual([51, 1, 0])
  })

  test('gives the number of a deleted last event again, and indexes the new event', async () => {
    const files = temporaryEvents()
    const first = await files.open({ searchKinds: KINDS })
    first.append([aText({ content: 'first' })])
    first.append([aText({ content: 'last', created_at: NOW + 1 })])
    await first.remove([{ tags: [], since: NOW + 1 }])
    const crashed = await files.crash(first, { searchKinds: KINDS })
    crashed.append([aText({ content: 'new', created_at: NOW + 2 })])
    const next = await files.crash(crashed, { searchKinds: KINDS })
    expect(['first', 'last', 'new'].map((word) => matchesIn(next, word))).toEqual([1, 0, 1])
  })

  test('indexes a flood in the commits that bring it, and finds everything meanwhile', async () => {
    const files = temporaryEvents()
    const store = await files.open({ searchKinds: KINDS, searchSizes: { slice: 50, due: 20, few: 0 } })
    for (let at = 0; at < 1000; at += 20) {
      store.append(
        Array.from({ length: 20 }, (_, n) => aText({ created_at: NOW - at - n, content: `flood n${at + n}` })),
      )
      expect(matchesIn(store, `flood n${at}`)).toBe(1)
    }
    expect(matchesIn(store, 'flood')).toBe(1000)
    const copy = await files.crash(store, { searchKinds: KINDS })
    expect(matchesIn(copy, 'flood')).toBe(1000)
  })
})
