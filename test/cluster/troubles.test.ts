// What else happens to a cluster: no slot left, no disk left, a network that is cut, a process that is frozen.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { shapeOf } from '../../src/authority/index.js'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import { databaseUnavailable, databaseUnreachable } from '../../src/storage/errors.js'
import { keepLease } from '../../src/storage/postgres/leases.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { aKey } from '../support/name-builders.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, namesOn, postgresOn } from '../support/postgres/schemas.js'
import { openProxy } from '../support/postgres/tcp-proxy.js'
import { NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeEach(async () => {
  cluster = await startCluster()
})
afterEach(() => cluster?.stop())

const claim = (name: string, pubkey = aKey()) => ({
  ...{ shape: shapeOf(name), pubkey, now: NOON, cooldownMs: 0, paid: false },
})

test('when every slot of the server is taken, those that have connections go on, and others say why', async () => {
  const place = await freshPlace(cluster.url())
  const front = await namesOn(place)
  await front.claimName(claim('before'))
  const taken: pg.Client[] = []
  for (let isFull = false; !isFull; ) {
    const client = new pg.Client({
      host: '127.0.0.1',
      port: cluster.nodes[0].port,
      user: 'grinpay',
      database: 'postgres',
    })
    client.on('error', () => undefined)
    await client.connect().then(
      () => taken.push(client),
      () => {
        isFull = true
      },
    )
  }
  expect(taken.length).toBeGreaterThan(20)
  expect((await front.claimName(claim('meanwhile'))).outcome).toBe('claimed')
  const refused = await postgresOn(place).catch((error: unknown) => error)
  expect(refused).toSatisfy(databaseUnreachable.is)
  expect(String(refused)).toMatch(/too many clients|remaining connection slots/)
  await Promise.all(taken.map((client) => client.end()))
  expect((await (await namesOn(place)).claimName(claim('after'))).outcome).toBe('claimed')
})

test('a table that a foreign transaction has locked costs no further connection, and lookups are answered from memory', async () => {
  const place = await freshPlace(cluster.url())
  const front = await namesOn(place)
  const key = aKey()
  await front.claimName(claim('alice', key))
  expect(await front.lookups.keyOfName('alice')).toBe(key)
  const operator = new pg.Client({
    host: '127.0.0.1',
    port: cluster.nodes[0].port,
    user: 'grinpay',
    database: 'postgres',
  })
  operator.on('error', () => undefined)
  await operator.connect()
  onTestFinished(() => operator.end())
  await operator.query(`BEGIN; LOCK TABLE ${place.schema}.name, ${place.schema}.written IN ACCESS EXCLUSIVE MODE`)
  const slots = async () => {
    const ours = "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'grinpay names'"
    return Number((await cluster.nodes[0].sql(ours))[0]?.n)
  }
  const [ages, failures, end] = [[] as number[], new Set<unknown>(), performance.now() + LOCKED_MS]
  let [most, next] = [0, 0]
  const watch = async () => {
    for (; performance.now() < end; await sleep(250)) most = Math.max(most, await slots())
  }
  const known = async () => {
    for (; performance.now() < end; await sleep(100))
      expect(await front.lookups.keyOfName('alice', (age) => ages.push(age))).toBe(key)
  }
  const refused = async (work: () => Promise<unknown>) => {
    while (performance.now() < end) await work().catch(({ code }: { code: string }) => failures.add(code))
  }
  await Promise.all([
    ...[watch(), known(), refused(() => front.claimName(claim(`n${next++}`)))],
    ...Array.from({ length: 20 }, () => refused(() => front.lookups.keyOfName(`n${next++}`))),
    ...Array.from({ length: 20 }, () => refused(() => front.availabilityOf(shapeOf(`n${next++}`)))),
  ])
  console.log({ most, oldest: Math.max(...ages) })
  expect([...failures]).toEqual(['DATABASE_UNAVAILABLE'])
  expect(most).toBeLessThanOrEqual(11)
  expect(Math.max(...ages)).toBeGreaterThan(LOCKED_MS / 2)
  await operator.query('ROLLBACK')
  expect((await front.claimName(claim('after'))).outcome).toBe('claimed')
})

/** Longer than a connection that is silent counts as lost. */
const LOCKED_MS = 16_000

test('a host that refuses the login does not keep a front end from another one', async () => {
  const { schema } = await freshPlace(cluster.url())
  const [old, refusing, successor] = cluster.nodes
  await old.sql('CREATE ROLE front LOGIN SUPERUSER')
  refusing.put('pg_hba.conf', 'host all front all reject\n')
  await refusing.sql('SELECT pg_reload_conf()')
  const address = parseDatabaseAddress(cluster.url().replace('grinpay@', 'front@'))
  const front = await namesOn({ address, schema })
  expect((await front.claimName(claim('before'))).outcome).toBe('claimed')
  await old.kill()
  await cluster.promote(successor)
  const answers = new Set<unknown>()
  const attempt = () =>
    front.claimName(claim('after')).then(
      ({ outcome }) => outcome,
      ({ code, status, members }) => answers.add({ code, status, members }),
    )
  await expect.poll(attempt, { timeout: 20_000 }).toBe('claimed')
  const away = { code: 'DATABASE_UNAVAILABLE', status: 503, members: { retry_after: 5 } }
  expect([...answers].filter((answer) => JSON.stringify(answer) !== JSON.stringify(away))).toEqual([])
  // A new process, too.
  expect((await (await namesOn({ address, schema })).claimName(claim('again'))).outcome).toBe('claimed')
})

/** Undefined when this user may not mount. */
function smallDisk(megabytes: number): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0777`, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
}

test('a primary whose disk is full acknowledges nothing that is lost, and another one takes over', async ({ skip }) => {
  const disk = smallDisk(160)
  if (disk === undefined) return skip('needs root, who may mount a small file system')
  const place = await freshPlace(cluster.url())
  const [primary, ...standbys] = cluster.nodes
  onTestFinished(async () => {
    await primary.kill()
    execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true })
  })
  await primary.stop()
  const log = join(primary.folder, 'pg_wal')
  cpSync(log, disk, { recursive: true })
  rmSync(log, { recursive: true })
  symlinkSync(disk, log)
  execFileSync('chown', ['-R', '--reference', primary.folder, disk])
  chmodSync(disk, 0o700)
  await primary.start()
  await cluster.streaming(primary, 2)

  const front = await namesOn(place)
  const acknowledged = new Map<string, string>()
  const failures = new Set<unknown>()
  let [isOver, next] = [false, 0]
  const client = async () => {
    while (!isOver) {
      const wanted = claim(`w${next++}`)
      const answer = await front.claimName(wanted).catch((error: { status?: number }) => error)
      if ('outcome' in answer) acknowledged.set(wanted.shape.name, wanted.pubkey)
      else {
        if (answer.status !== 503) failures.add(answer)
        await sleep(50)
      }
    }
  }
  const running = client()
  await sleep(500)
  const filler = join(disk, 'filler')
  try {
    writeFileSync(filler, new Uint8Array(200 * 1024 * 1024))
  } catch {
    // Full.
  }
  // The log begins a new file, for which there is no room: the server gives up.
  for (let tries = 0; tries < 20; tries++) await primary.sql('SELECT pg_switch_wal()').catch(() => undefined)
  await expect
    .poll(
      () =>
        primary.sql('SELECT pg_current_wal_lsn()').then(
          () => 'up',
          () => 'down',
        ),
      { timeout: 15_000 },
    )
    .toBe('down')
  const successor = await cluster.foremost(standbys)
  await cluster.promote(successor)
  const before = acknowledged.size
  await expect.poll(() => acknowledged.size, { timeout: 20_000 }).toBeGreaterThan(before + 5)
  isOver = true
  await running
  const rows = await successor.sql(`SELECT name, encode(pubkey, 'hex') AS pubkey FROM ${place.schema}.name`)
  const there = new Map(rows.map(({ name, pubkey }) => [name, pubkey]))
  expect([...acknowledged].filter(([name, pubkey]) => there.get(name) !== pubkey)).toEqual([])
  expect([...failures]).toEqual([])
})

test('a network cut between a front end and the living primary costs time and no name; with a second primary only the new one counts', async () => {
  const proxies = await Promise.all(cluster.nodes.map(({ port }) => openProxy(port)))
  onTestFinished(() => {
    for (const proxy of proxies) proxy.close()
  })
  const { schema } = await freshPlace(cluster.url())
  const hosts = proxies.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const far = parseDatabaseAddress(`postgresql://grinpay@${hosts}/postgres?sslmode=disable`)
  const behind = await namesOn({ address: far, schema })
  const near = await namesOn({ address: parseDatabaseAddress(cluster.url()), schema })
  const alice = aKey()
  await behind.claimName(claim('alice', alice))

  proxies[0]?.cut()
  await expect(behind.claimName(claim('bob'))).rejects.toSatisfy(databaseUnavailable.is)
  expect(await behind.lookups.keyOfName('alice')).toBe(alice)
  // The node that answered is lost as well.
  proxies[1]?.cut()
  expect((await behind.lookups.nameOfKey(alice))?.name).toBe('alice')
  proxies[1]?.heal()
  expect((await near.claimName(claim('carol'))).outcome).toBe('claimed')
  proxies[0]?.heal()
  await expect
    .poll(
      () =>
        behind.claimName(claim('dora')).then(
          ({ outcome }) => outcome,
          () => 'refused',
        ),
      { timeout: 25_000 },
    )
    .not.toBe('refused')

  // Now the operator promotes another node while the old primary lives: it has no standby, and acknowledges nothing.
  proxies[0]?.cut()
  const [old, successor] = cluster.nodes
  await cluster.promote(successor)
  const claims = ['eve', 'fred'].map((name) => [name, aKey()] as const)
  for (const [at, front] of [behind, near].entries()) {
    const [name, pubkey] = claims[at] ?? ['', '']
    await expect
      .poll(
        () =>
          front.claimName(claim(name, pubkey)).then(
            ({ outcome }) => outcome,
            () => 'refused',
          ),
        { timeout: 30_000 },
      )
      .not.toBe('refused')
  }
  for (const [name, pubkey] of claims) {
    const rows = await successor.sql(
      `SELECT encode(pubkey, 'hex') AS pubkey FROM ${schema}.name WHERE name = '${name}'`,
    )
    expect(rows).toEqual([{ pubkey }])
  }
  proxies[0]?.heal()
  expect((await behind.claimName(claim('gina'))).outcome).toBe('claimed')
  expect(await successor.sql(`SELECT 1 AS is FROM ${schema}.name WHERE name = 'gina'`)).toHaveLength(1)
  expect(await old.sql('SELECT pg_is_in_recovery() AS standby')).toEqual([{ standby: false }])
})

