import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import NameAssign from '../../../src/commands/name/assign.js'
import NameEvict from '../../../src/commands/name/evict.js'
import NameRelease from '../../../src/commands/name/release.js'
import NameReserve from '../../../src/commands/name/reserve.js'
import NameSuspend from '../../../src/commands/name/suspend.js'
import NameUnreserve from '../../../src/commands/name/unreserve.js'
import { ADA, ADA_NPUB, BOB, BOB_NPUB, type NamesForCommands, namesForCommands } from '../../support/name-commands.js'

let at: NamesForCommands
beforeEach(async () => {
  at = await namesForCommands()
})
afterEach(() => at.close())

const WHY = ['--reason', 'because'] as const
const holderOf = async (name: string) => (await at.store.activeName(name))?.pubkey
const lastLine = async () => (await at.store.history({}, 1)).items[0]

describe('name reserve and unreserve', () => {
  test('keep back and set free, each with its line in the history', async () => {
    const kept = await at.run(NameReserve, 'Harbour', ...WHY)
    expect(kept).toEqual({
      stdout: 'harbour is reserved now\n',
      stderr: 'next: grinpay name show harbour\n',
      exit: 0,
    })
    expect(await lastLine()).toMatchObject({ action: 'reserve', actor: 'operator', name: 'harbour', reason: 'because' })
    expect((await at.run(NameUnreserve, 'harbour', ...WHY, '-q')).stdout).toBe('harbour\n')
    expect(await lastLine()).toMatchObject({ action: 'unreserve' })
  })

  test('keeping back twice is fine and changes nothing', async () => {
    await at.run(NameReserve, 'harbour', ...WHY)
    const { stdout, exit } = await at.run(NameReserve, 'harbour', '--reason', 'other')
    expect({ stdout, exit }).toEqual({ stdout: 'harbour was reserved before; nothing changed\n', exit: 0 })
    expect((await at.store.listReserved(9)).items).toMatchObject([{ reason: 'because' }])
  })

  test('setting free what was not kept back ends with 4, built-in names with 6', async () => {
    expect(await at.run(NameUnreserve, 'harbour', ...WHY)).toMatchObject({ exit: 4, stdout: '' })
    const { stderr, exit } = await at.run(NameUnreserve, 'admin', ...WHY)
    expect(exit).toBe(6)
    expect(stderr).toContain('"admin" stays reserved: in the built-in list')
  })
})

describe('name assign', () => {
  test('gives a reserved name to a key, by npub', async () => {
    const { stdout, exit } = await at.run(NameAssign, 'support', ADA_NPUB, ...WHY)
    expect({ stdout, exit }).toEqual({ stdout: `support belongs to ${ADA_NPUB} now\n`, exit: 0 })
    expect(await holderOf('support')).toBe(ADA)
    expect(await lastLine()).toMatchObject({ action: 'assign', name: 'support', pubkey: ADA })
  })

  test('a second name for a key ends with 6, with --replace the first one is released', async () => {
    await at.claim('alice', ADA)
    const refused = await at.run(NameAssign, 'zoe', ADA, ...WHY)
    expect(refused.exit).toBe(6)
    expect(refused.stderr).toContain(`${ADA_NPUB} already holds the name "alice"`)
    expect(refused.stderr).toContain('--replace')
    const done = await at.run(NameAssign, 'zoe', ADA, ...WHY, '--replace')
    expect(done.stderr).toBe('alice was released: anybody may claim it\nnext: grinpay name show zoe\n')
    expect([await holderOf('alice'), await holderOf('zoe')]).toEqual([undefined, ADA])
  })

  test('a name that a key holds stays there, with 6', async () => {
    await at.claim('alice', ADA)
    const { stderr, exit } = await at.run(NameAssign, 'al1ce', BOB, ...WHY)
    expect(exit).toBe(6)
    expect(stderr).toContain(`"al1ce" looks like "alice", which ${ADA_NPUB} holds`)
  })

  test('what the key holds already is fine', async () => {
    await at.claim('alice', ADA)
    const { stdout } = await at.run(NameAssign, 'alice', ADA, ...WHY, '--json')
    expect(JSON.parse(stdout)).toEqual({
      action: 'assign',
      changed: false,
      name: 'alice',
      pubkey: ADA,
      npub: ADA_NPUB,
      released: null,
      reason: 'because',
    })
  })

  test.each([
    ['a name that is none', ['no name', ADA], 'is not a valid name'],
    ['a key that is none', ['zoe', 'nonsense'], 'not a valid npub'],
    ['no key', ['zoe'], 'key'],
  ])('%s ends with 2', async (_, argv, words) => {
    const { stderr, exit } = await at.run(NameAssign, ...argv, ...WHY)
    expect(exit).toBe(2)
    expect(stderr).toContain(words)
  })
})

