import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { shapeOf } from '../../../src/authority/index.js'
import {
  databaseClosed,
  databaseForeign,
  databaseMissing,
  databaseOlder,
  databaseReadOnly,
  databaseUnusable,
} from '../../../src/storage/errors.js'
import { openNameReader, openNameStore, openTillStore } from '../../../src/storage/index.js'
import { nameSchema } from '../../../src/storage/migrations/names.js'
import { NAMES_FILE } from '../../../src/storage/sqlite/kinds.js'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.js'
import { aClaim, aGrant, aKey, anOffer, holderOf } from '../../support/name-builders.js'
import { temporaryFolder, WALLET } from '../../support/temporary-store.js'
import { freshHex, NOON } from '../../support/till-builders.js'

const RIVAL = join(import.meta.dirname, '../../support/name-rival.ts')

let path: string

beforeEach(() => {
  const { folder, remove } = temporaryFolder()
  path = join(folder, 'data', 'names.db')
  onTestFinished(remove)
})

async function open() {
  const store = await openNameStore({ path, now: () => NOON })
  onTestFinished(() => store.close())
  return store
}

test('a database of schema 1 is copied, gets the index of held names, and keeps its rows', async () => {
  await (await openNameStore({ path, now: () => NOON })).close()
  rmSync(path)
  const old = openSqlite(path, 'durable')
  old.script(`${nameSchema}; PRAGMA application_id = ${NAMES_FILE.applicationId}; PRAGMA user_version = 1`)
  for (const [name, releasedAt] of [
    ['alice', null],
    ['bob', NOON],
  ] as const)
    old.run('INSERT INTO name VALUES (?, ?, randomblob(32), 1, ?, NULL)', [name, name, releasedAt])
  old.close()
  await expect(openNameReader({ path })).rejects.toSatisfy(databaseOlder.is)
  const store = await open()
  expect((await store.listNames({ status: 'active' }, 5)).items.map(({ name }) => name)).toEqual(['alice'])
  expect((await store.listNames({}, 5)).items).toHaveLength(2)
  expect(existsSync(`${path}.schema-1`)).toBe(true)
})

test('the folder, the file and its side files are private', async () => {
  await (await open()).check()
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600])
})

test('what was acknowledged is there after closing and opening', async () => {
  const first = await open()
  const pubkey = await holderOf(first, 'alice')
  const [grant, offer, id] = [aGrant({ serial: 4 }), anOffer('alice', { seller: pubkey }), freshHex(64)]
  await first.saveGrant(grant, null)
  await first.createOffer(offer)
  await first.recordAuth(id, NOON)
  await first.close()
  // The one file is the whole database.
  expect(statSync(`${path}-wal`).size).toBe(0)
  const second = await open()
  expect(await second.activeName('alice')).toMatchObject({ pubkey })
  expect(await second.grant(grant.pubkey, 'name')).toEqual(grant)
  expect(await second.lastSerial(grant.pubkey, 'name')).toBe(4)
  expect(await second.offer(offer.id)).toEqual(offer)
  expect(await second.recordAuth(id, NOON)).toBe('replayed')
})

test('closing writes what was asked for, and may be repeated', async () => {
  const store = await open()
  const waiting = store.claimName(aClaim('alice'))
  await Promise.all([store.close(), store.close()])
  expect(await waiting).toMatchObject({ outcome: 'claimed' })
  await expect(store.check()).rejects.toSatisfy(databaseClosed.is)
})

test('two stores on one file see each other at once, and neither is waited for when one closes', async () => {
  const [daemon, command] = [await open(), await open()]
  const pubkey = await holderOf(daemon, 'alice')
  expect(await command.nameOfKey(pubkey)).toMatchObject({ name: 'alice' })
  await command.suspend('alice', { suspended: true, reason: 'fraud', now: NOON })
  await command.reserve(shapeOf('bank'), { reason: 'brand', now: NOON })
  await command.close()
  expect((await daemon.activeName('alice'))?.suspendedAt).toBe(NOON)
  expect(await daemon.claimName(aClaim('b4nk'))).toEqual({ outcome: 'reserved' })
})

test('of two connections one records an id, and one gives a name', async () => {
  const [one, other] = [await open(), await open()]
  for (let round = 0; round < 20; round++) {
    const id = freshHex(64)
    const auths = await Promise.all([one.recordAuth(id, NOON), other.recordAuth(id, NOON)])
    expect(auths.sort()).toEqual(['recorded', 'replayed'])
    const claims = await Promise.all([one, other].map((store) => store.claimName(aClaim(`name-${round}x`))))
    expect(claims.map(({ outcome }) => outcome).sort()).toEqual(['claimed', 'taken'])
  }
})

