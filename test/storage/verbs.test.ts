// One verb, two runners: at once on a file, awaited in PostgreSQL.
import { expect, test } from 'vitest'
import { sql } from '../../src/storage/dialect.js'
import type { Queries } from '../../src/storage/postgres/change.js'
import { postgresRunner, runVerb as runThere } from '../../src/storage/postgres/run-verb.js'
import { createWriteQueue } from '../../src/storage/sqlite/group-commit.js'
import { NAMES_FILE } from '../../src/storage/sqlite/kinds.js'
import { runVerb, sqliteRunner } from '../../src/storage/sqlite/run-verb.js'
import { all, exists, get, many, one, returning, run, type Verb } from '../../src/storage/verbs.js'
import { recordingSqlite } from '../support/recording-sqlite.js'

const ONLY_THERE = sql(({ either }) => either('', 'UPDATE meta SET there = ?'))
const CHECKED = sql(({ greatest }) => `UPDATE meta SET checked_at = ${greatest('checked_at', '?')}`)

function* checkTwice(first: number, second: number): Verb<readonly unknown[]> {
  const before = yield* one('SELECT checked_at FROM meta', [], ([at]) => at)
  const changed = yield* run(CHECKED, [first])
  const there = yield* run(ONLY_THERE, ({ name }) => [name])
  const [after] = (yield* get('SELECT checked_at FROM meta')) ?? []
  const known = yield* exists('SELECT 1 FROM meta WHERE checked_at = ?', [second])
  const again = yield* returning('UPDATE meta SET checked_at = ? RETURNING checked_at', [second])
  const rows = yield* many('SELECT checked_at FROM meta', [], ([at]) => at)
  return [before, changed, there, after, known, again, rows, yield* all('SELECT 1 WHERE 1 = 2')]
}

test('on a file a verb has run when the runner returns, and an empty statement is not asked', () => {
  const { db, statements } = recordingSqlite(NAMES_FILE)
  expect(runVerb(db, checkTwice(5, 7))).toEqual([0n, 1, 0, 5n, false, [[7n]], [7n], []])
  expect([...statements]).toContain('UPDATE meta SET checked_at = max(checked_at, ?)')
  expect([...statements]).not.toContain('')
})

test('a verb that throws undoes what it changed, and only that', async () => {
  const { db } = recordingSqlite(NAMES_FILE)
  const { change, read } = sqliteRunner(db, createWriteQueue(db).write)
  const failing = change(function* (): Verb<void> {
    yield* run(CHECKED, [50])
    throw new Error('refused')
  })
  const kept = change(() => run(CHECKED, [20]))
  await expect(failing).rejects.toThrow('refused')
  expect(await kept).toBe(1)
  expect(await read(() => get('SELECT checked_at FROM meta'))).toEqual([20n])
})

/** Answers nothing, and notes what it is asked. */
function aServer() {
  const asked: unknown[] = []
  const note = async (how: string, text: string, values: unknown) => void asked.push([how, text, values])
  const db: Queries = {
    run: async (text, values) => note('run', text, values).then(() => 1),
    get: async (text, values) => note('get', text, values).then(() => [1n]),
    all: async (text, values) => note('all', text, values).then(() => [[1n]]),
    runReturning: async (text, values) => note('returning', text, values).then(() => [[1n]]),
  }
  return { db, asked }
}

test('in PostgreSQL each statement waits for the one before, in the words of that database', async () => {
  const { db, asked } = aServer()
  expect(await runThere(db, checkTwice(5, 7))).toEqual([1n, 1, 1, 1n, true, [[1n]], [1n], [[1n]]])
  expect(asked).toEqual([
    ['get', 'SELECT checked_at FROM meta', []],
    ['run', 'UPDATE meta SET checked_at = greatest(checked_at, ?)', [5]],
    ['run', 'UPDATE meta SET there = ?', ['PostgreSQL']],
    ['get', 'SELECT checked_at FROM meta', []],
    ['get', 'SELECT 1 FROM meta WHERE checked_at = ?', [7]],
    ['returning', 'UPDATE meta SET checked_at = ? RETURNING checked_at', [7]],
    ['all', 'SELECT checked_at FROM meta', []],
    ['all', 'SELECT 1 WHERE 1 = 2', []],
  ])
})

test('an attempt that is repeated begins anew; wrong arguments need no connection', async () => {
  const { db, asked } = aServer()
  let connections = 0
  const twice = async <T>(verb: (db: Queries) => Promise<T>): Promise<T> => {
    connections += 1
    await verb(db)
    return verb(db)
  }
  const { change } = postgresRunner({ read: twice, repeatable: twice, change: twice })
  await change(function* (): Verb<void> {
    yield* run('a')
    yield* run('b')
  })
  expect(asked.map((one) => (one as unknown[])[1])).toEqual(['a', 'b', 'a', 'b'])
  await expect(
    change(() => {
      throw new RangeError('no such key')
    }),
  ).rejects.toThrow('no such key')
  expect(connections).toBe(1)
})
