// Several front ends of one name authority on one cluster, and what becomes of them when nodes die.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { shapeOf } from '../../src/authority/index.js'
import { databaseUnavailable, databaseWentBack } from '../../src/storage/errors.js'
import { forgetWatermark } from '../../src/storage/postgres/watermark.js'
import { replaceFile } from '../../src/system/index.js'
import { aKey } from '../support/name-builders.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, namesOn, postgresOn } from '../support/postgres/schemas.js'
import { untilAnswered } from '../support/postgres/until-answered.js'
import { NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeEach(async () => {
  cluster = await startCluster()
})
afterEach(() => cluster?.stop())

const claim = (name: string, pubkey = aKey()) => ({
  shape: shapeOf(name),
  pubkey,
  now: NOON,
  cooldownMs: 0,
  paid: false,
})

describe('when the primary dies', () => {
  test('public lookups are answered by a standby, and claims by 503', async () => {
    const place = await freshPlace(cluster.url())
    const front = await namesOn(place)
    const pubkey = aKey()
    await front.claimName(claim('alice', pubkey))
    await front.lookups.keyOfName('bob')
    await cluster.streaming(cluster.nodes[0], 2)
    await sleep(200)
    await cluster.nodes[0].kill()
    expect(await front.lookups.keyOfName('alice')).toBe(pubkey)
    expect((await front.lookups.nameOfKey(pubkey))?.name).toBe('alice')
    const refused = front.claimName(claim('bob'))
    await expect(refused).rejects.toSatisfy(databaseUnavailable.is)
    await expect(refused).rejects.toMatchObject({ status: 503, members: { retry_after: 5 } })
    expect(String(await refused.catch(String))).not.toContain('127.0.0.1')
    const begun = performance.now()
    expect(await front.lookups.keyOfName('nobody')).toBeUndefined()
    expect(performance.now() - begun).toBeLessThan(500)
  })

  test('a primary that is frozen is left for the promoted one', async () => {
    const place = await freshPlace(cluster.url())
    const front = await namesOn(place)
    await front.claimName(claim('alice'))
    const [primary, ...standbys] = cluster.nodes
    primary.freeze()
    await cluster.promote(await cluster.foremost(standbys))
    const begun = performance.now()
    const wanted = claim('bob')
    const answer = await untilAnswered(() => front.claimName(wanted))
    // "held": the first attempt took effect after its client had been told to wait.
    expect(['claimed', 'held']).toContain(answer.outcome)
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect((await front.nameOfKey(aKey()))?.name).toBeUndefined()
    expect(await front.availabilityOf(shapeOf('alice'))).toBe('taken')
  })
})

test('a database that went back is not used any more, until the operator accepts it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-mark-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const watermarkFile = { path: join(folder, 'watermark.json'), replace: replaceFile }
  // The control: commits are acknowledged that no standby has.
  const place = { ...(await freshPlace(cluster.url())), unsafe: 'single' as const }
  await cluster.nodes[0].sql("ALTER SYSTEM SET synchronous_standby_names = ''")
  await cluster.nodes[0].sql('SELECT pg_reload_conf()')
  await sleep(500)
  const db = await postgresOn(place, { watermarkFile })
  const write = (name: string) =>
    db.change((sql) =>
      sql.run("INSERT INTO reserved (name, skeleton, reason, created_at) VALUES (?, ?, '', 1)", [name, name]),
    )
  await write('kept')
  const [primary, ...standbys] = cluster.nodes
  await sleep(300)
  await Promise.all(standbys.map((node) => node.kill()))
  await write('lost')
  await primary.kill()
  await Promise.all(standbys.map((node) => node.start()))
  await cluster.promote(standbys[0] ?? primary)
  await expect.poll(() => write('next').catch((error) => error?.code), { timeout: 15_000 }).toBe('DATABASE_WENT_BACK')
  await db.close()
  await expect(postgresOn(place, { watermarkFile })).rejects.toSatisfy(databaseWentBack.is)
  expect(await forgetWatermark(watermarkFile)).toBe('forgotten')
  const again = await postgresOn(place, { watermarkFile })
  expect(await again.read((sql) => sql.all('SELECT name FROM reserved'))).toEqual([['kept']])
})
