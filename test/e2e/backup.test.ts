// A till restored in the middle of traffic, and archives that are not what they should be: the built command on real files.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateIdentity } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { type BackupWorld, doubledKeys, liveTwice, usedKeys } from '../faults/backup-lives.js'
import { canHaveDisk, throughSmallDisk } from '../faults/trouble.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

let world: BackupWorld
beforeAll(async () => {
  world = await liveTwice()
}, 600_000)
afterAll(() => world?.close())

const lostDb = () => join(world.folder, 'old/data/pay.db')
const restoredDb = () => join(world.restored, 'data/pay.db')
const knownToBackup = () => {
  const lost = new Map(usedKeys(lostDb()).map((use) => [use.slateId, use.index]))
  // Known is what the restored till has under the very key that the lost one used.
  return new Set(usedKeys(restoredDb()).flatMap(({ slateId, index }) => (lost.get(slateId) === index ? [slateId] : [])))
}

describe('a till that comes back from a backup made under load', () => {
  test('uses no key and makes no output twice, over both lives', () => {
    const [lost, restored] = [usedKeys(lostDb()), usedKeys(restoredDb())]
    expect(doubledKeys(lost, restored, knownToBackup())).toEqual([])
    expect(restored.filter(({ slateId }) => !knownToBackup().has(slateId)).length).toBeGreaterThanOrEqual(3)
    expect(lost.filter(({ slateId }) => !knownToBackup().has(slateId)).length).toBeGreaterThanOrEqual(3)
  })

  test('goes on far behind the last key of the lost one', () => {
    const highest = Math.max(...usedKeys(lostDb()).map(({ index }) => index))
    const fresh = usedKeys(restoredDb()).filter(({ slateId }) => !knownToBackup().has(slateId))
    expect(Math.min(...fresh.map(({ index }) => index))).toBeGreaterThan(highest + 2 ** 24 - 1000)
  })

  test('knows everything that was acknowledged before the backup began', () => {
    const db = openSqlite(restoredDb(), 'reading')
    const has = (sql: string, value: string) => Number(db.get(sql, [value])?.[0]) === 1
    const { invoices, replies } = world.before
    expect([...invoices.keys()].filter((id) => !has('SELECT count(*) FROM invoice WHERE id = ?', id))).toEqual([])
    const stored = (id: string) => db.get('SELECT reply FROM payment WHERE id = ?', [id])?.[0]
    expect([...replies].filter(([id, reply]) => stored(id) !== reply)).toEqual([])
    db.close()
  })

  test('answers a slate that the lost one answered after the backup with another key and another signature', () => {
    const { slateId, lostReply, reply } = world.again
    const keyIn = (path: string) => usedKeys(path).find((use) => use.slateId === slateId)
    expect(reply).not.toBe(lostReply)
    expect(keyIn(restoredDb())?.index).toBeGreaterThan(keyIn(lostDb())?.index ?? Number.POSITIVE_INFINITY)
    expect(keyIn(restoredDb())?.commitment).not.toBe(keyIn(lostDb())?.commitment)
  })

  test('signs its webhooks as before, and contradicts itself nowhere', () => {
    expect([...world.hookFaults, ...world.lost.contradictions, ...world.after.contradictions]).toEqual([])
  })

  test('lies in private files, at the places that its settings name', () => {
    expect(statSync(world.restored).mode & 0o777).toBe(0o700)
    for (const name of ['pay.env', 'data/pay.db', 'data/wallet/seed.json', 'data/nostr/identity.json'])
      expect([name, statSync(join(world.restored, name)).mode & 0o777]).toEqual([name, 0o600])
    const settings = readFileSync(join(world.restored, 'pay.env'), 'utf8')
    expect(settings).toContain(`PAY_DB_PATH=${restoredDb()}\n`)
    expect(settings).not.toContain(join(world.folder, 'old'))
  })
})

test('the checker sees a key that is used twice', () => {
  const use = { index: 7, slateId: 'a', commitment: 'AA' }
  const other = { index: 7, slateId: 'b', commitment: 'BB' }
  expect(doubledKeys([use], [other], new Set())).toEqual(['key 7 was used again for b'])
  expect(doubledKeys([use], [{ ...other, index: 8, commitment: 'AA' }], new Set())).toHaveLength(1)
  expect(doubledKeys([use], [use], new Set(['a']))).toEqual([])
})

