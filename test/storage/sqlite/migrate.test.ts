import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { databaseForeign, databaseNewer, databaseOlder } from '../../../src/storage/errors.js'
import { createPrivateFile } from '../../../src/storage/sqlite/files.js'
import { TILL_FILE } from '../../../src/storage/sqlite/kinds.js'
import { migrate, requireSchema } from '../../../src/storage/sqlite/migrate.js'
import { openSqlite, type Sqlite } from '../../../src/storage/sqlite/sqlite.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const ONE = 'CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1)'
const TWO = 'ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = 2'

const till = (...steps: readonly string[]) => ({ ...TILL_FILE, steps })

let folder: string
let db: Sqlite

beforeEach(() => {
  const place = temporaryFolder()
  folder = place.folder
  createPrivateFile(join(folder, 'pay.db'))
  db = openSqlite(join(folder, 'pay.db'), 'durable')
  onTestFinished(() => {
    db.close()
    place.remove()
  })
})

test('an empty file takes every step, without a copy', () => {
  expect(migrate(db, till(ONE, TWO))).toBeUndefined()
  expect(db.get('SELECT x, y FROM a')).toEqual([1n, 2n])
  expect(migrate(db, till(ONE, TWO))).toBeUndefined()
  expect(readdirSync(folder).filter((file) => file.includes('schema'))).toEqual([])
})

test('a file with data is copied before the missing step, privately and whole', () => {
  migrate(db, till(ONE))
  db.run('INSERT INTO a VALUES (7)')
  const copy = migrate(db, till(ONE, TWO))
  expect(copy).toBe(join(folder, 'pay.db.schema-1'))
  expect(statSync(copy ?? '').mode & 0o777).toBe(0o600)
  const before = openSqlite(copy ?? '', 'reading')
  expect(before.all('SELECT * FROM a')).toEqual([[1n], [7n]])
  before.close()
  expect(db.all('SELECT * FROM a')).toEqual([
    [1n, 2n],
    [7n, 2n],
  ])
})

test('a step that fails leaves the file at its old schema; the next copy takes another name', () => {
  migrate(db, till(ONE))
  expect(() => migrate(db, till(ONE, `${TWO}; this is no SQL`))).toThrow()
  expect(db.all('SELECT * FROM a')).toEqual([[1n]])
  expect(migrate(db, till(ONE, TWO))).toBe(join(folder, 'pay.db.schema-1-2'))
})

test('a newer schema is refused and a missing step is named', () => {
  migrate(db, till(ONE, TWO))
  expect(() => migrate(db, till(ONE))).toThrowError(expect.toSatisfy(databaseNewer.is))
  expect(() => requireSchema(db, till(ONE, TWO, 'SELECT 1'))).toThrowError(expect.toSatisfy(databaseOlder.is))
})

test("another program's database is refused and left alone", () => {
  db.script('CREATE TABLE theirs (x INTEGER)')
  expect(() => migrate(db, till(ONE))).toThrowError(expect.toSatisfy(databaseForeign.is))
  expect(db.get('SELECT count(*) FROM sqlite_schema')).toEqual([1n])
})
