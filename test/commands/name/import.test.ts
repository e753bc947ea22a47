import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import NameExport from '../../../src/commands/name/export.js'
import NameHistory from '../../../src/commands/name/history.js'
import NameImport from '../../../src/commands/name/import.js'
import NameList from '../../../src/commands/name/list.js'
import NameReserve from '../../../src/commands/name/reserve.js'
import NameSuspend from '../../../src/commands/name/suspend.js'
import { olderAuthority, otherProgram, separateAuthority } from '../../support/legacy-databases.js'
import { ADA, BOB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'
import { runCommandClass } from '../../support/run-command.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
})
afterEach(() => at.close())

const MOVING = ['--reason', 'moving in'] as const
const file = (name: string) => join(at.folder, name)
const held = async () => (await at.run(NameList, '--status', 'active', '-q')).stdout.split('\n').filter(Boolean)

describe('name import', () => {
  test('takes over another authority, and says how much of what', async () => {
    separateAuthority(file('old.db'))
    const { stdout, stderr, exit } = await at.run(NameImport, file('old.db'), ...MOVING, '--yes')
    expect({ stdout, exit }).toEqual({ stdout: 'name\t3\t0\ngrant\t2\t0\noffer\t2\t0\ntransfer\t1\t0\n', exit: 0 })
    expect(stderr).toBe(`${file('old.db')}: tables names, paid_grants, offers, transfers\nnext: grinpay name list\n`)
    expect(await held()).toEqual(['alice', 'carol'])
    expect((await at.run(NameHistory, 'alice')).stdout).toContain('\timport\talice\timport\t')
    expect((await at.run(NameHistory, 'alice')).stdout).toContain('\tmoving in\n')
  })

  test('again it changes nothing', async () => {
    separateAuthority(file('old.db'))
    await at.run(NameImport, file('old.db'), ...MOVING, '--yes')
    const { stdout, exit } = await at.run(NameImport, file('old.db'), ...MOVING, '--yes', '--json')
    expect(exit).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      file: file('old.db'),
      origin: 'tables names, paid_grants, offers, transfers',
      dry_run: false,
      imported: true,
      rows: [
        { kind: 'name', added: 0, known: 3 },
        { kind: 'grant', added: 0, known: 2 },
        { kind: 'offer', added: 0, known: 2 },
        { kind: 'transfer', added: 0, known: 1 },
      ],
      look_alikes: 0,
      too_short: 0,
      conflicts: [],
    })
  })

  test('one conflict stops all of it, is named with its place, and ends with 6', async () => {
    await at.claim('bob', BOB)
    olderAuthority(file('old.db'), [
      ['alice', ADA],
      ['bob', 'c3'.repeat(32)],
    ])
    const { stdout, stderr, exit } = await at.run(NameImport, file('old.db'), ...MOVING, '--yes')
    expect({ stdout, exit }).toEqual({ stdout: `names row 2\tbob is held here by ${BOB}\n`, exit: 6 })
    expect(stderr).toContain('conflicts: 1; nothing was changed\n')
    const result = await at.run(NameImport, file('old.db'), ...MOVING, '--yes', '--json')
    expect(result.exit).toBe(6)
    expect(JSON.parse(result.stdout)).toMatchObject({ imported: false, conflicts: [{ place: 'names row 2' }] })
    expect(await held()).toEqual(['bob'])
  })

  test('a dry run tells the same, asks nothing and changes nothing', async () => {
    separateAuthority(file('old.db'))
    const { stdout, stderr, exit } = await at.run(NameImport, file('old.db'), ...MOVING, '--dry-run')
    expect({ stdout, exit }).toEqual({ stdout: 'name\t3\t0\ngrant\t2\t0\noffer\t2\t0\ntransfer\t1\t0\n', exit: 0 })
    expect(stderr).toContain('nothing was changed; repeat it without --dry-run\n')
    expect(await held()).toEqual([])
  })

  test('without a terminal it wants --yes, and changes nothing', async () => {
    separateAuthority(file('old.db'))
    expect(await at.run(NameImport, file('old.db'), ...MOVING)).toMatchObject({ exit: 2, stdout: '' })
    expect(await held()).toEqual([])
  })

  test('names that no key could claim here are reported', async () => {
    await at.claim('alice', ADA)
    olderAuthority(file('old.db'), [
      ['al1ce', BOB],
      ['xy', 'c3'.repeat(32)],
    ])
    const { stderr, exit } = await at.run(NameImport, file('old.db'), ...MOVING, '--yes')
    expect(exit).toBe(0)
    expect(stderr).toContain('look-alikes of names of other keys, taken over all the same: 1\n')
    expect(stderr).toContain('shorter than NAMEAUTH_NAME_MIN, and so not resolving: 1\n')
  })

  test.each([
    ['a database of something else', () => otherProgram(file('other.db')), 'other.db'],
    ['a file that is not there', () => undefined, 'none.db'],
  ])('%s ends with 2', async (_, make, name) => {
    make()
    const { stdout, stderr, exit } = await at.run(NameImport, file(name), ...MOVING, '--yes')
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toContain(name)
  })

  describe('before the authority ever ran', () => {
    const fresh = () => file('new/folder/names.db')
    const run = (...argv: readonly string[]) =>
      runCommandClass(NameImport, [file('old.db'), ...MOVING, '--db', fresh(), ...argv])
    beforeEach(() => separateAuthority(file('old.db')))

    test('makes the database and its folder, for their owner only', async () => {
      expect((await run('--yes')).exit).toBe(0)
      expect(statSync(fresh()).mode & 0o777).toBe(0o600)
      expect(statSync(file('new/folder')).mode & 0o777).toBe(0o700)
      expect((await runCommandClass(NameList, ['-q', '--db', fresh()])).stdout).toBe('alice\nbob\ncarol\n')
    })

    test('a dry run makes none', async () => {
      expect((await run('--dry-run')).stdout).toContain('name\t3\t0\n')
      expect(existsSync(fresh())).toBe(false)
    })
  })
})

