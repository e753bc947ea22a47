// Connecting, and what a commit promises, on real nodes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseDatabaseAddress } from '../../src/lib/database-address.js'
import {
  databaseBusy,
  databaseNewer,
  databaseNotReplicated,
  databaseRefused,
  databaseUnavailable,
  databaseUnreachable,
  schemaForeign,
  schemaMissing,
  schemaOlder,
  textInvalid,
} from '../../src/storage/errors.js'
import { migrateOnPrimary, type OpenPostgres } from '../../src/storage/postgres/open.js'
import { NAMES_SERVICE } from '../../src/storage/postgres/services.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, postgresOn } from '../support/postgres/schemas.js'
import { CERTIFICATE, KEY } from '../support/test-certificate.js'
import { freePort } from '../support/till-process.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ settings: { listen_addresses: '127.0.0.1,127.0.0.2' } })
})
afterAll(() => cluster?.stop())

const RESERVE = 'INSERT INTO reserved (name, skeleton, reason, created_at) VALUES (?, ?, ?, ?)'
const reserve = (name: string) => [name, name, 'test', 1] as const

async function setNames(value: string): Promise<void> {
  const [primary] = cluster.nodes
  await primary.sql(`ALTER SYSTEM SET synchronous_standby_names = '${value}'`)
  await primary.sql('SELECT pg_reload_conf()')
  await expect
    .poll(async () => (await primary.sql('SHOW synchronous_standby_names'))[0]?.synchronous_standby_names)
    .toBe(value)
}

describe('connecting', () => {
  test('finds the primary behind a dead host and a standby', async () => {
    const { schema } = await freshPlace(cluster.url())
    const dead = `127.0.0.1:${await freePort()}`
    const [primary, standby] = cluster.nodes
    const url = `postgresql://grinpay@${dead},127.0.0.1:${standby.port},127.0.0.1:${primary.port}/postgres?sslmode=disable`
    const db = await postgresOn({ address: parseDatabaseAddress(url), schema })
    expect(await db.read((sql) => sql.get('SELECT inet_server_port()'))).toEqual([BigInt(primary.port)])
    expect(await db.read((sql) => sql.get('SHOW jit'))).toEqual(['off'])
  })

  test('says of every host why none can be used', async () => {
    const { schema } = await freshPlace(cluster.url())
    const [, standby] = cluster.nodes
    const dead = await freePort()
    const url = `postgresql://grinpay:hidden@127.0.0.1:${dead},127.0.0.1:${standby.port}/postgres?sslmode=disable`
    const failure = await postgresOn({ address: parseDatabaseAddress(url), schema }).catch((error: unknown) => error)
    expect(failure).toSatisfy(databaseUnreachable.is)
    expect(String(failure)).toContain(`127.0.0.1:${standby.port}: a standby`)
    expect(String(failure)).toMatch(new RegExp(`127.0.0.1:${dead}: .*ECONNREFUSED`))
    expect(JSON.stringify(failure) + String(failure)).not.toContain('hidden')
  })

  test('a refused login is told at once', async () => {
    const address = parseDatabaseAddress(cluster.url({ database: 'nothing_here' }))
    const started = performance.now()
    await expect(postgresOn({ address, schema: 'names' })).rejects.toSatisfy(databaseRefused.is)
    expect(performance.now() - started).toBeLessThan(2000)
  })

  test('a primary that waits for no standby is refused, unless told otherwise', async () => {
    const place = await freshPlace(cluster.url())
    await setNames('')
    try {
      await expect(postgresOn(place)).rejects.toSatisfy(databaseNotReplicated.is)
      const db = await postgresOn({ ...place, unsafe: 'single' })
      expect(await db.change((sql) => sql.run(RESERVE, reserve('single')))).toBe(1)
    } finally {
      await setNames('ANY 1 (a,b,c)')
    }
  })
})

describe('replication that is switched off under running processes', () => {
  const announcement = { daemon: 'nameauth', version: '0.0.0', host: 'here', startedAt: 1, fingerprints: {} }

  test('is noticed with the next announcement, and when it is back all goes on', async () => {
    const place = await freshPlace(cluster.url())
    const db = await postgresOn(place)
    const sandbox = await postgresOn({ ...place, unsafe: 'single' })
    await db.instances.announce(announcement)
    expect(await db.change((sql) => sql.run(RESERVE, reserve('before')))).toBe(1)
    await setNames('')
    try {
      // The reload reaches the sessions one by one.
      await expect
        .poll(
          async () => {
            await db.instances.announce(announcement).catch(() => undefined)
            return db.change((sql) => sql.run(RESERVE, reserve('meanwhile'))).catch((error: unknown) => error)
          },
          { timeout: 5000 },
        )
        .toSatisfy(databaseUnavailable.is)
      expect(db.pool.trouble).toSatisfy(databaseNotReplicated.is)
      await expect(db.repeatable((sql) => sql.run('UPDATE meta SET checked_at = 1'))).rejects.toMatchObject({
        ...{ code: 'DATABASE_UNAVAILABLE', status: 503, members: { retry_after: 5 } },
        cause: { code: 'DATABASE_NOT_REPLICATED' },
      })
      await sandbox.instances.announce(announcement)
      expect(await sandbox.change((sql) => sql.run(RESERVE, reserve('single')))).toBe(1)
    } finally {
      await setNames('ANY 1 (a,b,c)')
    }
    await expect.poll(() => db.pool.trouble, { timeout: 5000 }).toBeUndefined()
    expect(await db.change((sql) => sql.run(RESERVE, reserve('after')))).toBe(1)
  })
})