/** Steps of a job by the lease "rails", as a process of its own: a line for each. */
const WORKER = `
const { openPostgres } = await import('./dist/storage/postgres/open.js')
const { keepLease } = await import('./dist/storage/postgres/leases.js')
const { NAMES_SERVICE } = await import('./dist/storage/postgres/services.js')
const { parseDatabaseAddress } = await import('./dist/lib/database-address.js')
const { systemClock, systemRandom } = await import('./dist/system/index.js')
const place = { address: parseDatabaseAddress(process.env.URL_OF_TEST), schema: process.env.SCHEMA_OF_TEST }
const transactions = await openPostgres({ place, service: NAMES_SERVICE, clock: systemClock, random: systemRandom }, { mustAnswer: true })
keepLease({ name: 'rails', holder: systemRandom.uuid(), transactions, clock: systemClock, async work(lease) {
  while (!lease.signal.aborted) {
    if (lease.isHeld()) console.log(lease.epoch + ' ' + Date.now())
    await systemClock.sleep(5)
  }
} })`

test('a holder of a lease that was frozen for longer than it lasts does nothing more when it goes on', async () => {
  const place = await freshPlace(cluster.url())
  const worker = spawn(process.execPath, ['--input-type=module', '-e', WORKER], {
    env: { ...process.env, URL_OF_TEST: cluster.url(), SCHEMA_OF_TEST: place.schema },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const steps: { epoch: number; at: number }[] = []
  createInterface({ input: worker.stdout }).on('line', (line) => {
    const [epoch = 0, at = 0] = line.split(' ').map(Number)
    steps.push({ epoch, at })
  })
  await expect.poll(() => steps.length, { timeout: 15_000 }).toBeGreaterThan(20)

  let begunAt = 0
  const keeper = keepLease({
    ...{ name: 'rails', holder: systemRandom.uuid(), clock: systemClock, transactions: await postgresOn(place) },
    async work(lease) {
      begunAt = Date.now()
      await new Promise<void>((resolve) => lease.signal.addEventListener('abort', () => resolve()))
    },
  })
  onTestFinished(() => keeper.close())
  worker.kill('SIGSTOP')
  await expect.poll(() => begunAt, { timeout: 20_000, interval: 20 }).toBeGreaterThan(0)
  await sleep(1000)
  worker.kill('SIGCONT')
  await sleep(4000)
  expect(steps.filter(({ at }) => at >= begunAt)).toEqual([])
  // It is well, and takes the job again when the other one gives it back.
  await keeper.close()
  await expect.poll(() => steps.at(-1)?.epoch, { timeout: 10_000 }).toBe(3)
})
