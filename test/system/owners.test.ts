import { chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFileForFolder, type OwnerParts, ownerInTheWay } from '../../src/system/index.js'

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
  test('nobody, when the file may be used', () => {
    expect(ownerInTheWay('/data/names.db', 'write', parts({}, undefined))).toBeUndefined()
  })

  test('nobody, when there is no file', () => {
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
