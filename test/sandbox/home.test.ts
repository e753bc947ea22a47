import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHome } from '../../src/sandbox/home.js'
import { systemRandom } from '../../src/system/index.js'
import { codeOf } from '../support/vectors.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'grinpay-test-'))
})
afterEach(() => rm(directory, { recursive: true }))

test('a default folder says SANDBOX and is gone afterwards', async () => {
  const home = await openHome(undefined, systemRandom)
  expect(home.directory).toContain('grinpay-SANDBOX-')
  expect((await stat(join(home.directory, 'SANDBOX.json'))).mode & 0o777).toBe(0o600)
  await home.leave()
  await expect(readdir(home.directory)).rejects.toThrow('ENOENT')
})

test('a default folder is gone however the process ends, and nothing waits for that once it is left', async () => {
  const before = process.listeners('exit')
  const home = await openHome(undefined, systemRandom)
  const [added] = process.listeners('exit').filter((listener) => !before.includes(listener))
  added?.call(process, 1)
  await expect(readdir(home.directory)).rejects.toThrow('ENOENT')
  await home.leave()
  expect(process.listeners('exit')).toEqual(before)
})

test('a named folder stays, with the same secrets for the next run', async () => {
  const named = join(directory, 'mine')
  const first = await openHome(named, systemRandom)
  await first.leave()
  const second = await openHome(named, systemRandom)
  expect(second.secrets.apiToken.reveal()).toBe(first.secrets.apiToken.reveal())
  expect(second.secrets.apiToken.reveal()).toMatch(/^pay_live_[0-9a-f]{64}$/)
  expect(second.secrets.webhookSecret.reveal()).toMatch(/^whsec_[0-9a-f]{64}$/)
})

test('a folder with other things in it is left alone', async () => {
  await mkdir(join(directory, 'wallet'))
  expect(await codeOf(() => openHome(directory, systemRandom))).toBe('NOT_A_SANDBOX_FOLDER')
  expect(await readdir(directory)).toEqual(['wallet'])
})

test('a mark that is not ours is not believed', async () => {
  await writeFile(join(directory, 'SANDBOX.json'), '{"apiToken":"x"}')
  expect(await codeOf(() => openHome(directory, systemRandom))).toBe('NOT_A_SANDBOX_FOLDER')
})
