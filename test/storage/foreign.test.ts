// A path that leads to a foreign database: it is refused as it is, before anything opens it to write.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, onTestFinished, test } from 'vitest'
import { openEventStore, openNameStore, openTillStore } from '../../src/storage/index.js'
import { temporaryFolder } from '../support/temporary-store.js'

const clock = { now: () => 1_700_000_000_000 }
const STORES: readonly (readonly [string, (path: string) => Promise<{ close(): Promise<void> }>])[] = [
  ['till', (path) => openTillStore({ path, chain: 'mainnet', fingerprint: 'x', now: clock.now })],
  ['name authority', (path) => openNameStore({ path, now: clock.now })],
  ['relay', (path) => openEventStore({ path, clock })],
]

function fileIn(folder: string, name: string): string {
  const path = join(folder, name)
  const db = new Database(path)
  db.exec('CREATE TABLE invoices (id TEXT); INSERT INTO invoices VALUES (1)')
  db.close()
  return path
}

function temporary(): string {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  return folder
}

test.each(STORES)('no byte of another program’s database changes when a %s is pointed to it', async (_, open) => {
  const folder = temporary()
  const path = fileIn(folder, 'old.db')
  const before = readFileSync(path)
  await expect(open(path)).rejects.toMatchObject({ code: 'DATABASE_FOREIGN', message: /another program made it/ })
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(readdirSync(folder)).toEqual(['old.db'])
})

test.each(STORES)('a %s names whose database it was pointed to', async (name, open) => {
  const [other] = STORES.filter(([owner]) => owner !== name)
  const path = join(temporary(), 'other.db')
  await (await other?.[1](path))?.close()
  const before = readFileSync(path)
  await expect(open(path)).rejects.toMatchObject({
    code: 'DATABASE_FOREIGN',
    message: expect.stringContaining(`it belongs to a ${other?.[0]}`),
  })
  expect(readFileSync(path).equals(before)).toBe(true)
})

test.each(STORES)('a %s is made in an empty file, and one that was opened without a table', async (_, open) => {
  const folder = temporary()
  const [empty, walled] = [join(folder, 'empty.db'), join(folder, 'walled.db')]
  writeFileSync(empty, '')
  const db = new Database(walled)
  db.exec('PRAGMA journal_mode=WAL')
  db.close()
  for (const path of [empty, walled]) await (await open(path)).close()
})
