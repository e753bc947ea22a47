/** A server of 1 GB builds what it installs: docs/quickstart.md, step 1. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const copy = mkdtempSync(join(tmpdir(), 'grinpay-build-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

/** Runs a command and prints the resident memory of the largest process that it started, in kilobytes. */
const MEASURED = `import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)`

test('building and declaring the client takes less than 500 MB in any process', () => {
  for (const part of ['src', 'bin', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.client.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const build = [process.execPath, join(copy, 'scripts/build.mjs'), '--types']
  const kilobytes = Number(execFileSync('python3', ['-c', MEASURED, ...build], { encoding: 'utf8', stdio: 'pipe' }))
  expect(existsSync(join(copy, 'dist/commands/serve/pay.js'))).toBe(true)
  expect(existsSync(join(copy, 'dist/client/shop/index.d.ts'))).toBe(true)
  expect(kilobytes).toBeGreaterThan(20_000)
  expect(kilobytes).toBeLessThan(500_000)
})