describe('backup verify', () => {
  const verify = (file: string, ...more: readonly string[]) =>
    world.grinpay(
      'backup',
      'verify',
      file,
      '--identity-file',
      world.identityFile,
      '--password-file',
      world.passwordFile,
      ...more,
    )

  test('passes what can be restored, wallet and identity included', async () => {
    const { exit, output } = await verify(world.archive, '--json')
    const { ok, checks } = JSON.parse(output) as { ok: boolean; checks: { name: string; status: string }[] }
    expect({ exit, ok }).toEqual({ exit: 0, ok: true })
    expect(checks.map(({ status }) => status)).toEqual(checks.map(() => 'pass'))
    expect(checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['archive', 'data/pay.db', 'wallet', 'identity']),
    )
  })

  test('leaves nothing beside the archive', () => {
    expect(readdirSync(join(world.folder, 'archives'))).toHaveLength(1)
  })

  test.each([
    ['truncated', (bytes: Buffer) => bytes.subarray(0, bytes.length - 70_000)],
    ['empty', () => Buffer.alloc(0)],
    ['cut in its header', (bytes: Buffer) => bytes.subarray(0, 100)],
    ['changed in one bit', (bytes: Buffer) => Buffer.from(bytes).fill((bytes[90_000] ?? 0) ^ 1, 90_000, 90_001)],
    ['longer', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(512)])],
  ])('ends with 6 for an archive that is %s, and restore makes nothing of it', async (what, change) => {
    const file = join(world.folder, `${what.replaceAll(' ', '-')}.tar.age`)
    writeFileSync(file, change(readFileSync(world.archive)))
    const { exit, output } = await verify(file)
    expect({ exit, fails: /^fail\t/m.test(output) }).toEqual({ exit: 6, fails: true })
    const to = join(world.folder, 'never')
    expect((await world.grinpay('restore', file, '--to', to, '--identity-file', world.identityFile)).exit).toBe(6)
    expect(existsSync(to)).toBe(false)
    expect(readdirSync(world.folder).filter((name) => name.startsWith('.grinpay'))).toEqual([])
  })

  test('ends with 6 for the wrong wallet password, and says which check failed', async () => {
    const wrong = join(world.folder, 'wrong-password')
    writeFileSync(wrong, 'another')
    const { exit, output } = await world.grinpay(
      ...['backup', 'verify', world.archive, '--identity-file', world.identityFile, '--password-file', wrong],
    )
    expect(exit).toBe(6)
    expect(output).toMatch(/^fail\twallet\t/m)
    expect(output).not.toContain('another')
  })

  test('ends with 6 for the key of another owner, with 2 without any', async () => {
    const other = join(world.folder, 'other.key')
    writeFileSync(other, await generateIdentity())
    expect((await world.grinpay('backup', 'verify', world.archive, '--identity-file', other)).exit).toBe(6)
    const { exit, output } = await world.grinpay('backup', 'verify', world.archive)
    expect({ exit, output }).toEqual({ exit: 2, output: expect.stringContaining('--identity-file') })
  })
})

describe('restore refuses', () => {
  const restore = (to: string, ...more: readonly string[]) =>
    world.grinpay('restore', world.archive, '--to', to, '--identity-file', world.identityFile, ...more)

  test('a folder that holds anything, and changes nothing in it', async () => {
    const to = join(world.folder, 'busy')
    mkdirSync(to)
    writeFileSync(join(to, 'mine'), 'x')
    const { exit, output } = await restore(to)
    expect({ exit, output }).toEqual({ exit: 6, output: expect.stringContaining('is not empty') })
    expect(readdirSync(to)).toEqual(['mine'])
  })

  test('the backup of another daemon than the one that was named', async () => {
    const { exit, output } = await restore(join(world.folder, 'never'), '--daemon', 'relay')
    expect({ exit, output }).toEqual({ exit: 6, output: expect.stringContaining('not of a relay') })
    expect(existsSync(join(world.folder, 'never'))).toBe(false)
  })

  test('a file in the place of a folder', async () => {
    expect((await restore(world.passwordFile)).exit).toBe(6)
  })
})

test.skipIf(!canHaveDisk())('a disk that is full leaves neither an archive nor anything half-made', () => {
  const disk = join(world.folder, 'disk')
  mkdirSync(disk)
  const create = [
    process.execPath,
    join(ROOT, 'bin/run.js'),
    'backup',
    'create',
    '--settings',
    join(world.restored, 'pay.env'),
    '--out',
    '.',
  ]
  const [program = '', ...through] = throughSmallDisk(disk, 200)
  const ran = spawnSync(program, [...through, 'sh', '-c', '"$@"; echo "exit $?"; ls -A', 'sh', ...create], {
    encoding: 'utf8',
    env: cleanEnvironment({ HOME: world.folder }),
  })
  expect(ran.stdout).toBe('exit 1\n')
  expect(ran.stderr).toMatch(/^grinpay: .*(full|ENOSPC).*free space/s)
})