test('processes that create one database and claim the same names at once give each name once', async () => {
  const children = Array.from({ length: 3 }, () => {
    const child = spawn(process.execPath, ['--import', 'tsx', RIVAL, path, '200'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  })
  const answers = children.map(({ stdout }) => text(stdout))
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
  for (const { stdin } of children) stdin.end()
  const parsed = (await Promise.all(answers)).map((lines) => JSON.parse(lines.split('\n')[1] ?? ''))
  for (const [kind, won, lost] of [
    ['claims', 'claimed', 'taken'],
    ['auths', 'recorded', 'replayed'],
  ] as const)
    for (let i = 0; i < 200; i++)
      expect(parsed.map((answer) => answer[kind][i]).sort()).toEqual([won, lost, lost].sort())
}, 60_000)

test('a till is not opened as a name authority, nor the other way round; both files stay as they are', async () => {
  await (await open()).close()
  const till = join(path, '..', 'pay.db')
  await (await openTillStore({ path: till, ...WALLET })).close()
  const before = [path, till].map((file) => readFileSync(file))
  const asNames = openNameStore({ path: till, now: () => NOON })
  await expect(asNames).rejects.toSatisfy(databaseForeign.is)
  await expect(asNames).rejects.toThrow('pay.db is not the database of a name authority: it belongs to a till')
  await expect(openNameReader({ path: till })).rejects.toSatisfy(databaseForeign.is)
  const asTill = openTillStore({ path, ...WALLET })
  await expect(asTill).rejects.toSatisfy(databaseForeign.is)
  await expect(asTill).rejects.toThrow('names.db is not the database of a till: it belongs to a name authority')
  expect([path, till].map((file, i) => readFileSync(file).equals(before[i] ?? new Uint8Array()))).toEqual([true, true])
})

test('a file that is no database, and a place where none can be, are named', async () => {
  const note = join(path, '..', '..', 'note.txt')
  writeFileSync(note, 'my shopping list, which is longer than a database header is: '.repeat(20))
  await expect(openNameStore({ path: note, now: () => NOON })).rejects.toSatisfy(databaseForeign.is)
  const inside = openNameStore({ path: join(note, 'names.db'), now: () => NOON })
  await expect(inside).rejects.toSatisfy(databaseUnusable.is)
  expect(readFileSync(note, 'utf8')).toContain('shopping')
})

test('a command neither creates nor migrates', async () => {
  const command = () => openNameStore({ path, now: () => NOON, mustExist: true })
  await expect(command()).rejects.toSatisfy(databaseMissing.is)
  await expect(openNameReader({ path })).rejects.toSatisfy(databaseMissing.is)
  expect(existsSync(path)).toBe(false)
  await (await open()).close()
  await (await command()).close()
  const db = openSqlite(path, 'durable')
  db.script('PRAGMA user_version = 0')
  db.close()
  await expect(command()).rejects.toSatisfy(databaseOlder.is)
})

test('a reader sees what a running authority wrote, and cannot write', async () => {
  const store = await open()
  const reader = await openNameReader({ path })
  onTestFinished(() => reader.close())
  const pubkey = await holderOf(store, 'alice')
  expect(await reader.nameOfKey(pubkey)).toMatchObject({ name: 'alice' })
  await expect(reader.claimName(aClaim('bob'))).rejects.toSatisfy(databaseReadOnly.is)
})

test('the database itself keeps a key from two names, a kernel from two sales, and the history from changes', async () => {
  const store = await open()
  const seller = await holderOf(store, 'alice')
  const offer = anOffer('alice', { seller })
  await store.createOffer(offer)
  const kernelExcess = freshHex(66)
  await store.transferName({ offerId: offer.id, kernelExcess, kernelHeight: 1, now: NOON, cooldownMs: 0 })
  const db = openSqlite(path, 'durable')
  onTestFinished(() => db.close())
  const insert = 'INSERT INTO name (name, skeleton, pubkey, created_at) SELECT ?, ?, pubkey, 1 FROM name LIMIT 1'
  expect(() => db.run(insert, ['bob', 'bob'])).toThrow('UNIQUE')
  const sell = 'INSERT INTO transfer SELECT randomblob(32), name, seller, buyer, 1, kernel_excess, 1, 1 FROM transfer'
  expect(() => db.run(sell)).toThrow('UNIQUE')
  expect(() => db.run('DELETE FROM audit')).toThrow('never cut')
  expect(() => db.run("UPDATE audit SET reason = 'x'")).toThrow('never changed')
})

test('more look-alikes than can be looked at count as taken', async () => {
  const store = await open()
  const db = openSqlite(path, 'durable')
  onTestFinished(() => db.close())
  // The same skeleton as `alice`, none of which looks like it.
  db.script(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4096)
    INSERT INTO name (name, skeleton, pubkey, created_at) SELECT 'aiice' || i, 'aiice', randomblob(32), 1 FROM n`)
  expect(await store.rivalOf(shapeOf('alice'))).toBeUndefined()
  db.run("INSERT INTO name (name, skeleton, pubkey, created_at) VALUES ('aiice', 'aiice', randomblob(32), 1)")
  expect(await store.rivalOf(shapeOf('alice'), aKey())).toBeDefined()
  expect(await store.claimName(aClaim('alice'))).toEqual({ outcome: 'taken' })
})

test('a copy is whole and private, and an existing file is not overwritten', async () => {
  const store = await open()
  const pubkey = await holderOf(store, 'alice')
  const target = `${path}.backup`
  await store.copyTo(target)
  expect(statSync(target).mode & 0o777).toBe(0o600)
  await expect(store.copyTo(target)).rejects.toThrow()
  const copy = await openNameReader({ path: target })
  onTestFinished(() => copy.close())
  expect(await copy.nameOfKey(pubkey)).toMatchObject({ name: 'alice' })
})
