import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseClosed, databaseWriteFailed } from '../../../src/storage/errors.js'
import { createPrivateFile } from '../../../src/storage/sqlite/files.js'
import { createWriteQueue } from '../../../src/storage/sqlite/group-commit.js'
import { openSqlite, type Sqlite } from '../../../src/storage/sqlite/sqlite.js'
import { temporaryFolder } from '../../support/temporary-store.js'

let db: Sqlite
/** Every transaction's begin and end, so that commits can be counted. */
let log: string[]
let failCommits: boolean
const place = temporaryFolder()

beforeEach(() => {
  const path = join(place.folder, `${expect.getState().currentTestName?.replace(/\W/g, '-')}.db`)
  createPrivateFile(path)
  const real = openSqlite(path, 'durable')
  real.script('CREATE TABLE note (text TEXT NOT NULL UNIQUE) STRICT')
  log = []
  failCommits = false
  db = {
    ...real,
    get inTransaction() {
      return real.inTransaction
    },
    script(sql) {
      log.push(sql)
      if (sql === 'COMMIT' && failCommits) throw new Error('disk I/O error')
      real.script(sql)
    },
  }
})
afterEach(() => {
  db.close()
  place.remove()
})

const insert = (text: string) => () => db.run('INSERT INTO note (text) VALUES (?)', [text])
const notes = () => db.all('SELECT text FROM note ORDER BY rowid').map(([text]) => text)
const commits = () => log.filter((sql) => sql === 'COMMIT').length

test('verbs that arrive together share one commit and keep their order', async () => {
  const { write } = createWriteQueue(db)
  await Promise.all(['a', 'b', 'c'].map((text) => write(insert(text))))
  expect(notes()).toEqual(['a', 'b', 'c'])
  expect(commits()).toBe(1)
})

test('a verb resolves only after its commit', async () => {
  const { write } = createWriteQueue(db)
  await write(insert('a'))
  expect(log.at(-1)).toBe('COMMIT')
})

test('a verb that throws undoes and rejects only itself', async () => {
  const { write } = createWriteQueue(db)
  const refused = new Error('no')
  const answers = await Promise.allSettled([
    write(insert('a')),
    write(() => {
      insert('half')()
      throw refused
    }),
    write(insert('a')),
    write(() => 'fine'),
  ])
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: refused },
    { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_UNIQUE' } },
    { status: 'fulfilled', value: 'fine' },
  ])
  expect(notes()).toEqual(['a'])
})

test('a commit that fails rejects all of its verbs and leaves nothing; the next one works', async () => {
  const { write } = createWriteQueue(db)
  failCommits = true
  const answers = await Promise.allSettled([write(insert('a')), write(insert('b'))])
  expect(answers.every((answer) => answer.status === 'rejected' && databaseWriteFailed.is(answer.reason))).toBe(true)
  expect(notes()).toEqual([])
  failCommits = false
  await write(insert('c'))
  expect(notes()).toEqual(['c'])
})

test('when the file cannot grow, no verb of the batch is acknowledged and none is half done', async () => {
  const { write } = createWriteQueue(db)
  const pages = Number(db.get('PRAGMA page_count')?.[0])
  db.script(`PRAGMA max_page_count = ${pages}`)
  const big = 'x'.repeat(20_000)
  const answers = await Promise.allSettled(['a', big, 'c'].map((text) => write(insert(text))))
  const kept = notes()
  for (const [at, text] of ['a', big, 'c'].entries())
    expect(kept.includes(text)).toBe(answers[at]?.status === 'fulfilled')
  expect(answers[1]?.status).toBe('rejected')
  expect(db.inTransaction).toBe(false)
  db.script('PRAGMA max_page_count = 100000')
  await write(insert('later'))
  expect(notes()).toContain('later')
})

test('a batch is bounded, and a long queue is written all the same', async () => {
  const { write } = createWriteQueue(db)
  await Promise.all(Array.from({ length: 600 }, (_, i) => write(insert(`${i}`))))
  expect(notes()).toHaveLength(600)
  expect(commits()).toBe(3)
})

test('closing writes what waits and refuses what comes after', async () => {
  const { write, close } = createWriteQueue(db)
  const waiting = write(insert('a'))
  close()
  await waiting
  expect(notes()).toEqual(['a'])
  await expect(write(insert('b'))).rejects.toSatisfy(databaseClosed.is)
})

test('what a payer may read of a failed write does not say where the database lies', async () => {
  const { write } = createWriteQueue(db)
  failCommits = true
  await expect(write(insert('a'))).rejects.toThrow(/^the database cannot be written: disk I\/O error$/)
})
