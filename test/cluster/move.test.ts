import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { shapeOf } from '../../src/authority/index.js'
import { databaseMoved, movedTextInvalid, moveTargetUsed } from '../../src/storage/errors.js'
import { openNameStore } from '../../src/storage/index.js'
import { moveNames } from '../../src/storage/postgres/names/move.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { aClaim, aGrant, anOffer, holderOf } from '../support/name-builders.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, namesOn } from '../support/postgres/schemas.js'
import { openTemporaryNames } from '../support/temporary-store.js'
import { grin, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

/** A store with rows of every kind, amounts beyond the signed ones among them. */
async function someNames() {
  const { store, path, remove } = await openTemporaryNames()
  onTestFinished(remove)
  const seller = await holderOf(store, 'alice')
  const offer = anOffer('alice', { seller, price: grin(18_000_000_000) })
  await store.createOffer(offer)
  await store.transferName({
    offerId: offer.id,
    kernelExcess: randomBytes(33).toString('hex'),
    kernelHeight: 7,
    now: NOON,
    cooldownMs: 1000,
  })
  await store.saveGrant(aGrant(), null)
  const paid = aGrant({ invoiceId: 'paid' })
  await store.saveGrant(paid, null)
  await store.settleGrant('paid', NOON)
  await store.claimName(aClaim('bob', { pubkey: paid.pubkey, paid: true }))
  await store.reserve(shapeOf('kept'), { reason: 'mine', now: NOON })
  await store.recordAuth(randomBytes(32).toString('hex'), NOON)
  await Promise.all(Array.from({ length: 1200 }, (_, at) => store.claimName(aClaim(`n${at}`))))
  return { store, path }
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const row of rows) found.push(row)
  return found
}

test('every row of a names.db arrives, and the file takes no change any more', async () => {
  const { store, path } = await someNames()
  const place = await freshPlace(cluster.url())
  const order = { path, place, target: 'a:5432/names', now: NOON, isDryRun: false }
  const before = await all(store.rows())

  expect((await moveNames({ ...order, isDryRun: true })).outcome).toBe('rehearsed')
  await store.claimName(aClaim('meanwhile'))
  const { outcome, tables } = await moveNames(order)
  expect(outcome).toBe('moved')
  expect(tables.find(({ table }) => table === 'name')?.rows).toBe(1203)
  expect(tables.every(({ rows }) => rows > 0)).toBe(true)

  const shared = await namesOn(place)
  const after = await all(shared.rows())
  expect(after.filter((row) => !('name' in row.value && row.value.name === 'meanwhile'))).toEqual(before)
  // The next line of the history and the next offer get numbers of their own.
  await holderOf(shared, 'carol')
  // A process that had the file open before, and one that opens it now.
  await expect(store.claimName(aClaim('late'))).rejects.toThrow(/moved/)
  expect(await store.keyOfName('late')).toBeUndefined()
  await expect(openNameStore({ path, now: () => NOON })).rejects.toSatisfy(databaseMoved.is)
  await expect(moveNames(order)).rejects.toSatisfy(databaseMoved.is)
})

test('a run that was interrupted before it marked the file is finished by the next one', async () => {
  const { path } = await someNames()
  const place = await freshPlace(cluster.url())
  const order = { path, place, target: 'a:5432/names', now: NOON, isDryRun: false }
  await moveNames(order)
  const file = openSqlite(path, 'durable')
  for (const [name = ''] of file.all("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'moved%'"))
    file.script(`DROP TRIGGER ${name}`)
  file.script('DROP TABLE moved')
  file.close()
  expect((await moveNames(order)).outcome).toBe('there')
})

test('a schema with other rows is left alone', async () => {
  const { path } = await someNames()
  const place = await freshPlace(cluster.url())
  await holderOf(await namesOn(place), 'somebody')
  const order = { path, place, target: 'a:5432/names', now: NOON, isDryRun: false }
  await expect(moveNames(order)).rejects.toSatisfy(moveTargetUsed.is)
  const store = await openNameStore({ path, now: () => NOON })
  onTestFinished(store.close)
  expect((await store.claimName(aClaim('still'))).outcome).toBe('claimed')
})

test('a row with U+0000 in a text is named', async () => {
  const { path } = await someNames()
  const file = openSqlite(path, 'durable')
  file.run("UPDATE reserved SET reason = 'a' || char(0) || 'b' WHERE name = 'kept'")
  file.close()
  const order = { path, place: await freshPlace(cluster.url()), target: 'a:5432/names', now: NOON, isDryRun: false }
  const failure = await moveNames(order).catch((error: unknown) => error)
  expect(failure).toSatisfy(movedTextInvalid.is)
  expect(String(failure)).toContain("reserved.reason where name = 'kept'")
})
