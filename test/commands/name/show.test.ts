import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import NameHistory from '../../../src/commands/name/history.js'
import NameReserve from '../../../src/commands/name/reserve.js'
import NameShow from '../../../src/commands/name/show.js'
import NameSuspend from '../../../src/commands/name/suspend.js'
import { ADA, ADA_NPUB, BOB, BOB_NPUB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
})
afterEach(() => at.close())

describe('name show', () => {
  test.each([
    ['zoe', 'free', undefined],
    ['b1og', 'reserved', 'like "blog", in the built-in list'],
    ['example', 'reserved', 'a part of the domain'],
    ['al1ce', 'taken', `looks like "alice", which ${ADA_NPUB} holds`],
    ['ALICE', 'active', undefined],
  ])('%s is %s', async (name, state, why) => {
    await at.claim('alice', ADA)
    const { stdout, exit } = await at.run(NameShow, name)
    expect(exit).toBe(0)
    expect(stdout).toContain(`name\t${name.toLowerCase()}\nstate\t${state}\n`)
    if (why === undefined) expect(stdout).not.toContain('why\t')
    else expect(stdout).toContain(`why\t${why}\n`)
  })

  test('a held name comes with its key in both spellings, the offer and the last lines', async () => {
    await at.claim('alice', ADA)
    const offer = await at.offer('alice')
    const { stdout } = await at.run(NameShow, 'alice')
    expect(stdout).toContain(`holder\t${ADA_NPUB}\nas hex\t${ADA}\nsince\t2026-11-21T12:00:00Z\n`)
    expect(stdout).toContain(`offer\t${offer.id}\noffered to\t${BOB_NPUB}\nprice\t1.5 GRIN\n`)
    expect(stdout).toContain(`2026-11-21T12:00:00Z\tclaim\tholder\t${ADA_NPUB}\t-\n`)
  })

  test('a suspended name says since when', async () => {
    await at.claim('alice', ADA)
    await at.run(NameSuspend, 'alice', '--reason', 'reported')
    const { stdout } = await at.run(NameShow, 'alice')
    expect(stdout).toContain(`state\tsuspended\nholder\t${ADA_NPUB}\n`)
    expect(stdout).toMatch(/\nsuspended\t[\dT:-]+Z\n/)
  })

  test('a key leads to its name; a key without one ends with 4', async () => {
    await at.claim('alice', ADA)
    expect((await at.run(NameShow, ADA_NPUB, '-q')).stdout).toBe('alice\n')
    expect(await at.run(NameShow, BOB)).toMatchObject({ exit: 4, stdout: '' })
  })

  test('the file of the settings and what the operator keeps back count', async () => {
    writeFileSync(join(at.folder, 'reserved'), '# ours\nAcme\n')
    writeFileSync(
      at.envFile,
      `NAMEAUTH_DOMAIN=x.example\nNAMEAUTH_NAMES_DB=${at.dbPath}\nNAMEAUTH_RESERVED_FILE=${join(at.folder, 'reserved')}\n`,
    )
    await at.run(NameReserve, 'harbour', '--reason', 'the port')
    expect((await at.run(NameShow, 'acme')).stdout).toContain('why\tin the file of NAMEAUTH_RESERVED_FILE\n')
    expect((await at.run(NameShow, 'h4rbour')).stdout).toContain(
      'why\tlike "harbour", reserved by the operator (the port)\n',
    )
  })

  test('what cannot be a name ends with 2 and says why', async () => {
    const { stderr, exit } = await at.run(NameShow, 'no name')
    expect(exit).toBe(2)
    expect(stderr).toContain('"no name" is not a valid name: use 3 to 20 characters a-z')
  })

  test('--json is one stable document', async () => {
    await at.claim('alice', ADA)
    const { stdout, stderr } = await at.run(NameShow, 'alice', '--json')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      name: 'alice',
      state: 'active',
      why: `held by ${ADA_NPUB}`,
      record: expect.objectContaining({ name: 'alice', status: 'active', pubkey: ADA, npub: ADA_NPUB }),
      reserved: null,
      look_alike: null,
      cooldown_until: null,
      offer: null,
      history: [expect.objectContaining({ action: 'claim', actor: 'holder', name: 'alice', npub: ADA_NPUB })],
    })
  })
})

describe('name history', () => {
  test('newest first: of a name, of a key, of all', async () => {
    await at.claim('alice', ADA)
    await at.claim('bob', BOB)
    await at.run(NameSuspend, 'alice', '--reason', 'reported')
    const actions = async (...argv: readonly string[]) =>
      (await at.run(NameHistory, ...argv)).stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split('\t').slice(1, 4).join(' '))
    expect(await actions('Alice')).toEqual(['suspend alice operator', 'claim alice holder'])
    expect(await actions('--key', BOB_NPUB)).toEqual(['claim bob holder'])
    expect(await actions()).toHaveLength(3)
    expect((await at.run(NameHistory, 'alice', '--limit', '1')).stdout).toContain('\treported\n')
  })

  test('a cursor that is none ends with 2', async () => {
    expect(await at.run(NameHistory, '--cursor', 'x')).toMatchObject({ exit: 2, stdout: '' })
  })
})
