import { expect, test } from 'vitest'
import { databaseNotReplicated, databaseServerOld } from '../../../src/storage/errors.js'
import type { Connection } from '../../../src/storage/postgres/driver.js'
import { inspect } from '../../../src/storage/postgres/primary.js'

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