describe('name export --everything', () => {
  test('is what name import takes: names, states, what is kept back, the history', async () => {
    await at.claim('alice', ADA)
    await at.claim('bob', BOB)
    await at.offer('alice')
    await at.grant(BOB, 'i-1')
    await at.run(NameSuspend, 'bob', '--reason', 'reported')
    await at.run(NameReserve, 'ab', '--reason', 'two letters')
    const lines = (await at.run(NameExport, '--everything')).stdout
    writeFileSync(file('all.jsonl'), lines)
    const other = ['--db', file('other.db')] as const
    const { stdout, exit } = await runCommandClass(NameImport, [file('all.jsonl'), ...MOVING, ...other, '--yes'])
    expect({ exit, names: stdout.includes('name\t2\t0\n'), offers: stdout.includes('offer\t1\t0\n') }).toEqual({
      exit: 0,
      names: true,
      offers: true,
    })
    expect((await runCommandClass(NameList, ['--status', 'suspended', '-q', ...other])).stdout).toBe('bob\n')
    expect((await runCommandClass(NameList, ['--reserved', ...other])).stdout).toMatch(/^ab\t.*\ttwo letters\n$/)
    expect((await runCommandClass(NameHistory, ['bob', ...other])).stdout).toContain('\tsuspend\tbob\toperator\t')
  })

  test('a plain list of names can be imported as well', async () => {
    await at.claim('alice', ADA)
    writeFileSync(file('names.jsonl'), (await at.run(NameExport)).stdout)
    const other = ['--db', file('other.db')] as const
    expect((await runCommandClass(NameImport, [file('names.jsonl'), ...MOVING, ...other, '--yes'])).exit).toBe(0)
    expect((await runCommandClass(NameList, other)).stdout).toContain(`alice\tactive\t2026-11-21T12:00:00Z\t`)
  })
})
