// What npm would publish, installed as an operator does it: an empty prefix, strict engines, no scripts, no compiler.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const run = promisify(execFile)
const INSTALL_MS = 280_000

let prefix: string
let installing: string

const installed = (...args: readonly string[]) =>
  run(join(prefix, 'bin/grinpay'), args, { env: cleanEnvironment(), cwd: prefix, timeout: 90_000 })

beforeAll(async () => {
  prefix = mkdtempSync(join(tmpdir(), 'grinpay-packed-'))
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', prefix], { cwd: ROOT })
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }]
  const args = [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--engine-strict',
    '--no-audit',
    '--no-fund',
    join(prefix, filename),
  ]
  const { stdout, stderr } = await run('npm', args, { cwd: prefix, timeout: INSTALL_MS })
  installing = `${stdout}${stderr}`
}, INSTALL_MS)

afterAll(() => rmSync(prefix, { recursive: true, force: true }))

test('it installs without a word about engines, and about no script but the one that it can do without', () => {
  const lines = installing.split('\n')
  const scripted = lines.flatMap((line) => /install-scripts +(\S+@[\d.]+) \(/.exec(line)?.[1] ?? [])
  expect(scripted.filter((name) => name !== 'secp256k1@5.0.2')).toEqual([])
  expect(lines.filter((line) => /EBADENGINE|gyp ERR|deprecated/i.test(line))).toEqual([])
})

test('it knows its version and its commands', async () => {
  expect((await installed('--version')).stdout).toMatch(/^grinpay\/\d+\.\d+\.\d+ /)
  expect((await installed('--help')).stdout).toMatch(/sandbox/)
})

test('its sandbox confirms an invoice', async () => {
  const { stdout } = await installed('sandbox', '--once', '--port', '0', '--node-port', '0')
  expect(stdout).toMatch(/confirmed/i)
})
