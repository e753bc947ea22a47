import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import Doctor from '../../src/commands/doctor.js'
import { CHECK_NAMES, RELAY_CHECK_NAMES } from '../../src/doctor/index.js'
import { runCommandClass, type TillForCommands, tillForCommands } from '../support/run-command.js'

let at: TillForCommands
beforeEach(async () => {
  at = await tillForCommands()
})
afterEach(() => at.close())

test('one line per finding, tab separated in a pipe', async () => {
  const { stdout, exit } = await at.run(Doctor, '--check', 'settings', '--check', 'till')
  expect(stdout).toMatch(/^pass\tsettings\tusable, from .*\npass\ttill\tversion .* answers at http:.*\n/)
  expect(exit).toBe(0)
})

test('ends with 6 when something failed, and --json is still the whole list and nothing else', async () => {
  const file = join(dirname(at.envFile), 'bad.env')
  writeFileSync(file, 'PAY_BIND=x\n')
  const { stdout, exit } = await runCommandClass(Doctor, ['--settings', file, '--json'])
  expect(exit).toBe(6)
  expect(JSON.parse(stdout)).toEqual({
    items: [
      {
        check: 'settings',
        about: null,
        level: 'fail',
        detail: expect.stringContaining('PAY_BIND'),
        remedy: expect.any(String),
      },
    ],
    next: null,
  })
})

test('an unknown check is wrong usage and names those there are', async () => {
  const { stderr, exit } = await at.run(Doctor, '--check', 'luck')
  expect({ stderr, exit }).toEqual({
    stderr: `grinpay: no check luck; there are ${CHECK_NAMES.join(', ')}\n`,
    exit: 2,
  })
})

test('the flag names every check', () => {
  expect(Doctor.flags.check.description).toContain(`: ${CHECK_NAMES.join(', ')}`)
  expect(Doctor.flags.check.description).toContain(`of the relay: ${RELAY_CHECK_NAMES.join(', ')}`)
})

test('a machine without settings ends with 3 and says what to do', async () => {
  const file = join(dirname(at.envFile), 'empty.env')
  writeFileSync(file, '')
  const { stderr, exit } = await runCommandClass(Doctor, ['--settings', file])
  expect(exit).toBe(3)
  expect(stderr).toContain('grinpay setup pay')
})

test('of a relay: its TOML file is named, its own checks are known, and the outcome is the exit code', async () => {
  const file = join(dirname(at.envFile), 'relay.toml')
  const folder = join(dirname(at.envFile), 'relay-data')
  writeFileSync(file, `[network]\nport = 9\n[database]\ndata_directory = "${folder}"\n`, { mode: 0o644 })
  const asked = ['--daemon', 'relay', '--settings', file]
  const lists = await runCommandClass(Doctor, [...asked, '--check', 'lists'])
  expect(lists).toMatchObject({ exit: 0, stdout: 'pass\tlists\tno bans: there is no list yet\n' })
  const daemon = await runCommandClass(Doctor, [...asked, '--check', 'daemon', '--json'])
  expect(daemon.exit).toBe(6)
  expect(JSON.parse(daemon.stdout).items).toMatchObject([
    { check: 'daemon', level: 'fail', remedy: expect.stringContaining('systemctl start grinpay-relay') },
  ])
  const luck = await runCommandClass(Doctor, [...asked, '--check', 'luck'])
  expect(luck).toMatchObject({ exit: 2, stderr: expect.stringContaining(RELAY_CHECK_NAMES.join(', ')) })
})
