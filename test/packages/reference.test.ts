// The API reference is written from the built types, and refuses an export without a docstring.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { ROOT } from '../support/till-process.js'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'grinpay-reference-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('npm run docs:api: every export of both packages has a docstring', { timeout: 300_000 }, async () => {
  await run(process.execPath, ['scripts/docs-api.mjs', folder], { cwd: ROOT })
  const written = ['grin/functions/index.receive.receiveS1.html', 'grin/modules/seedfile.html']
  expect([...written, 'client/functions/verifyWebhook.html'].filter((path) => !existsSync(join(folder, path)))).toEqual(
    [],
  )
})