describe('name release and evict', () => {
  beforeEach(() => at.claim('alice', ADA))

  test('without a terminal they want --yes, and change nothing', async () => {
    for (const command of [NameRelease, NameEvict]) {
      const { stdout, stderr, exit } = await at.run(command, 'alice', ...WHY)
      expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
      expect(stderr).toContain('alice')
      expect(stderr).toContain('--yes')
    }
    expect(await holderOf('alice')).toBe(ADA)
  })

  test('a release frees the name and arms no cooldown', async () => {
    const { stdout, exit } = await at.run(NameRelease, 'ALICE', ...WHY, '--yes')
    expect({ stdout, exit }).toEqual({ stdout: `alice is released; ${ADA_NPUB} has no cooldown\n`, exit: 0 })
    expect(await at.store.cooldownUntil(ADA)).toBe(0)
    expect(await lastLine()).toMatchObject({ action: 'release', actor: 'operator', reason: 'because', pubkey: ADA })
    await at.claim('alice', BOB)
  })

  test('an eviction may keep the name back', async () => {
    const { stdout } = await at.run(NameEvict, 'alice', ...WHY, '--yes', '--reserve')
    expect(stdout).toBe(`alice was taken from ${ADA_NPUB} and is reserved\n`)
    await expect(at.claim('alice', BOB)).rejects.toThrow('reserved')
  })

  test('an eviction without --reserve lets anybody have it, and --json says what happened', async () => {
    const { stdout } = await at.run(NameEvict, 'alice', ...WHY, '--yes', '--json')
    expect(JSON.parse(stdout)).toEqual({
      action: 'evict',
      changed: true,
      name: 'alice',
      pubkey: ADA,
      npub: ADA_NPUB,
      reserved: false,
      reason: 'because',
    })
    await at.claim('alice', BOB)
    expect(await holderOf('alice')).toBe(BOB)
  })

  test('a name that no key holds ends with 4', async () => {
    for (const command of [NameRelease, NameEvict, NameSuspend])
      expect(await at.run(command, 'zoe', ...WHY)).toMatchObject({ exit: 4, stdout: '' })
  })
})

describe('name suspend', () => {
  beforeEach(() => at.claim('alice', ADA))

  test('suspends and lifts', async () => {
    expect((await at.run(NameSuspend, 'alice', ...WHY)).stdout).toBe('alice is suspended now\n')
    expect((await at.store.activeName('alice'))?.suspendedAt).toBeGreaterThan(0)
    expect((await at.run(NameSuspend, 'alice', ...WHY, '--lift')).stdout).toBe('alice resolves now\n')
    expect(await lastLine()).toMatchObject({ action: 'resume', reason: 'because' })
  })

  test('twice is fine and changes nothing', async () => {
    const { stdout, exit } = await at.run(NameSuspend, 'alice', ...WHY, '--lift')
    expect({ stdout, exit }).toEqual({ stdout: 'alice resolves as before; nothing changed\n', exit: 0 })
  })
})

describe('--reason', () => {
  test.each([
    ['none', []],
    ['an empty one', ['--reason', '  ']],
    ['a long one', ['--reason', 'x'.repeat(201)]],
    ['two lines', ['--reason', 'a\nb']],
    ['a hidden direction mark', ['--reason', 'a\u202eb']],
  ])('%s is wrong usage, and nothing happens', async (_, argv) => {
    const { stdout, stderr, exit } = await at.run(NameReserve, 'harbour', ...argv)
    expect({ stdout, exit }).toEqual({ stdout: '', exit: 2 })
    expect(stderr).toContain('reason')
    expect((await at.store.listReserved(9)).items).toEqual([])
  })

  test('is kept without the blanks around it', async () => {
    await at.run(NameReserve, 'harbour', '--reason', '  the port  ')
    expect((await at.store.listReserved(9)).items).toMatchObject([{ reason: 'the port' }])
  })
})

test('the key that holds a name is shown as people know it', async () => {
  await at.claim('bob', BOB)
  expect((await at.run(NameEvict, 'bob', ...WHY)).stderr).toContain(BOB_NPUB)
})