describe('a login', () => {
  const reload = () => cluster.nodes[0].sql('SELECT pg_reload_conf()')
  const url = (login: string, host: string, parameters: string) =>
    `postgresql://${login}@${host}:${cluster.nodes[0].port}/postgres?${parameters}`

  test('with a password that is wrong is refused, and the password is not told', async () => {
    const { schema } = await freshPlace(cluster.url())
    const [primary] = cluster.nodes
    await primary.sql("CREATE ROLE locked LOGIN SUPERUSER PASSWORD 'the-right-one'")
    primary.put('pg_hba.conf', 'host all locked all scram-sha-256\n')
    await reload()
    const open = (password: string) =>
      postgresOn({ address: parseDatabaseAddress(url(`locked:${password}`, '127.0.0.1', 'sslmode=disable')), schema })
    await expect
      .poll(() => open('a-wrong-one').catch((error) => error?.code), { timeout: 5000 })
      .toBe('DATABASE_REFUSED')
    const failure = await open('a-wrong-one').catch((error: unknown) => error)
    expect(`${failure} ${inspect(failure, { depth: 9 })}`).not.toContain('a-wrong-one')
    await open('the-right-one')
  })

  test('whose password was replaced goes on with the one that its file has then', async () => {
    const { schema } = await freshPlace(cluster.url())
    const [primary] = cluster.nodes
    const file = join(mkdtempSync(join(tmpdir(), 'grinpay-login-')), 'url')
    const write = (password: string) => {
      const text = url(`turning:${password}`, '127.0.0.1', 'sslmode=disable')
      writeFileSync(file, `${text}\n`)
      return text
    }
    await primary.sql("CREATE ROLE turning LOGIN SUPERUSER PASSWORD 'first'")
    primary.put('pg_hba.conf', 'host all turning all scram-sha-256\n')
    await reload()
    const address = { ...parseDatabaseAddress(write('first')), file }
    const db = await postgresOn({ address, schema })
    await primary.sql("ALTER ROLE turning PASSWORD 'second'")
    db.pool.renew()
    const question = () => db.read((sql) => sql.get('SELECT 1::int'))
    // Nobody tells the clients of it: they come back.
    await expect(question()).rejects.toMatchObject({
      ...{ code: 'DATABASE_UNAVAILABLE', status: 503, members: { retry_after: 5 } },
      cause: { code: 'DATABASE_REFUSED' },
    })
    write('second')
    expect(await question()).toEqual([1n])
    rmSync(file)
    db.pool.renew()
    await expect(question()).rejects.toSatisfy(databaseUnavailable.is)
  })

  test('by TLS counts only with a certificate of the right host from a known authority', async () => {
    const { schema } = await freshPlace(cluster.url())
    const [primary] = cluster.nodes
    primary.put('server.crt', CERTIFICATE)
    primary.put('server.key', KEY)
    await primary.sql('ALTER SYSTEM SET ssl = on')
    await reload()
    const ca = `sslmode=verify-full&sslrootcert=${primary.folder}/server.crt`
    const open = (host: string, parameters: string) =>
      postgresOn({ address: parseDatabaseAddress(url('grinpay', host, parameters)), schema })
    const db = await open('localhost', ca)
    const isTls = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()'
    expect(await db.read((sql) => sql.get(isTls))).toEqual(['t'])
    expect(await (await open('127.0.0.1', ca)).read((sql) => sql.get(isTls))).toEqual(['t'])
    await expect(open('localhost', 'sslmode=verify-full')).rejects.toThrow(/self.signed/)
    await expect(open('127.0.0.2', ca)).rejects.toThrow(/127\.0\.0\.2/)
  })
})

