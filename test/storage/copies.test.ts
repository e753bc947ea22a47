import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyWhileUsed, examineCopy, isInUse, newestSchema, reviveTill } from '../../src/storage/copies.js'
import { openConsoleStore, openEventStore, openNameStore, openTillStore } from '../../src/storage/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { temporaryFolder, WALLET } from '../support/temporary-store.js'
import { NOON } from '../support/till-builders.js'

function folderOf(): string {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  return folder
}

async function openTill(folder: string) {
  const path = join(folder, 'pay.db')
  const store = await openTillStore({ path, ...WALLET })
  onTestFinished(() => store.close())
  return { path, store }
}

/** An open invoice slate, by its columns. */
const SECRET = 'the nonce that signs once, and only once: 0123456789abcdef0123456789abcdef'
function withInvoiceSlate(path: string): void {
  const db = openSqlite(path, 'durable')
  db.script('PRAGMA foreign_keys=OFF')
  const columns = db.all('SELECT name, type, "notnull" FROM pragma_table_info(\'invoice_slate\')')
  const values: Record<string, string> = {
    state: "'open'",
    sealed_secrets: `CAST('${SECRET.repeat(40)}' AS BLOB)`,
    range_proof: 'zeroblob(675)',
    commitment: 'zeroblob(33)',
  }
  const names = columns.map(([name]) => String(name))
  const texts = columns.map(([name, type]) => values[String(name)] ?? (String(type) === 'TEXT' ? "'x'" : '1'))
  db.script(`INSERT INTO invoice_slate (${names.join(', ')}) VALUES (${texts.join(', ')})`)
  db.close()
}

test('a copy of a database in use is one private file with the same rows', async () => {
  const folder = folderOf()
  const { path, store } = await openTill(folder)
  await store.takeKeyIndex()
  const copy = join(folder, 'copy.db')
  const facts = copyWhileUsed(path, 'till', copy)
  expect(facts).toMatchObject({
    schema: newestSchema('till'),
    wallet: { chain: 'testnet', address: 'tgrin1test' },
    rows: { wallet: 1, invoice: 0 },
  })
  expect(examineCopy(copy, 'till')).toEqual({ ...facts, damage: [] })
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.startsWith('copy'))).toEqual(['copy.db'])
})

test('the secrets of open invoice slates are not in a copy, not even in pages that are free', async () => {
  const folder = folderOf()
  const { path } = await openTill(folder)
  withInvoiceSlate(path)
  const copy = join(folder, 'copy.db')
  copyWhileUsed(path, 'till', copy)
  const states = openSqlite(copy, 'reading')
  expect(states.all('SELECT state, sealed_secrets FROM invoice_slate')).toEqual([['closed', null]])
  states.close()
  expect(readFileSync(copy).includes(SECRET)).toBe(false)
})

test('the database itself keeps them', async () => {
  const folder = folderOf()
  const { path } = await openTill(folder)
  withInvoiceSlate(path)
  copyWhileUsed(path, 'till', join(folder, 'copy.db'))
  const db = openSqlite(path, 'reading')
  expect(db.get('SELECT state FROM invoice_slate')).toEqual(['open'])
  db.close()
})

test('names and events are copied likewise', async () => {
  const folder = folderOf()
  const names = await openNameStore({ path: join(folder, 'names.db'), now: () => NOON })
  const events = await openEventStore({ path: join(folder, 'relay.db'), clock: { now: () => NOON } })
  onTestFinished(async () => void (await Promise.all([names.close(), events.close()])))
  expect(copyWhileUsed(join(folder, 'names.db'), 'names', join(folder, 'n')).rows).toMatchObject({ name: 0, meta: 1 })
  expect(copyWhileUsed(join(folder, 'relay.db'), 'events', join(folder, 'e')).rows).toMatchObject({ event: 0, meta: 1 })
  expect(examineCopy(join(folder, 'e'), 'events').damage).toEqual([])
})

test('another daemon’s database, and one that is not there, are refused, and nothing is made', async () => {
  const folder = folderOf()
  const { path } = await openTill(folder)
  const copy = join(folder, 'copy.db')
  expect(() => copyWhileUsed(path, 'names', copy)).toThrow(expect.objectContaining({ code: 'DATABASE_FOREIGN' }))
  expect(() => copyWhileUsed(join(folder, 'no.db'), 'till', copy)).toThrow(
    expect.objectContaining({ code: 'DATABASE_MISSING' }),
  )
  expect(existsSync(copy)).toBe(false)
})

test('a revived till hands out nothing below the index that was chosen, and knows how far it had come', async () => {
  const folder = folderOf()
  const { path, store } = await openTill(folder)
  await store.skipKeyIndexTo(500)
  await store.check()
  const copy = join(folder, 'copy.db')
  copyWhileUsed(path, 'till', copy)
  const known: unknown[] = []
  const choose = (now: { readonly next: number; readonly at: number }) => {
    known.push(now)
    return now.next + 1000
  }
  expect(reviveTill(copy, choose)).toBe(1500)
  expect(known).toEqual([{ next: 500, at: NOON }])
  const revived = await openTillStore({ path: copy, ...WALLET })
  expect(await revived.takeKeyIndex()).toBe(1500)
  await revived.close()
})

test('a till without room for keys is not revived', async () => {
  const folder = folderOf()
  const { path } = await openTill(folder)
  const copy = join(folder, 'copy.db')
  copyWhileUsed(path, 'till', copy)
  expect(() => reviveTill(copy, () => 2 ** 31)).toThrow(expect.objectContaining({ code: 'KEYS_EXHAUSTED' }))
})

test('a database is in use by whichever link it is named', async () => {
  const folder = folderOf()
  const { path, store } = await openTill(folder)
  const link = join(folder, 'link.db')
  symlinkSync(path, link)
  expect(isInUse(link, NOON)).toBe(true)
  await store.close()
  expect(isInUse(link, NOON)).toBe(false)
})

test('a database is in use while its daemon holds it', async () => {
  const folder = folderOf()
  const { path, store } = await openTill(folder)
  expect(isInUse(path, NOON)).toBe(true)
  await store.close()
  expect(isInUse(path, NOON)).toBe(false)
  expect(isInUse(join(folder, 'no.db'), NOON)).toBe(false)
  expect(existsSync(join(folder, 'no.db.lock'))).toBe(false)
})

test("a copy of a console's database signs nobody in, and has the audit log", async () => {
  const folder = folderOf()
  const [path, copy] = [join(folder, 'console.db'), join(folder, 'copy.db')]
  const store = await openConsoleStore({ path })
  onTestFinished(() => store.close())
  const hash = 'ab'.repeat(32)
  await store.addLink({
    hash,
    name: 'n',
    role: 'viewer',
    purpose: 'sign-in',
    createdAt: NOON,
    expiresAt: NOON + 1,
    spentAt: null,
  })
  await store.spendLink(hash, { id: '0123456789ab', hash, now: NOON, address: '', browser: '' })
  const [person, role, session, action, object] = ['n', null, null, 'link.create', 'n'] as const
  await store.beginAudit({ at: NOON, person, role, session, action, object, values: {} })
  expect(copyWhileUsed(path, 'console', copy).rows).toMatchObject({ link: 0, session: 0, audit: 2 })
  expect(readFileSync(copy).includes(Buffer.from(hash, 'hex'))).toBe(false)
  expect(await store.liveSessions(NOON)).toHaveLength(1)
})
