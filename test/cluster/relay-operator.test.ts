// What an operator of several relays does: make the tables, look at them, bring a new front end in.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  checkStore,
  listInstances,
  migrateRules,
  migrateStore,
  type StoreSettings,
} from '../../src/daemons/store-admin.js'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import { signEvent } from '../../src/nostr/event/index.js'
import { relayRulesEarly, schemaMissing } from '../../src/storage/errors.js'
import { RULES } from '../../src/storage/events/write/decide.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshLogPlace } from '../support/postgres/schemas.js'
import {
  countingClient,
  publishSurely,
  type RelayFrontEnd,
  relayFrontEnd,
  stateIn,
} from '../support/relay-front-ends.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

const SOON = { timeout: 60_000, interval: 100 }

const storeOf = (schema: string): StoreSettings => ({
  daemon: 'relay',
  path: '',
  dataDir: '',
  database: { address: parseDatabaseAddress(cluster.url()), schema, unsafe: undefined },
})

test('tables that are missing are named, made by a command, and looked at', async () => {
  const settings = storeOf('made')
  await expect(checkStore(settings)).rejects.toSatisfy(schemaMissing.is)
  expect(await migrateStore(settings)).toMatchObject({ steps: [1] })
  expect(await migrateStore(settings)).toMatchObject({ steps: [] })
  expect(await checkStore(settings)).toMatchObject({ entries: 0, front_ends: 0 })
})

test('a relay makes them itself when told to, and is counted while it runs', async () => {
  const front = await relayFrontEnd({ 'log.url': cluster.url(), 'log.schema': 'itself' }, { flags: ['--migrate'] })
  const looked = () => checkStore(storeOf('itself'))
  await expect.poll(looked, SOON).toMatchObject({ entries: 1, front_ends: 1 })
  const settings = storeOf('itself')
  await expect.poll(() => listInstances(settings), SOON).toMatchObject([{ daemon: 'relay', leases: ['retention'] }])
  await front.process().stop()
  expect(await looked()).toMatchObject({ entries: 1, front_ends: 0 })
  expect(await listInstances(settings)).toEqual([])
  await front.remove()
})

test('the rules of a log rise when no front end of another version runs', async () => {
  const settings = storeOf('ruled')
  expect(await migrateRules(settings, '2.0.0')).toMatchObject({ steps: [1], rules: RULES })
  const [primary] = cluster.nodes
  const old = (seen: string) =>
    primary.sql(`INSERT INTO ruled.instance (id, daemon, version, host, started, clock, fingerprints, seen)
      VALUES (gen_random_uuid(), 'relay', '1.0.0', 'second', 1, 1, '{}', now() - interval '${seen}')`)
  // It has ended without a word.
  await old('1 minute')
  expect(await migrateRules(settings, '2.0.0')).toMatchObject({ steps: [], rules: RULES })
  await old('5 seconds')
  const refused = await migrateRules(settings, '2.0.0').catch((error: unknown) => error)
  expect(refused).toSatisfy(relayRulesEarly.is)
  expect(String(refused)).toContain('second (1.0.0)')
})

const run = promisify(execFile)
const random = seededRandom('operators')
let made = 0

function anEvent(): NostrEvent {
  const event = { kind: 1, tags: [], content: `note ${made++}`, created_at: Math.floor(Date.now() / 1000) }
  return signEvent(event, keyPairOf('anna').secret, random)
}

async function newLog(): Promise<Readonly<Record<string, string>>> {
  const { schema } = await freshLogPlace(cluster.url())
  return { 'log.url': cluster.url(), 'log.schema': schema }
}