describe('the schema', () => {
  const place = (schema: string) => ({ address: parseDatabaseAddress(cluster.url()), schema })
  const migrate = (schema: string, service = NAMES_SERVICE) => migrateOnPrimary({ place: place(schema), service })

  test('is made once, by whichever of several processes comes first', async () => {
    const steps = await Promise.all(Array.from({ length: 5 }, () => migrate('raced')))
    expect(steps.flat()).toEqual([1])
  })

  test('that is missing, or lacks a step, is not used', async () => {
    await expect(postgresOn(place('empty'))).rejects.toSatisfy(schemaMissing.is)
    await migrate('old')
    const next = { ...NAMES_SERVICE, steps: [...NAMES_SERVICE.steps, 'CREATE TABLE later (id int)'] }
    await expect(postgresOn(place('old'), { service: next })).rejects.toSatisfy(schemaOlder.is)
    expect(await migrate('old', next)).toEqual([2])
  })

  test('one step ahead is used, two are not', async () => {
    const steps = (more: number) => [...NAMES_SERVICE.steps, ...Array.from({ length: more }, () => 'SELECT 1')]
    await migrate('ahead', { ...NAMES_SERVICE, steps: steps(1) })
    await postgresOn(place('ahead'))
    await migrate('ahead', { ...NAMES_SERVICE, steps: steps(2) })
    await expect(postgresOn(place('ahead'))).rejects.toSatisfy(databaseNewer.is)
    await expect(migrate('ahead')).rejects.toSatisfy(databaseNewer.is)
  })

  test('of another program or another service is left alone', async () => {
    await cluster.nodes[0].sql('CREATE SCHEMA strange; CREATE TABLE strange.orders (id int)')
    await expect(migrate('strange')).rejects.toSatisfy(schemaForeign.is)
    await migrate('owned')
    await cluster.nodes[0].sql("UPDATE owned.schema_version SET service = 'pay'")
    await expect(migrate('owned')).rejects.toSatisfy(schemaForeign.is)
    await expect(postgresOn(place('owned'))).rejects.toSatisfy(schemaForeign.is)
  })
})

describe('a change', () => {
  test('that meets others is repeated until it fits, and leaves one row of each in "written"', async () => {
    const db = await postgresOn(await freshPlace(cluster.url()))
    const countUp = () =>
      db.change(async (sql) => {
        const [at] = (await sql.get('SELECT checked_at FROM meta')) ?? []
        await sql.run('UPDATE meta SET checked_at = ?', [Number(at) + 1])
      })
    await Promise.all(Array.from({ length: 5 }, countUp))
    expect(await db.read((sql) => sql.get('SELECT checked_at, (SELECT count(*) FROM written) FROM meta'))).toEqual([
      5n,
      5n,
    ])
  })

  test('that meets others eight times is given up: DATABASE_BUSY', async () => {
    const place = await freshPlace(cluster.url())
    const [db, another] = [await postgresOn(place), await postgresOn(place)]
    let runs = 0
    const contested = db.change(async (sql) => {
      runs += 1
      await sql.get('SELECT checked_at FROM meta')
      await another.change((other) => other.run('UPDATE meta SET checked_at = checked_at + 1'))
      await sql.run('UPDATE meta SET checked_at = 0')
    })
    await expect(contested).rejects.toSatisfy(databaseBusy.is)
    await expect(contested).rejects.toMatchObject({ status: 503, members: { retry_after: 1 } })
    expect(runs).toBe(9)
  })

  test('that throws leaves nothing', async () => {
    const db = await postgresOn(await freshPlace(cluster.url()))
    const broken = db.change(async (sql) => {
      await sql.run(RESERVE, reserve('half'))
      throw new RangeError('no')
    })
    await expect(broken).rejects.toThrow('no')
    expect(await db.read((sql) => sql.all('SELECT 1 FROM reserved UNION ALL SELECT 1 FROM written'))).toEqual([])
  })

  test('with U+0000 in a text is refused', async () => {
    const db = await postgresOn(await freshPlace(cluster.url()))
    await expect(db.change((sql) => sql.run(RESERVE, reserve('a\0b')))).rejects.toSatisfy(textInvalid.is)
  })

  test('keeps integers, amounts, bytes and texts as they are', async () => {
    const db = await postgresOn(await freshPlace(cluster.url()))
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at)
    const values = [128n, 2n ** 63n - 1n, 2n ** 64n - 1n, bytes, 'é\u{10ffff}', null]
    const sql = 'SELECT ?::bigint, ?::bigint, ?::numeric(20), ?::bytea, ?::text, ?::bigint'
    expect(await db.read((queries) => queries.get(sql, values))).toEqual(values)
  })
})

