import { expect, test } from 'vitest'
import {
  databaseNotReplicated,
  databaseRefused,
  databaseServerOld,
  databaseUnreachable,
} from '../../../src/storage/errors.js'
import type { Connection } from '../../../src/storage/postgres/driver.js'
import { createPrimaryFinder, inspect } from '../../../src/storage/postgres/primary.js'
import { NAMES_SERVICE } from '../../../src/storage/postgres/services.js'
import { openWatermark } from '../../../src/storage/postgres/watermark.js'
import { systemRandom } from '../../../src/system/index.js'
import { createFakeClock } from '../../support/fake-clock.js'

/** What a server says of itself. */
const aServer = (standby: 't' | 'f', version: bigint, replicated: 't' | 'f') =>
  ({ host: 'a:5432', get: async () => [standby, version, replicated, 'noon'] }) as unknown as Connection

test('a server older than 15 is refused by name, also a standby', async () => {
  await expect(inspect(aServer('f', 14n, 't'), false)).rejects.toSatisfy(databaseServerOld.is)
  await expect(inspect(aServer('t', 14n, 't'), false)).rejects.toThrow(/a:5432.*14/)
  expect(await inspect(aServer('f', 15n, 't'), false)).toBe('a:5432 noon')
})

test('a standby is none to write to, and a primary without standbys is used only where that is allowed', async () => {
  expect(await inspect(aServer('t', 18n, 'f'), false)).toBe('standby')
  await expect(inspect(aServer('f', 18n, 'f'), false)).rejects.toSatisfy(databaseNotReplicated.is)
  expect(await inspect(aServer('f', 18n, 'f'), true)).toBe('a:5432 noon')
})

test('a connection whose barrier fails after it was given up is closed', async () => {
  const clock = createFakeClock()
  const closed: string[] = []
  let fail = (_error: Error): void => undefined
  const barrier = new Promise<number>((_, reject) => {
    fail = reject
  })
  const host = { host: 'a', port: 5432 }
  const finder = createPrimaryFinder({
    place: { address: { hosts: [host], user: 'me', password: undefined, database: 'db', tls: undefined }, schema: 's' },
    service: NAMES_SERVICE,
    clock,
    random: systemRandom,
    watermark: await openWatermark({ now: clock.now }),
    open: async () =>
      ({
        ...aServer('f', 15n, 't'),
        run: () => barrier,
        close: () => void closed.push('closed'),
      }) as unknown as Connection,
  })
  const search = finder.find().catch((error: unknown) => error)
  await clock.advance(0)
  await clock.advance(3000)
  expect(await search).toSatisfy(databaseUnreachable.is)
  expect(closed).toEqual([])
  fail(new Error('no room on the disk'))
  await expect.poll(() => closed).toEqual(['closed'])
  finder.close()
  expect(closed).toEqual(['closed'])
})

/** A refused login, as the server answers it. */
const refusal = () => Object.assign(new Error('password authentication failed'), { code: '28P01' })

/** Hosts by name, and what becomes of a search among them. */
async function searchAmong(answers: Readonly<Record<string, () => Connection>>) {
  const warnings: object[] = []
  const clock = createFakeClock()
  const hosts = Object.keys(answers).map((host) => ({ host, port: 5432 }))
  const finder = createPrimaryFinder({
    place: { address: { hosts, user: 'me', password: undefined, database: 'db', tls: undefined }, schema: 's' },
    service: NAMES_SERVICE,
    clock,
    random: systemRandom,
    log: { info: () => undefined, warn: (fields) => void warnings.push(fields) },
    watermark: await openWatermark({ now: clock.now }),
    open: async ({ host }) => (answers[host] ?? refusal)() as Connection,
  })
  const find = () => finder.find().catch((error: unknown) => error)
  return { find, warnings }
}

const refusing = () => {
  throw refusal()
}
const standby = () => ({ ...aServer('t', 18n, 't'), close: () => undefined }) as unknown as Connection
const old = () => ({ ...aServer('f', 14n, 't'), close: () => undefined }) as unknown as Connection
const primary = () => {
  const step = NAMES_SERVICE.steps.length
  const answerTo = (sql: string) =>
    sql.includes('schema_version') ? [BigInt(step), 'names', 'names'] : ['f', 18n, 't', 'noon']
  return {
    ...{ host: 'c:5432', isSound: true, ended: new Promise(() => {}) },
    ...{ get: async (sql: string) => answerTo(sql), run: async () => 1, close: () => undefined },
  } as unknown as Connection
}

test('a host that refuses the login, or is not fit, is passed over, and the log says so once', async () => {
  const { find, warnings } = await searchAmong({ a: refusing, b: old, c: primary })
  expect(await find()).toMatchObject({ server: 'c:5432 noon' })
  await find()
  expect(warnings).toEqual([
    { host: 'a:5432', cause: 'refuses the login: password authentication failed (28P01)' },
    { host: 'b:5432', cause: expect.stringContaining('runs PostgreSQL 14') },
  ])
})

test('a login counts as refused when every host refuses it; what else has to be changed comes first', async () => {
  expect(await (await searchAmong({ a: refusing, b: refusing })).find()).toSatisfy(databaseRefused.is)
  const partly = await (await searchAmong({ a: refusing, b: standby })).find()
  expect(partly).toSatisfy(databaseUnreachable.is)
  expect(String(partly)).toMatch(/a:5432: refuses the login: .*; b:5432: a standby/)
  expect(partly).toMatchObject({ hint: 'grinpay doctor --check cluster --daemon nameauth' })
  expect(await (await searchAmong({ a: refusing, b: old })).find()).toSatisfy(databaseServerOld.is)
})
