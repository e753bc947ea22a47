import { expect, test } from 'vitest'
import { databaseNotReplicated, databaseServerOld, databaseUnreachable } from '../../../src/storage/errors.js'
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
