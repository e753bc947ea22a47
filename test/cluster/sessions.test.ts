// What an operator set for a role or a database changes nothing, or the start refuses it by name.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import { migrateOnPrimary } from '../../src/storage/postgres/open.js'
import { NAMES_SERVICE } from '../../src/storage/postgres/services.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { postgresOn } from '../support/postgres/schemas.js'

let cluster: Cluster
const place = (role: string) => ({
  address: parseDatabaseAddress(cluster.url({ database: 'shop' }).replace('grinpay@', `${role}@`)),
  schema: 'hostile',
})
const sql = (text: string) => cluster.nodes[0].sql(text)

beforeAll(async () => {
  cluster = await startCluster()
  await sql('CREATE ROLE stranger')
  await sql('CREATE ROLE shop LOGIN; GRANT stranger TO shop')
  await sql('CREATE DATABASE shop OWNER shop')
  await migrateOnPrimary({ place: place('shop'), service: NAMES_SERVICE })
})
afterAll(() => cluster?.stop())

const INSERT = 'INSERT INTO reserved (name, skeleton, reason, created_at) VALUES (?, ?, ?, ?) RETURNING name'
const SEEN = `SELECT current_setting('synchronous_commit'), current_setting('client_min_messages'), current_setting('search_path'),
  current_setting('transaction_isolation'), current_setting('transaction_read_only'), current_user::text,
  'a\\b' || (NULL = NULL IS NULL)::text, '\\x00ff'::bytea, 'é', ('{null}'::text[])[1] IS NULL, 0.1::float8::text, now()::text LIKE '%+00'`

/** What a session does and shows, one of which each setting below would change. */
async function sessionAs(role: string) {
  const db = await postgresOn(place(role))
  const name = `n${performance.now()}`
  const rows = await db.change((queries) => queries.runReturning(INSERT, [name, name, 'é\\n', 1]))
  // Longer than the time limits below.
  await db.change((queries) => queries.get('SELECT pg_sleep(0.02)'))
  const isThere = await db.read((queries) => queries.get('SELECT reason FROM reserved WHERE name = ?', [name]))
  return { written: rows.length, isThere, seen: await db.change((queries) => queries.get(SEEN)) }
}

const HARMLESS = [
  'client_min_messages = error',
  'plan_cache_mode = force_generic_plan',
  'synchronous_commit = off',
  'synchronous_commit = local',
  'default_transaction_read_only = on',
  "default_transaction_isolation = 'repeatable read'",
  'default_transaction_deferrable = on',
  'standard_conforming_strings = off',
  "lc_messages = 'C'",
  "search_path = 'pg_temp, public'",
  'row_security = on',
  'jit = on',
  'statement_timeout = 1',
  'lock_timeout = 1',
  'idle_in_transaction_session_timeout = 1',
  'idle_session_timeout = 1',
  'transaction_timeout = 1',
  'bytea_output = escape',
  "DateStyle = 'German'",
  "TimeZone = 'Asia/Kathmandu'",
  "IntervalStyle = 'iso_8601'",
  'extra_float_digits = -15',
  'client_encoding = LATIN1',
  'transform_null_equals = on',
  'array_nulls = off',
  'enable_seqscan = on',
  'enable_indexscan = off',
  'role = stranger',
]
const REFUSED = ['session_replication_role = replica', 'zero_damaged_pages = on', 'ignore_checksum_failure = on']

describe.each(['ROLE shop', 'DATABASE shop'])('set for the %s', (owner) => {
  async function under<T>(setting: string, work: () => Promise<T>): Promise<T> {
    const isKnown = (await sql(`SELECT 1 FROM pg_settings WHERE name = '${setting.split(' ')[0]}'`)).length > 0
    if (isKnown) await sql(`ALTER ${owner} SET ${setting}`)
    try {
      return await work()
    } finally {
      await sql(`ALTER ${owner} RESET ALL`)
    }
  }

  test.each(HARMLESS)('%s changes nothing', async (setting) => {
    if (owner.startsWith('DATABASE') && setting.startsWith('role')) return
    const usual = await sessionAs('shop')
    expect(await under(setting, () => sessionAs('shop'))).toEqual(usual)
  })

  test.each(REFUSED)('%s is refused by its name, where this role may not set it', async (setting) => {
    const [name, , value] = setting.split(' ')
    await expect(under(setting, () => sessionAs('shop'))).rejects.toThrow(
      expect.objectContaining({ code: 'DATABASE_SESSION', message: expect.stringContaining(`"${name}"`) }),
    )
    await expect(under(setting, () => sessionAs('shop'))).rejects.toThrow(`"${value}"`)
  })
})

test('a wait for a standby that was cancelled is no commit, whatever messages the role wants to see', async () => {
  await sql('ALTER ROLE shop SET client_min_messages = error')
  const db = await postgresOn(place('shop'), { patienceMs: 20_000 })
  const [, ...standbys] = cluster.nodes
  for (const node of standbys) node.freeze()
  let isAnswered = false
  const writing = db
    .change((queries) => queries.run(INSERT, ['cut', 'cut', 'test', 1]))
    .finally(() => {
      isAnswered = true
    })
  try {
    const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND usename = 'shop'"
    await expect.poll(async () => (await sql(`SELECT pid ${waiting}`)).length, { timeout: 5000 }).toBe(1)
    await sql(`SELECT pg_cancel_backend(pid) ${waiting}`)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(isAnswered).toBe(false)
  } finally {
    for (const node of standbys) node.thaw()
    await sql('ALTER ROLE shop RESET ALL')
  }
  expect(await writing).toBe(1)
})