/** A folder for copies, gone after the test. */
function copies(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-copies-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** As an operator does on the machine of this front end; rejects with what it printed. */
const grinpay = ({ config }: RelayFrontEnd, ...words: readonly string[]) =>
  run(process.execPath, [join(ROOT, 'bin/run.js'), ...words, '--config', config], {
    env: cleanEnvironment({ HOME: dirname(config) }),
  })

async function set(settings: Parameters<typeof relayFrontEnd>[0], isStarted: boolean): Promise<RelayFrontEnd> {
  const front = await relayFrontEnd(settings, { isStarted })
  onTestFinished(front.remove)
  return front
}

const isReady = async ({ url }: RelayFrontEnd) =>
  fetch(`${url}/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )

async function begun(front: RelayFrontEnd, more: Parameters<typeof relayFrontEnd>[0] = {}): Promise<void> {
  await front.start(more)
  await expect.poll(() => isReady(front), SOON).toBe(true)
}

/** What it says when it does not follow the log. */
async function refusal(front: RelayFrontEnd, more: Parameters<typeof relayFrontEnd>[0] = {}): Promise<string> {
  try {
    await front.start(more)
  } catch (error) {
    return String(error)
  }
  const { ended, output } = front.process()
  expect(await ended).not.toBe(0)
  return output()
}

async function expectEqual(...fronts: readonly RelayFrontEnd[]): Promise<void> {
  for (const front of fronts) await expect.poll(() => isReady(front), SOON).toBe(true)
  await sleep(300)
  for (const front of fronts) await front.process().stop()
  const [first, ...others] = fronts.map(stateIn)
  for (const other of others) expect(other).toEqual(first)
}

test('a relay that has events begins the log, others join it with a copy', async () => {
  const log = await newLog()
  const one = await set({}, true)
  for (let at = 0; at < 3; at++) await publishSurely(one, anEvent())
  await one.process().stop()
  await begun(one, log)
  const two = await set(log, false)
  expect(await refusal(two)).toContain('this relay.db is no copy of the one')

  const copy = join(copies(), 'relay.db')
  await grinpay(one, 'relay', 'backup', copy)
  await publishSurely(one, anEvent())
  const joining = ['relay', 'join', '--from', copy]
  await expect(grinpay(two, ...joining)).rejects.toThrow('is there already')
  await expect(grinpay(two, ...joining, '--replace', '--yes')).rejects.toThrow('keys that the other front ends ban')
  const { stdout } = await grinpay(two, ...joining, '--replace', '--yes', '--no-lists')
  expect(stdout).toContain('1 entries behind the log')
  await begun(two)
  await publishSurely(two, anEvent())
  await expectEqual(one, two)
  expect(stateIn(two)).toMatchObject({ ids: { length: 5 } })
}, 120_000)

test('a copy of another log, one without a log and a damaged one are refused, and nothing changes', async () => {
  const [one, other, alone] = [await set(await newLog(), true), await set(await newLog(), true), await set({}, true)]
  await publishSurely(one, anEvent())
  await publishSurely(other, anEvent())
  await publishSurely(alone, anEvent())
  const folder = copies()
  const [foreign, lonely, broken] = ['foreign.db', 'lonely.db', 'broken.db'].map((name) => join(folder, name))
  await grinpay(other, 'relay', 'backup', String(foreign))
  await grinpay(alone, 'relay', 'backup', String(lonely))
  writeFileSync(String(broken), 'no database at all')
  for (const front of [one, other, alone]) await front.process().stop()
  const before = stateIn(one)
  const joinFrom = (from: unknown) =>
    grinpay(one, 'relay', 'join', '--from', String(from), '--replace', '--yes', '--no-lists')
  await expect(joinFrom(foreign)).rejects.toThrow('it follows another log')
  await expect(joinFrom(lonely)).rejects.toThrow('it follows no log')
  await expect(joinFrom(broken)).rejects.toThrow('it is no database at all')
  expect(stateIn(one)).toEqual(before)
  await begun(one)
  await expect(joinFrom(foreign)).rejects.toThrow('is in use')
  await one.process().stop()
  expect(await refusal(one, await newLog())).toContain('follows another log')
}, 120_000)

test('a new log goes on from a copy after the old one is lost', async () => {
  const one = await set(await newLog(), true)
  for (let at = 0; at < 3; at++) await publishSurely(one, anEvent())
  const copy = join(copies(), 'relay.db')
  await grinpay(one, 'relay', 'backup', copy)
  await one.process().stop()
  const two = await set(await newLog(), false)
  const { stdout } = await grinpay(two, 'relay', 'join', '--from', copy, '--no-lists')
  expect(stdout).toContain('the log begins with it')
  await begun(two)
  await publishSurely(two, anEvent())
  await two.process().stop()
  expect(stateIn(two)).toMatchObject({ ids: { length: 4 } })
}, 120_000)

test('a front end that decided otherwise stops and says what to do, and a copy heals it', async () => {
  const log = await newLog()
  const [one, two, three] = [await set(log, true), await set(log, true), await set(log, true)]
  await publishSurely(one, anEvent())
  await expect.poll(() => isReady(three), SOON).toBe(true)
  await three.process().stop()
  const db = openSqlite(three.dbPath, 'copy')
  db.run('UPDATE log_position SET digest = zeroblob(32)')
  db.close()
  await begun(three)
  const client = await countingClient(one)
  for (let at = 0; at < 1100; at++) await client.publish(anEvent())
  client.close()
  expect(await three.process().ended).not.toBe(0)
  expect(three.process().output()).toContain('the events here differ from those of most front ends')
  expect(await refusal(three)).toContain('the events here differ from those of most front ends')

  const copy = join(copies(), 'relay.db')
  await grinpay(two, 'relay', 'backup', copy)
  await grinpay(three, 'relay', 'join', '--from', copy, '--replace', '--yes', '--no-lists')
  await begun(three)
  await publishSurely(three, anEvent())
  await expectEqual(one, two, three)
}, 180_000)
