// POSIX locks belong to a process, and closing any descriptor of a file drops all that the process holds on it. A connection without its lock
// goes on writing to a log that another process has merged and deleted: what it then acknowledges is lost.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openNameSource, openNameStore } from '../../../src/storage/index.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const LIBSQL = import.meta.resolve('libsql')
const now = () => 1_700_000_000_000

/** What another process answers to a query of one column; it opens the file, and closes it as the last one would. */
function elsewhere(path: string, sql: string): string {
  const script = `
    import Database from ${JSON.stringify(LIBSQL)}
    const db = new Database(process.argv[1])
    console.log(db.prepare(process.argv[2]).pluck().all().join(' '))
    db.close()`
  return execFileSync(process.execPath, ['--input-type=module', '-e', script, path, sql], { encoding: 'utf8' }).trim()
}

async function opened() {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'names.db')
  const store = await openNameStore({ path, now })
  onTestFinished(async () => {
    await store.close()
    remove()
  })
  return { store, path }
}

const VISITS: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['opened a second time', async (path) => (await openNameStore({ path, now, mustExist: true })).close()],
  ['recognised as a source of an import', async (path) => (await openNameSource(path)).close()],
]

test.each(VISITS)('a database keeps its log while it is %s in the same process', async (_, visit) => {
  const { store, path } = await opened()
  await visit(path)
  elsewhere(path, 'SELECT count(*) FROM name')
  await store.check()
  expect(elsewhere(path, 'SELECT checked_at FROM meta')).toBe(String(now()))
})
