import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { databaseClosed } from '../../../src/storage/errors.js'
import { createPrivateFile } from '../../../src/storage/sqlite/files.js'
import { inTransaction, openSqlite, type Sqlite } from '../../../src/storage/sqlite/sqlite.js'
import { temporaryFolder } from '../../support/temporary-store.js'

let db: Sqlite
let other: Sqlite

beforeEach(() => {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'a.db')
  createPrivateFile(path)
  db = openSqlite(path, 'durable')
  other = openSqlite(path, 'durable')
  other.script('PRAGMA busy_timeout = 10')
  db.script('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT) STRICT')
  onTestFinished(() => {
    db.close()
    other.close()
    remove()
  })
})

const count = (of: Sqlite) => of.get('SELECT count(*) FROM note')?.[0]

test('the connection is durable and checks references', () => {
  const pragmas = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => db.get(`PRAGMA ${name}`)?.[0])
  expect(pragmas).toEqual(['wal', 2n, 1n])
})

test.each(['events', 'events-reading'] as const)(
  'a connection of kind %s maps as much of its file as it asks for',
  (kind) => {
    const events = openSqlite(db.path, kind)
    onTestFinished(() => events.close())
    expect(events.get('PRAGMA mmap_size')).toEqual([2_147_418_112])
  },
)

test('rows carry the columns asked for and nothing else; integers are exact', () => {
  db.run('INSERT INTO note VALUES (?, ?)', [2n ** 63n - 1n, 'a'])
  expect(db.get('SELECT id, text FROM note')).toEqual([2n ** 63n - 1n, 'a'])
  expect(db.all('SELECT id, text FROM note')).toEqual([[2n ** 63n - 1n, 'a']])
  expect(db.get('SELECT id FROM note WHERE id = 1')).toBeUndefined()
})

test('one text may be asked for one row and for all, in any order', () => {
  const sql = 'SELECT text FROM note WHERE text = ?'
  db.run("INSERT INTO note (text) VALUES ('here')")
  expect([db.all(sql, ['nowhere']), db.get(sql, ['here']), db.all(sql, ['nowhere']), db.get(sql, ['here'])]).toEqual([
    [],
    ['here'],
    [],
    ['here'],
  ])
  expect([db.get(sql, ['nowhere']), db.all(sql, ['here']), db.get(sql, ['nowhere']), db.all(sql, ['here'])]).toEqual([
    undefined,
    [['here']],
    undefined,
    [['here']],
  ])
})

test('a transaction that throws leaves nothing', () => {
  const attempt = () =>
    inTransaction(db, () => {
      db.run("INSERT INTO note (text) VALUES ('a')")
      throw new Error('no')
    })
  expect(attempt).toThrow('no')
  expect(count(db)).toBe(0n)
  expect(db.inTransaction).toBe(false)
})

test('who was refused the write lock still reads what others commit afterwards', () => {
  db.script('BEGIN IMMEDIATE')
  expect(() => inTransaction(other, () => undefined)).toThrow('locked')
  expect(count(other)).toBe(0n)
  db.run("INSERT INTO note (text) VALUES ('a')")
  db.script('COMMIT')
  expect(count(other)).toBe(1n)
})

test('a reading connection cannot write', () => {
  const reader = openSqlite(db.path, 'reading')
  expect(() => reader.run("INSERT INTO note (text) VALUES ('a')")).toThrow('readonly')
  reader.close()
})

test('a closed connection says that it is closed, whatever is asked of it', () => {
  const sql = 'SELECT text FROM note'
  db.get(sql)
  db.close()
  for (const ask of [() => db.get(sql), () => db.all(sql), () => db.run('DELETE FROM note')])
    expect(ask).toThrow(databaseClosed())
})
