// `--settings FILE` as a shell passes it: no Node reads it, and what is wrong with the file is said as by any command. Needs the build.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { commandHome } from '../support/command-home.js'

const { at, spawned: grinpay } = commandHome('settings-flag')

describe('a settings file that cannot be read', () => {
  test.each(['config show', 'status', 'doctor', 'invoice list'])('%s says that there is none, as JSON', (command) => {
    const { stdout, exit } = grinpay([...command.split(' '), '--settings', at('missing.env'), '--json'])
    expect(exit).toBe(2)
    const { error } = JSON.parse(stdout)
    expect(error).toMatchObject({ code: 'ENV_FILE_UNREADABLE', exit: 2 })
    expect(error.message).toContain(`${at('missing.env')}: ENOENT`)
  })

  test('a folder is no missing file', () => {
    mkdirSync(at('folder'), { recursive: true })
    const { stdout, exit } = grinpay(['config', 'show', '--settings', at('folder'), '--json'])
    expect(exit).toBe(2)
    expect(JSON.parse(stdout).error.message).toContain('EISDIR')
  })

  test.skipIf(process.getuid?.() === 0)('nor is one without permission (root may read everything)', () => {
    writeFileSync(at('closed.env'), 'PAY_BIND=127.0.0.1:9\n')
    chmodSync(at('closed.env'), 0)
    const { stdout } = grinpay(['config', 'show', '--settings', at('closed.env'), '--json'])
    expect(JSON.parse(stdout).error.message).toContain('EACCES')
  })
})

test('--env-file still names the file, and help names --settings alone', () => {
  writeFileSync(at('till.env'), 'PAY_CONFIRMATIONS=7\n')
  for (const flag of ['--settings', '--env-file'])
    expect(grinpay(['config', 'show', flag, at('till.env')]).stdout).toMatch(/^PAY_CONFIRMATIONS\t7\t/m)
  const help = grinpay(['config', 'show', '--help']).stdout
  expect(help).toContain('--settings=FILE')
  expect(help).not.toContain('--env-file')
})
