// A relay's log whose primary is lost: what was acknowledged stays, once, and a log that has lost something is not followed.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { databaseWentBack, relayDiverged, relayLogCut } from '../../src/storage/errors.js'
import { replaceFileForFolder } from '../../src/system/index.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { anEvent, frontEndOn, logOn } from '../support/postgres/relay-logs.js'
import { freshLogPlace } from '../support/postgres/schemas.js'

let cluster: Cluster
beforeEach(async () => {
  cluster = await startCluster()
})
afterEach(() => cluster?.stop())

const SOON = { timeout: 20_000, interval: 10 }

/** 10 is the contract's bar. */
const ROUNDS = Array.from({ length: Number(process.env.GRINPAY_ROUNDS ?? 2) }, (_, at) => at + 1)

test.each(ROUNDS)(
  'the primary is killed under load (%i): no event is lost or doubled, and the order is one',
  async () => {
    const place = await freshLogPlace(cluster.url())
    const fronts = await Promise.all([frontEndOn(place), frontEndOn(place), frontEndOn(place)])
    const [primary, ...standbys] = cluster.nodes
    let isOver = false
    let sent = 0
    const load = (async () => {
      while (!isOver) {
        for (const [who, { log }] of fronts.entries()) log.append([anEvent(`${who}:${sent}`)])
        sent++
        await sleep(4)
      }
    })()
    await sleep(1500)
    await primary.kill()
    const killed = performance.now()
    const answered = fronts.map((front) => front.answered.size)
    await cluster.promote(await cluster.foremost(standbys))
    await expect.poll(() => fronts.every((front, at) => front.answered.size > (answered[at] ?? 0)), SOON).toBe(true)
    const silence = Math.round(performance.now() - killed)
    await sleep(500)
    isOver = true
    await load
    await expect.poll(() => fronts.map(({ contents }) => contents.length), SOON).toEqual(fronts.map(() => sent * 3))
    console.log({ events: sent * 3, entries: fronts[0]?.entries.length, silence })
    for (const front of fronts) {
      expect(front.entries.map(({ pos }) => pos)).toEqual(front.entries.map((_, at) => at + 1))
      expect(front.failed).toEqual([])
      expect(new Set(front.contents).size).toBe(sent * 3)
      expect(front.contents).toEqual(fronts[0]?.contents)
      expect(front.answered.size).toBe(sent)
    }
    expect(silence).toBeLessThan(3000)
  },
)

test('events sent while no standby received anything were not answered, and none that was is missed', async () => {
  const place = await freshLogPlace(cluster.url())
  const fronts = await Promise.all([frontEndOn(place), frontEndOn(place), frontEndOn(place)])
  const [primary, ...standbys] = cluster.nodes
  let [isOver, sent] = [false, 0]
  const load = (async () => {
    while (!isOver) {
      for (const [who, { log }] of fronts.entries()) log.append([anEvent(`${who}:${sent}`)])
      sent++
      await sleep(4)
    }
  })()
  await sleep(1000)
  await Promise.all(standbys.map((node) => node.kill()))
  // What they had received is on its way.
  await sleep(200)
  const answered = fronts.map((front) => front.answered.size)
  await sleep(500)
  expect(fronts.map((front) => front.answered.size)).toEqual(answered)
  await primary.kill()
  await Promise.all(standbys.map((node) => node.start()))
  await cluster.promote(await cluster.foremost(standbys))
  await expect.poll(() => fronts.every((front, at) => front.answered.size > (answered[at] ?? 0)), SOON).toBe(true)
  isOver = true
  await load
  await expect
    .poll(() => fronts.map(({ answered, failed }) => answered.size + failed.length), SOON)
    .toEqual([...fronts.map(() => sent)])
  const [first] = fronts
  await expect
    .poll(() => fronts.map(({ contents }) => contents.length), SOON)
    .toEqual(fronts.map(() => first?.contents.length))
  for (const front of fronts) {
    expect(front.contents).toEqual(first?.contents)
    expect(new Set(front.contents).size).toBe(front.contents.length)
    expect([...front.answered.keys()].filter((content) => !first?.contents.includes(content))).toEqual([])
  }
})

/** Waits for no standby: what it loses is what the test is about. */
async function unsafeCluster() {
  const place = { ...(await freshLogPlace(cluster.url())), unsafe: 'single' as const }
  const [primary, ...standbys] = cluster.nodes
  await primary.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
  await primary.sql('SELECT pg_reload_conf()')
  return { place, primary, standbys }
}

