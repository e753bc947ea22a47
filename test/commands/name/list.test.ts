import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import NameList from '../../../src/commands/name/list.js'
import NameReserve from '../../../src/commands/name/reserve.js'
import { ADA, ADA_NPUB, BOB, BOB_NPUB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
  await at.claim('bob', BOB)
  await at.claim('alice', ADA)
})
afterEach(() => at.close())

const SINCE = '2026-11-21T12:00:00Z'

describe('name list', () => {
  test('tells names, states and both spellings of the keys', async () => {
    const { stdout, stderr, exit } = await at.run(NameList)
    expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 })
    expect(stdout).toBe(
      `alice\tactive\t${SINCE}\t${ADA_NPUB}\t${ADA}\n${`bob\tactive\t${SINCE}\t${BOB_NPUB}\t${BOB}\n`}`,
    )
  })

  test('--json is one document', async () => {
    const { stdout } = await at.run(NameList, '--json', '--prefix', 'AL')
    expect(JSON.parse(stdout)).toEqual({
      items: [
        {
          name: 'alice',
          status: 'active',
          pubkey: ADA,
          npub: ADA_NPUB,
          created_at: SINCE,
          released_at: null,
          suspended_at: null,
        },
      ],
      next: null,
    })
  })

  test.each([
    ['--pubkey', ADA_NPUB],
    ['--pubkey', ADA.toUpperCase()],
    ['--prefix', 'al'],
  ])('%s %s', async (...filter) => {
    expect((await at.run(NameList, ...filter, '-q')).stdout).toBe('alice\n')
  })

  test('by state', async () => {
    await at.store.suspend('bob', { reason: 'x', now: 1, suspended: true })
    expect((await at.run(NameList, '--status', 'suspended', '-q')).stdout).toBe('bob\n')
    expect((await at.run(NameList, '--status', 'released', '-q')).stdout).toBe('')
    expect((await at.run(NameList, '--status', 'active', '-q')).stdout).toBe('alice\nbob\n')
  })

  test('pages, and all of them', async () => {
    const first = JSON.parse((await at.run(NameList, '--limit', '1', '--json')).stdout)
    expect(first.items.map(({ name }: { name: string }) => name)).toEqual(['alice'])
    expect((await at.run(NameList, '--limit', '1', '--cursor', first.next, '-q')).stdout).toBe('bob\n')
    expect((await at.run(NameList, '--limit', '1')).stderr).toBe(`more: --cursor ${first.next}\n`)
    const all = JSON.parse((await at.run(NameList, '--limit', '1', '--all', '--json')).stdout)
    expect(all).toMatchObject({ items: [{ name: 'alice' }, { name: 'bob' }], next: null })
  })

  test('--reserved lists what is kept back, with the reason', async () => {
    await at.run(NameReserve, 'harbour', '--reason', 'the port')
    expect((await at.run(NameList, '--reserved')).stdout).toMatch(/^harbour\t[\dT:-]+Z\tthe port\n$/)
    expect((await at.run(NameList, '--reserved', '-q')).stdout).toBe('harbour\n')
  })

  test.each([
    [['--pubkey', 'npub1nonsense'], 'not a valid npub'],
    [['--status', 'gone'], '--status'],
    [['--reserved', '--status', 'active'], '--reserved'],
    [['--all', '--cursor', 'x'], '--all'],
  ])('%j is wrong usage', async (argv, words) => {
    const { stdout, stderr, exit } = await at.run(NameList, ...argv)
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toContain(words)
  })
})