describe('while no standby answers', () => {
  /** Both standbys are frozen while `work` runs. */
  async function alone<T>(work: () => Promise<T>): Promise<T> {
    const [, ...standbys] = cluster.nodes
    for (const node of standbys) node.freeze()
    try {
      return await work()
    } finally {
      for (const node of standbys) node.thaw()
    }
  }
  const waiting = () =>
    cluster.nodes[0].sql(
      "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = 'grinpay names'",
    )
  const isAbsent = async (db: Awaited<ReturnType<typeof postgresOn>>, name: string) =>
    (await db.read((sql) => sql.get('SELECT 1 FROM reserved WHERE name = ?', [name]))) === undefined

  test('a change is not answered as done, and is there once when they are back', async () => {
    const db = await postgresOn(await freshPlace(cluster.url()))
    await alone(async () => {
      await expect(db.change((sql) => sql.run(RESERVE, reserve('late')))).rejects.toSatisfy(databaseUnavailable.is)
    })
    await expect.poll(() => isAbsent(db, 'late').catch(() => true), { timeout: 10_000 }).toBe(false)
  })

  /** A row that is inserted in one of the two ways in which a store writes. */
  const WRITES = {
    'a transaction': (db: OpenPostgres) => db.change((sql) => sql.run(RESERVE, reserve('cut'))),
    // The first answer may be lost: then the repetition finds the row.
    'a single statement': (db: OpenPostgres) =>
      db.repeatable((sql) => sql.run(`${RESERVE} ON CONFLICT DO NOTHING`, reserve('cut'))),
  }
  const CUTS = ['pg_cancel_backend', 'pg_terminate_backend'].flatMap((end) =>
    (Object.keys(WRITES) as (keyof typeof WRITES)[]).map((write) => [end, write] as const),
  )

  // The server ends the statement as a success (3 of section 3 in the contract); what it promises is not there.
  test.each(CUTS)('%s does not make %s done', async (end, write) => {
    const db = await postgresOn(await freshPlace(cluster.url()), { patienceMs: 20_000 })
    // Further connections: the repetition finds one that has its barrier behind it.
    await Promise.all(Array.from({ length: 4 }, () => db.read((sql) => sql.get('SELECT pg_sleep(0.2)'))))
    let answered = false
    const writing = WRITES[write](db).then((rows) => {
      answered = true
      return rows
    })
    await alone(async () => {
      await expect.poll(async () => (await waiting()).length, { timeout: 5000 }).toBe(1)
      await cluster.nodes[0].sql(`SELECT ${end}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`)
      await new Promise((resolve) => setTimeout(resolve, 1500))
      expect(answered).toBe(false)
    })
    expect(await writing).toBeLessThanOrEqual(1)
    expect(await db.read((sql) => sql.get('SELECT count(*), (SELECT count(*) FROM written) FROM reserved'))).toEqual([
      1n,
      write === 'a transaction' ? 1n : 0n,
    ])
  })

  test('the slots of the server are not used up, and all is well soon after', async () => {
    const place = await freshPlace(cluster.url())
    const [one, two] = [await postgresOn(place), await postgresOn(place)]
    const slots = async () =>
      Number(
        (
          await cluster.nodes[0].sql(
            "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'grinpay names'",
          )
        )[0]?.n,
      )
    const warm = (db: typeof one) => Array.from({ length: 20 }, () => db.read((sql) => sql.get('SELECT pg_sleep(0.2)')))
    await Promise.all([...warm(one), ...warm(two)])
    expect(await slots()).toBe(20)
    let [most, done, refused, next] = [0, 0, 0, 0]
    await alone(async () => {
      const end = performance.now() + OUTAGE_MS
      const client = async () => {
        while (performance.now() < end) {
          const mine = reserve(`n${++next}`)
          await (next % 2 ? one : two)
            .change((sql) => sql.run(RESERVE, mine))
            .then(
              () => done++,
              (error: unknown) => {
                expect(databaseUnavailable.is(error) ? 'DATABASE_UNAVAILABLE' : error).toBe('DATABASE_UNAVAILABLE')
                refused++
              },
            )
        }
      }
      const watch = async () => {
        while (performance.now() < end) {
          most = Math.max(most, await slots())
          await new Promise((resolve) => setTimeout(resolve, 500))
        }
      }
      await Promise.all([watch(), ...Array.from({ length: 40 }, client)])
    })
    const back = performance.now()
    await one.change((sql) => sql.run(RESERVE, reserve('after')))
    await two.change((sql) => sql.run(RESERVE, reserve('after-too')))
    const healed = performance.now() - back
    console.log({ most, done, refused, healed })
    expect(done).toBe(0)
    expect(refused).toBeGreaterThan(40)
    expect(most).toBeLessThanOrEqual(2 * 11 + 1)
    expect(healed).toBeLessThan(5000)
  })
})

/** The contract's bar is a minute; the short form shows the same. */
const OUTAGE_MS = Number(process.env.GRINPAY_OUTAGE_SECONDS ?? 15) * 1000
