import { afterEach, beforeEach, expect, test } from 'vitest'
import { shapeOf } from '../../../src/authority/index.js'
import NameExport from '../../../src/commands/name/export.js'
import { ADA, ADA_NPUB, BOB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
  await at.claim('alice', ADA)
  await at.claim('bob', BOB)
  await at.store.evict(shapeOf('bob'), { reserve: false, reason: 'x', now: 1 })
})
afterEach(() => at.close())

const SINCE = '2026-11-21T12:00:00Z'

test('one JSON document per line, of the names that are held', async () => {
  const { stdout, exit } = await at.run(NameExport)
  expect(exit).toBe(0)
  expect(stdout.trimEnd().split('\n')).toHaveLength(1)
  expect(JSON.parse(stdout)).toMatchObject({ name: 'alice', pubkey: ADA, npub: ADA_NPUB, created_at: SINCE })
})

test('CSV has a head, and released names only when asked for', async () => {
  const line = `alice,active,${ADA},${ADA_NPUB},${SINCE},,\r\n`
  const head = 'name,status,pubkey,npub,created_at,released_at,suspended_at\r\n'
  expect((await at.run(NameExport, '--format', 'csv')).stdout).toBe(head + line)
  const all = (await at.run(NameExport, '--format', 'csv', '--status', 'all')).stdout
  expect(all).toContain(line)
  expect(all).toContain('\r\nbob,released,')
})

test('every page is written', async () => {
  await Promise.all(
    Array.from({ length: 450 }, (_, n) =>
      at.store.assign(shapeOf(`name${n}`), { pubkey: key(n), replace: false, reason: 'x', now: n }),
    ),
  )
  expect((await at.run(NameExport)).stdout.trimEnd().split('\n')).toHaveLength(451)
})

const key = (n: number) => n.toString(16).padStart(64, '0')
