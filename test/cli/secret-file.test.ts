import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSecretFile } from '../../src/cli/values.js'

const folder = mkdtempSync(join(tmpdir(), 'grinpay-secret-'))
afterAll(() => rmSync(folder, { recursive: true }))

const fileOf = (content: string): string => {
  const path = join(folder, 'secret')
  writeFileSync(path, content)
  return path
}

test.each(['whsec_abc', 'whsec_abc\n', 'whsec_abc\r\n'])('%j is the secret without its line break', (content) => {
  expect(readSecretFile(fileOf(content)).reveal()).toBe('whsec_abc')
})

test.each(['', '\n', ' \n'])('%j holds no secret: an empty key would sign anything for anybody', (content) => {
  expect(() => readSecretFile(fileOf(content))).toThrow('it is empty')
})

test('a missing file is named, and why is kept', () => {
  const path = join(folder, 'nowhere')
  expect(() => readSecretFile(path)).toThrow(
    expect.objectContaining({
      message: expect.stringContaining(path),
      cause: expect.objectContaining({ code: 'ENOENT' }),
    }),
  )
})
