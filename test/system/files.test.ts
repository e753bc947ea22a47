import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDirectory, createFile, replaceFile } from '../../src/system/index.js'

let folder: string
const mode = (path: string): number => statSync(path).mode & 0o777
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a new file has the mode asked for, whatever the umask', async () => {
  const before = process.umask(0o077)
  try {
    await createFile(join(folder, 'pay.env'), 'x', 0o640)
  } finally {
    process.umask(before)
  }
  expect(mode(join(folder, 'pay.env'))).toBe(0o640)
})

test('creating over an existing file or link is refused and changes nothing', async () => {
  writeFileSync(join(folder, 'seed'), 'old')
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'link'))
  await expect(createFile(join(folder, 'seed'), 'new', 0o600)).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(createFile(join(folder, 'link'), 'new', 0o600)).rejects.toMatchObject({ code: 'EEXIST' })
  expect(readFileSync(join(folder, 'seed'), 'utf8')).toBe('old')
  expect(readdirSync(folder).sort()).toEqual(['link', 'seed'])
})

test('replacing leaves one file with the new content and mode', async () => {
  writeFileSync(join(folder, 'pay.env'), 'old', { mode: 0o644 })
  await replaceFile(join(folder, 'pay.env'), 'new', 0o640)
  expect(readFileSync(join(folder, 'pay.env'), 'utf8')).toBe('new')
  expect(mode(join(folder, 'pay.env'))).toBe(0o640)
  expect(readdirSync(folder)).toEqual(['pay.env'])
})

test('a replacement that fails leaves no draft behind', async () => {
  await createDirectory(join(folder, 'taken'), 0o700)
  writeFileSync(join(folder, 'taken', 'x'), '')
  await expect(replaceFile(join(folder, 'taken'), 'new', 0o600)).rejects.toThrow()
  expect(readdirSync(folder)).toEqual(['taken'])
})

test('new directories are closed to others and the topmost new one is named', async () => {
  expect(await createDirectory(join(folder, 'a', 'b'), 0o700)).toBe(join(folder, 'a'))
  expect(mode(join(folder, 'a', 'b'))).toBe(0o700)
  expect(await createDirectory(join(folder, 'a', 'b'), 0o700)).toBeUndefined()
})
