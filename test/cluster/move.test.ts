import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { shapeOf } from '../../src/authority/index.js'
import {
  databaseMoved,
  movedTextInvalid,
  moveFileUsed,
  moveTargetUsed,
  schemaInUse,
  schemaMoved,
} from '../../src/storage/errors.js'
import { openNameStore } from '../../src/storage/index.js'
import type { NameRow } from '../../src/storage/names/row-kinds.js'
import { importSharedNames, moveNames, moveNamesBack } from '../../src/storage/postgres/names/move.js'
import type { DatabasePlace } from '../../src/storage/postgres/place.js'
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

describe('back to a file', () => {
  /** Rows of every kind in PostgreSQL, and how they go back. */
  async function someShared() {
    const { path } = await someNames()
    const place = await freshPlace(cluster.url())
    const { tables } = await moveNames({ path, place, target: 'a:5432/names', now: NOON, isDryRun: false })
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-back-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const order = {
      ...{ place, path: join(folder, 'names.db'), isDryRun: false },
      files: { create: async (file: string) => writeFileSync(file, '', { mode: 0o600 }), publish: rename },
    }
    return { place, tables, order, folder }
  }

  test('every row arrives with the digest that it had, and the schema is refused from then on', async () => {
    const { place, tables, order, folder } = await someShared()
    const front = await namesOn(place)
    expect(await moveNamesBack({ ...order, isDryRun: true })).toEqual({ outcome: 'rehearsed', tables })
    expect(readdirSync(folder)).toEqual([])
    await front.claimName(aClaim('meanwhile'))
    const before = await all(front.rows())
    expect((await moveNamesBack(order)).outcome).toBe('moved')
    expect(readdirSync(folder)).toEqual(['names.db'])

    const store = await openNameStore({ path: order.path, now: () => NOON })
    onTestFinished(store.close)
    expect(await all(store.rows())).toEqual(before)
    await holderOf(store, 'carol')
    // A process that had connections before, and one that starts now.
    await expect(front.claimName(aClaim('late'))).rejects.toThrow(/moved to a file/)
    await expect(namesOn(place)).rejects.toSatisfy(schemaMoved.is)
    await expect(moveNamesBack(order)).rejects.toSatisfy(schemaMoved.is)
  })

  test('not while a front end runs', async () => {
    const { place, order } = await someShared()
    const front = await namesOn(place)
    const instance = { daemon: 'nameauth', version: '1', host: 'a', startedAt: NOON, fingerprints: {} }
    await front.instances.announce(instance)
    await expect(moveNamesBack(order)).rejects.toSatisfy(schemaInUse.is)
    await front.instances.withdraw()
    expect((await moveNamesBack(order)).outcome).toBe('moved')
  })

  test('into a file that is there only when it has the same rows', async () => {
    const { place, order } = await someShared()
    const { path } = await someNames()
    await expect(moveNamesBack({ ...order, path })).rejects.toSatisfy(moveFileUsed.is)
    // As after an interruption: the file was written, and the schema not marked.
    await moveNamesBack(order)
    const [primary] = cluster.nodes
    await primary.sql(`UPDATE ${place.schema}.schema_version SET service = 'names'`)
    await primary.sql(`DROP FUNCTION ${place.schema}.moved_away() CASCADE`)
    expect((await moveNamesBack(order)).outcome).toBe('there')
  })
})

describe('an import into PostgreSQL', () => {
  const change = { reason: 'moving in', now: NOON, isName: () => true, shapeOf }

  async function importInto(place: DatabasePlace, rows: AsyncIterable<NameRow>, more = {}) {
    async function* placed() {
      for await (const row of rows) yield { place: 'a row', row }
    }
    return importSharedNames({ place, rows: placed(), change: { ...change, ...more } })
  }

  test('gives what an import into a file gives, all or nothing, and may be repeated', async () => {
    const { store } = await someNames()
    const place = await freshPlace(cluster.url())
    const shared = await namesOn(place)
    const mine = await holderOf(shared, 'mine')
    const { store: file, remove } = await openTemporaryNames()
    onTestFinished(remove)
    await file.claimName(aClaim('mine', { pubkey: mine }))

    const rehearsal = await importInto(place, store.rows(), { isDryRun: true })
    expect((await shared.totals()).names).toBe(1)
    const done = await importInto(place, store.rows())
    expect(done).toEqual(rehearsal)
    const rows = await all(store.rows())
    expect(done).toEqual(
      await file.importNames(
        rows.map((row) => ({ place: 'a row', row })),
        change,
      ),
    )
    const withoutTimes = (found: readonly NameRow[]) => found.filter(({ kind }) => kind !== 'history')
    expect(withoutTimes(await all(shared.rows()))).toEqual(withoutTimes(await all(file.rows())))
    expect((await all(shared.rows())).length).toBe((await all(file.rows())).length)
    // Numbers go on after those that came.
    await holderOf(shared, 'next')

    const again = await importInto(place, store.rows())
    expect(again).toMatchObject({ outcome: 'imported', added: { name: 0, offer: 0, grant: 0 } })
    const { names } = await shared.totals()
    const { store: other } = await someNames()
    const refused = await importInto(place, other.rows())
    expect(refused.outcome).toBe('conflicts')
    const others = await all(other.rows())
    expect(refused).toEqual(
      await file.importNames(
        others.map((row) => ({ place: 'a row', row })),
        change,
      ),
    )
    expect((await shared.totals()).names).toBe(names)
  })

  test('front ends change nothing meanwhile, and go on afterwards', async () => {
    const { store } = await someNames()
    const place = await freshPlace(cluster.url())
    const shared = await namesOn(place)
    let isImporting = true
    const claims: string[] = []
    const client = async () => {
      for (let at = 0; isImporting; at++) {
        const name = `own${at}x`
        const answer = await shared.claimName(aClaim(name)).catch((error) => error?.code)
        if (answer?.outcome === 'claimed') claims.push(name)
        else await sleep(5)
      }
    }
    const running = client()
    try {
      await importInto(place, store.rows())
    } finally {
      isImporting = false
      await running
    }
    await shared.claimName(aClaim('after'))
    for (const name of [...claims, 'after', 'bob']) expect(await shared.keyOfName(name)).toBeDefined()
  })
})
