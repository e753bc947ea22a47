import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import Doctor from '../../src/commands/doctor.js'
import { CHECK_NAMES } from '../../src/doctor/index.js'
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
  const { stdout, exit } = await runCommandClass(Doctor, ['--env-file', file, '--json'])
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
})

test('a machine without settings ends with 3 and says what to do', async () => {
  const file = join(dirname(at.envFile), 'empty.env')
  writeFileSync(file, '')
  const { stderr, exit } = await runCommandClass(Doctor, ['--env-file', file])
  expect(exit).toBe(3)
  expect(stderr).toContain('grinpay setup pay')
})
