// Two real name authorities on one cluster, asked over HTTP, and the commands beside them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadNameauthConfig, openEnvironment } from '../../src/config/index.js'
import { createBackup } from '../../src/daemons/backup.js'
import { verifyBackup } from '../../src/daemons/backup-verify.js'
import { pgDumpMissing } from '../../src/daemons/errors.js'
import { openNameDaemon } from '../../src/daemons/nameauth.js'
import { adoptStore, checkStore, listInstances, migrateStore } from '../../src/daemons/store-admin.js'
import { examineNameauth } from '../../src/doctor/nameauth/examine.js'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { schemaMissing } from '../../src/storage/errors.js'
import { systemClock } from '../../src/system/index.js'
import { createLog } from '../../src/system/log.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'

let cluster: Cluster
let folder: string
let password: string
const lines: string[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-fronts-'))
  cluster = await startCluster()
  password = join(folder, 'url')
  writeFileSync(password, cluster.url().replace('grinpay@', 'grinpay:hush-hush@'), { mode: 0o600 })
})
afterAll(async () => {
  await cluster?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const environmentOf = (name: string, variables: Readonly<Record<string, string>> = {}) =>
  openEnvironment({
    variables: {
      NAMEAUTH_DOMAIN: 'names.example',
      NAMEAUTH_NAMES_BIND: '127.0.0.1:0',
      NAMEAUTH_DATA_DIR: join(folder, name),
      NAMEAUTH_DATABASE_URL_FILE: password,
      NAMEAUTH_READ_RATE_MAX: '100000',
      NAMEAUTH_WRITE_RATE_MAX: '100000',
      ...variables,
    },
  })

async function frontEnd(name: string, { variables = {}, clock = systemClock, migrate = false } = {}) {
  const config = loadNameauthConfig(environmentOf(name, variables))
  const log = createLog({ human: false, write: (line) => void lines.push(line) })
  const daemon = await openNameDaemon(config, { version: '0.0.0-test', log, clock, migrate })
  await daemon.start()
  const random = seededRandom(name)
  return {
    config,
    daemon,
    get: (path: string) => fetch(`${daemon.address()}${path}`),
    claim(wanted: string, who: ReturnType<typeof keyPairOf>) {
      const body = JSON.stringify({ name: wanted, pubkey: who.pubkey })
      const url = 'https://names.example/api/v1/register'
      const authorization = httpAuthHeader({
        url,
        method: 'POST',
        secret: who.secret,
        now: Date.now(),
        random,
        body: Buffer.from(body),
      })
      return fetch(`${daemon.address()}/api/v1/register`, { method: 'POST', headers: { authorization }, body })
    },
  }
}

test('they are equal; while the primary is away names resolve and claims are told to wait', async () => {
  const { database, dbPath, dataDir } = loadNameauthConfig(environmentOf('one'))
  const settings = { path: dbPath, dataDir, database }
  expect((await migrateStore(settings)).steps).toEqual([1])
  const [one, two] = [await frontEnd('one'), await frontEnd('two')]
  const [alice, bob] = [keyPairOf('alice'), keyPairOf('bob')]

  expect((await one.claim('alice', alice)).status).toBe(201)
  expect((await two.claim('a1ice', bob)).status).toBe(409)
  expect(await (await two.get('/.well-known/nostr.json?name=alice')).json()).toMatchObject({
    names: { alice: alice.pubkey },
  })
  expect((await one.get('/ready')).status).toBe(200)
  expect(await checkStore(settings)).toMatchObject({ names: 1 })
  expect(await adoptStore(settings)).toEqual({ adopted: false })
  expect(await doctor()).toEqual(['pass database', 'pass cluster', 'pass cluster'])
  expect((await listInstances(settings)).map(({ daemon, state }) => `${daemon} ${state}`)).toEqual([
    'nameauth running',
    'nameauth running',
  ])

  const [primary, ...standbys] = cluster.nodes
  await sleep(300)
  await primary.kill()
  expect(await (await two.get('/.well-known/nostr.json?name=alice')).json()).toMatchObject({
    names: { alice: alice.pubkey },
  })
  expect(await (await one.get(`/api/v1/by-pubkey/${alice.pubkey}`)).json()).toMatchObject({ name: 'alice' })
  const refused = await two.claim('bobby', bob)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await refused.json()).toMatchObject({ code: 'DATABASE_UNAVAILABLE' })
  expect((await one.get('/ready')).status).toBe(503)
  expect(await doctor()).toEqual(['fail database', 'fail cluster', `warn cluster 127.0.0.1:${primary.port}`])

  await cluster.promote(await cluster.foremost(standbys))
  await expect.poll(async () => (await two.claim('bobby', bob)).status, { timeout: 10_000, interval: 300 }).toBe(201)
  expect(await (await one.get('/.well-known/nostr.json?name=bobby')).json()).toMatchObject({
    names: { bobby: bob.pubkey },
  })
  for (const front of [one, two])
    await expect.poll(async () => (await front.get('/ready')).status, { timeout: 10_000, interval: 300 }).toBe(200)
  await Promise.all([one.daemon.stop(), two.daemon.stop()])

  expect(await listInstances(settings)).toEqual([])

  // Nothing but the watermark is on the machine of a front end; the password is in no log.
  expect(readdirSync(join(folder, 'two'))).toEqual(['watermark.json'])
  expect(lines.join('\n')).not.toContain('hush-hush')
  expect(lines.join('\n')).toContain('the database cannot be used')
})

test('two that start at once on an empty database with --migrate make its tables once; without it they are refused', async () => {
  const variables = { NAMEAUTH_DATABASE_SCHEMA: 'empty' }
  await expect(frontEnd('three', { variables })).rejects.toSatisfy(schemaMissing.is)
  const fronts = await Promise.all(['three', 'four'].map((name) => frontEnd(name, { variables, migrate: true })))
  for (const front of fronts) expect((await front.get('/ready')).status).toBe(200)
  expect(lines.filter((line) => line.includes('brought up to date'))).toHaveLength(1)
  await Promise.all(fronts.map(({ daemon }) => daemon.stop()))
})

test('the doctor tells front ends apart by settings and clocks', async () => {
  const variables = { NAMEAUTH_DATABASE_SCHEMA: 'apart' }
  const late = { ...systemClock, now: () => systemClock.now() - 30_000 }
  const one = await frontEnd('five', { variables, migrate: true })
  const two = await frontEnd('six', { variables: { ...variables, NAMEAUTH_NAME_MIN: '5' }, clock: late })
  const environment = environmentOf('five', variables)
  const findings = await examineNameauth({ environment, only: ['cluster'] })
  const texts = findings.filter(({ level }) => level === 'warn').map(({ detail }) => detail)
  // One node is down since the first test.
  expect(texts.slice(-2)).toEqual([
    expect.stringMatching(/^NAMEAUTH_NAME_MIN differs: one value on .* and another one on /),
    'its clock is 30 s behind the database',
  ])
  await Promise.all([one.daemon.stop(), two.daemon.stop()])
})

describe('a backup', () => {
  const order = (name: string) => ({
    settings: { daemon: 'nameauth' as const, sources: { environment: environmentOf(name), file: undefined } },
    ...{
      out: join(folder, 'backups'),
      recipient: undefined,
      withSecrets: false,
      version: '0',
      mayUse: () => undefined,
    },
  })
  /** Programs are found here alone while `work` runs. */
  async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
    const before = process.env.PATH
    process.env.PATH = path
    try {
      return await work()
    } finally {
      process.env.PATH = before
    }
  }

  test('without pg_dump is refused, and says what to install', async () => {
    mkdirSync(join(folder, 'bin'))
    symlinkSync('/bin/sh', join(folder, 'bin', 'sh'))
    const refused = withPath(join(folder, 'bin'), () => createBackup(order('one')))
    await expect(refused).rejects.toSatisfy(pgDumpMissing.is)
    expect(existsSync(join(folder, 'backups')) ? readdirSync(join(folder, 'backups')) : []).toEqual([])
  })

  const programs = process.env.GRINPAY_PG_BIN ?? ''
  test.skipIf(!existsSync(join(programs, 'pg_dump')))(
    'holds what pg_restore reads (needs GRINPAY_PG_BIN with pg_dump and pg_restore)',
    async () => {
      const { file, files } = await withPath(`${programs}:${process.env.PATH}`, () => createBackup(order('one')))
      expect(files.map(({ path }) => path)).toContain('nameauth/data/names.dump')
      execFileSync('tar', ['-xf', file, '-C', folder])
      const list = execFileSync(join(programs, 'pg_restore'), ['-l', join(folder, 'nameauth/data/names.dump')])
      expect(list.toString()).toMatch(/TABLE DATA names audit/)
      expect(await verifyBackup({ file, identityFile: undefined, password: async () => undefined })).toMatchObject({
        ok: true,
      })
    },
  )
})

/** The checks of the database, as "level check node". */
async function doctor(): Promise<readonly string[]> {
  const findings = await examineNameauth({ environment: environmentOf('one'), only: ['database', 'cluster'] })
  return findings
    .filter(({ check }) => check !== 'settings')
    .map(({ level, check, about }) => [level, check, about].filter(Boolean).join(' '))
}