test('a log that has lost what was applied here is not followed, also after a restart: DATABASE_WENT_BACK', async () => {
  const { place, primary, standbys } = await unsafeCluster()
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-log-'))
  const watermarkFile = { path: join(folder, 'watermark.json'), replace: replaceFileForFolder }
  const front = await frontEndOn(place, { watermarkFile })
  front.log.append([anEvent('kept')])
  await expect.poll(() => front.contents, SOON).toEqual(['kept'])
  await sleep(300)
  await Promise.all(standbys.map((node) => node.kill()))
  for (let at = 0; at < 20; at++) {
    front.log.append([anEvent(`lost ${at}`)])
    await sleep(20)
  }
  await expect.poll(() => front.contents.length, SOON).toBe(21)
  await primary.kill()
  await Promise.all(standbys.map((node) => node.start()))
  await cluster.promote(await cluster.foremost(standbys))
  expect(await front.log.failure).toSatisfy(databaseWentBack.is)
  await front.close()
  await expect(logOn(place, { watermarkFile })).rejects.toSatisfy(databaseWentBack.is)
  // One that has applied nothing of it follows.
  const fresh = await frontEndOn(place)
  fresh.log.append([anEvent('new')])
  await expect.poll(() => fresh.contents, SOON).toEqual(['kept', 'new'])
  // One whose store is ahead of the log does not, even without its file.
  expect(await (await frontEndOn(place, { after: 15 })).log.failure).toSatisfy(databaseWentBack.is)
})

test('partitions are made ahead, and dropped when they are old and no living front end needs them', async () => {
  const place = await freshLogPlace(cluster.url())
  const [primary] = cluster.nodes
  const sql = (text: string) => primary.sql(text.replaceAll('@', `${place.schema}.`))
  const partitions = async () =>
    (
      await sql(
        "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = '@log'::regclass",
      )
    )
      .map(({ relname }) => Number(String(relname).replace('log_from_', '')) / 1_048_576)
      .sort((one, other) => one - other)
  const row = (pos: number, at: number) =>
    sql(`INSERT INTO @log VALUES (0, ${pos}, ${at}, gen_random_uuid(), 1, '{"v":1,"type":"events"}', 1)`)
  const last = 2 * 1_048_576 - 2
  await row(1_048_575, 1)
  await row(last, Date.now())
  await sql(`UPDATE @head SET pos = ${last}`)
  await sql(`INSERT INTO @replica VALUES (gen_random_uuid(), 0, 7, NULL, now() - interval '1 minute', '0')`)
  const front = await frontEndOn(place, { after: last })
  await expect.poll(partitions, SOON).toEqual([0, 1, 2])
  const events = Array.from({ length: 30 }, (_, at) => `${at}`)
  for (const content of events) {
    front.log.append([anEvent(content)])
    await sleep(5)
  }
  await expect.poll(() => front.contents, SOON).toEqual(events)
  expect(front.entries.map(({ pos }) => pos)).toEqual(front.entries.map((_, at) => last + 1 + at))
  await front.close()
  await sql("UPDATE @replica SET seen = now() - interval '2 hours'")
  const next = await frontEndOn(place, { after: front.position() })
  await expect.poll(partitions, SOON).toEqual([1, 2, 3])
  await next.close()
  // A store that needs what was dropped has to be made anew.
  expect(await (await frontEndOn(place, { after: 5 })).log.failure).toSatisfy(relayLogCut.is)
})

test('a front end whose decisions differ from those of most others stops: RELAY_DIVERGED', async () => {
  const place = await freshLogPlace(cluster.url())
  const [odd, ...others] = await Promise.all(Array.from({ length: 3 }, () => frontEndOn(place)))
  if (!odd) throw new Error('three front ends')
  const digest = (byte: number) => ({ pos: 1024, digest: new Uint8Array(32).fill(byte) })
  // The odd one is the first: it learns of the others later.
  await expect.poll(() => odd.log.lagMs(), SOON).toBe(0)
  odd.log.report(digest(1))
  await sleep(500)
  for (const { log } of others) {
    await expect.poll(() => log.lagMs(), SOON).toBe(0)
    log.report(digest(2))
  }
  expect(await odd.log.failure).toSatisfy(relayDiverged.is)
  const isWell = await Promise.race([...others.map(({ log }) => log.failure), sleep(6000, 'well')])
  expect(isWell).toBe('well')
})
