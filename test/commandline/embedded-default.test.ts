// What an installation without a database address does not pay for.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** The modules of the PostgreSQL client that a process has loaded after `program`. */
function clientModules(program: string): readonly string[] {
  const script = `${program}
    const { createRequire } = await import('node:module')
    const loaded = Object.keys(createRequire(process.cwd() + '/x.js').cache)
    console.log(JSON.stringify(loaded.filter((path) => /node_modules.pg./.test(path))))
    process.exit(0)`
  const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  return JSON.parse(out.trim().split('\n').at(-1) ?? '[]')
}

test('names in a file load no PostgreSQL client', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-default-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const daemon = `
    const { openNameDaemon } = await import('./dist/daemons/nameauth.js')
    const { loadNameauthConfig, openEnvironment } = await import('./dist/config/index.js')
    const { createLog } = await import('./dist/system/log.js')
    const config = loadNameauthConfig(openEnvironment({ variables: {
      NAMEAUTH_DOMAIN: 'names.example', NAMEAUTH_NAMES_BIND: '127.0.0.1:0', NAMEAUTH_DATA_DIR: ${JSON.stringify(folder)} } }))
    const names = await openNameDaemon(config, { version: '0', log: createLog({ level: 'silent' }) })
    await names.start()
    await names.stop()`
  expect(clientModules(daemon)).toEqual([])
})

test('an address does: the look at loaded modules sees it', () => {
  expect(clientModules("await import('./dist/storage/postgres/driver.js')")).not.toEqual([])
})
