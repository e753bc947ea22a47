// Where the commands of the name authority find its database and its rules.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import NameAssign from '../../../src/commands/name/assign.js'
import NameList from '../../../src/commands/name/list.js'
import NameReserve from '../../../src/commands/name/reserve.js'
import NameShow from '../../../src/commands/name/show.js'
import { ADA, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'
import { runCommandClass } from '../../support/run-command.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands('NAMEAUTH_NAME_MIN=2\n')
  await at.claim('alice', ADA)
})
afterEach(() => at.close())

/** An env file with these lines, beside the database. */
function envFileOf(...lines: readonly string[]): string {
  const path = join(at.folder, 'other.env')
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

test('the length of names is that of the settings', async () => {
  expect((await at.run(NameShow, 'al')).stdout).toContain('state\tfree\n')
})

test('settings that could not start the daemon are good enough, when they name the database', async () => {
  const envFile = envFileOf(`NAMEAUTH_DATA_DIR=${at.folder}`, 'NAMEAUTH_PAY_MODE=name', 'NAMEAUTH_NAMES_BIND=nonsense')
  const { stdout, stderr, exit } = await runCommandClass(NameList, ['-q', '--settings', envFile])
  expect({ stdout, stderr, exit }).toEqual({ stdout: 'alice\n', stderr: '', exit: 0 })
})

test('settings that may make an answer wrong are reported', async () => {
  const envFile = envFileOf(`NAMEAUTH_NAMES_DB=${at.dbPath}`, 'NAMEAUTH_NAME_MIN=none')
  const { stdout, stderr, exit } = await runCommandClass(NameShow, ['zoe', '--settings', envFile])
  expect({ state: stdout.includes('state\tfree\n'), exit }).toEqual({ state: true, exit: 0 })
  expect(stderr).toMatch(/^note: settings: NAMEAUTH_NAME_MIN .*\n/m)
})

test('commands that the rules of names do not matter to say nothing about them', async () => {
  const { stderr } = await runCommandClass(NameList, ['--db', at.dbPath])
  expect(stderr).toBe('')
})

test('--db wins over the settings', async () => {
  const envFile = envFileOf('NAMEAUTH_DOMAIN=x.example', 'NAMEAUTH_NAMES_DB=/nowhere/names.db')
  const { stdout } = await runCommandClass(NameList, ['-q', '--settings', envFile, '--db', at.dbPath])
  expect(stdout).toBe('alice\n')
})

test('--db alone works with the built-in rules, and says so', async () => {
  const { stdout, stderr, exit } = await runCommandClass(NameShow, ['alice', '--db', at.dbPath])
  expect({ state: stdout.includes('state\tactive\n'), exit }).toEqual({ state: true, exit: 0 })
  expect(stderr).toContain('note: no settings found: 3 to 20 characters')
})

test('without settings they end with 3 and name what to do', async () => {
  const { stdout, stderr, exit } = await runCommandClass(NameList, ['--settings', envFileOf('PAY_BIND=127.0.0.1:1')])
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 3 })
  expect(stderr).toContain('grinpay setup nameauth')
})

test('an env file that is not there ends with 2', async () => {
  expect(await runCommandClass(NameList, ['--settings', join(at.folder, 'none.env')])).toMatchObject({ exit: 2 })
})

test.each([
  ['looking', [NameList, '-q']],
  ['changing', [NameReserve, 'harbour', '--reason', 'x']],
] as const)('%s makes no database where there is none', async (_, [command, ...argv]) => {
  const path = join(at.folder, 'none.db')
  const { stdout, exit } = await runCommandClass(command, [...argv, '--db', path])
  expect({ stdout, exit, made: existsSync(path) }).toEqual({ stdout: '', exit: 3, made: false })
})

test('a file that is no database of names is left alone', async () => {
  const path = envFileOf('NAMEAUTH_DOMAIN=x.example')
  const { stdout, exit } = await runCommandClass(NameAssign, ['zoe', ADA, '--reason', 'x', '--db', path])
  expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
})
