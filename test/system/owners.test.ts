import { chownSync, lchownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  appendLine,
  createFileForFolder,
  type OwnerParts,
  ownerInTheWay,
  relayConfigFiles,
} from '../../src/system/index.js'
import { strangerOf } from '../../src/system/owners.js'
import { codeOf } from '../support/vectors.js'

const failure = (code: string) => Object.assign(new Error(code), { code })

/** `owners`: what shows its owner; everything that is not `open` is denied. */
const parts = (owners: Readonly<Record<string, number>>, code: string | undefined): OwnerParts => ({
  access: () => {
    if (code !== undefined) throw failure(code)
  },
  ownerId: (path) => {
    const id = owners[path]
    if (id === undefined) throw failure('EACCES')
    return id
  },
  users: () => 'root:x:0:0:root:/root:/bin/sh\ngrinpay:x:998:998::/nonexistent:/bin/false\n',
})

describe('who is in the way', () => {
  test('no one, when the file may be used', () => {
    expect(ownerInTheWay('/data/names.db', 'write', parts({}, undefined))).toBeUndefined()
  })

  test('no one, when there is no file', () => {
    expect(ownerInTheWay('/data/names.db', 'write', parts({ '/data': 998 }, 'ENOENT'))).toBeUndefined()
  })

  test('the owner of the file', () => {
    expect(ownerInTheWay('/data/names.db', 'write', parts({ '/data/names.db': 998 }, 'EACCES'))).toBe('grinpay')
  })

  test('the owner of the folder that hides it', () => {
    expect(ownerInTheWay('/data/deep/names.db', 'read', parts({ '/': 0, '/data': 998 }, 'EACCES'))).toBe('grinpay')
  })

  test('a number, when the user has no name here', () => {
    expect(ownerInTheWay('/data/names.db', 'read', parts({ '/data': 61184 }, 'EACCES'))).toBe('#61184')
  })
})

test.skipIf(process.getuid?.() !== 0)('what root makes belongs to the owner of the folder (needs root)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-owners-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chownSync(folder, 998, 997)
  await createFileForFolder(join(folder, 'names.db'))
  const { uid, gid, mode } = statSync(join(folder, 'names.db'))
  expect({ uid, gid, mode: mode & 0o777 }).toEqual({ uid: 998, gid: 997, mode: 0o600 })
})

const isRoot = process.getuid?.() === 0
const STRANGER = 54_321

/** A new folder with these files in it, removed after the test. */
function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-owners-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of names) writeFileSync(join(folder, name), 'as it was\n')
  return folder
}

describe('settings found in the working folder', () => {
  test("have no foreign owner when they are ours, or root's", () => {
    const file = join(folderWith('relay.toml'), 'relay.toml')
    const { uid } = statSync(file)
    expect(strangerOf(file, uid)).toBeUndefined()
    expect(strangerOf('/', STRANGER)).toBeUndefined()
  })

  test.skipIf(!isRoot)('of another user are refused, also as a link of that user to a file of ours; needs root', () => {
    const folder = folderWith('mine', 'his')
    chownSync(join(folder, 'his'), STRANGER, STRANGER)
    symlinkSync(join(folder, 'mine'), join(folder, 'link'))
    lchownSync(join(folder, 'link'), STRANGER, STRANGER)
    expect(['mine', 'his', 'link'].map((name) => strangerOf(join(folder, name)))).toEqual([
      undefined,
      STRANGER,
      STRANGER,
    ])
  })

  test.skipIf(!isRoot)('of the relay are looked for with that rule; needs root', async () => {
    const folder = folderWith('relay.toml')
    chownSync(join(folder, 'relay.toml'), STRANGER, STRANGER)
    const before = process.cwd()
    vi.stubEnv('HOME', folder)
    process.chdir(folder)
    onTestFinished(() => {
      process.chdir(before)
      vi.unstubAllEnvs()
    })
    expect(await codeOf(relayConfigFiles)).toBe('SETTINGS_OF_SOMEBODY_ELSE')
  })
})

test.skipIf(!isRoot)(
  'root adds no line through a link in the folder of a daemon, and gives nothing away; needs root',
  async () => {
    const [folder, other] = [folderWith(), join(folderWith('precious'), 'precious')]
    chownSync(folder, STRANGER, STRANGER)
    symlinkSync(other, join(folder, 'names.txt'))
    await expect(appendLine(join(folder, 'names.txt'), 'a line')).rejects.toMatchObject({ code: 'ELOOP' })
    expect(readFileSync(other, 'utf8')).toBe('as it was\n')
    expect(statSync(other).uid).toBe(0)
  },
)
