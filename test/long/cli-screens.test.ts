// What a person sees on a narrow terminal: the built command on terminals of 60 and of 80 columns, against a sandbox that runs.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commandHome } from '../support/command-home.js'
import { atTerminal, atTerminalHere, hasPython } from '../support/person.js'
import { openWorldWithProps, type WorldWithProps, wordsOf } from './cli-world/props.js'

/** Its width is looked up once in the life of a process. */
const HELP = '--help'
/** Of everything that prints tables, facts or findings. */
const SCREENS = [
  HELP,
  'invoice list',
  'invoice show {openInvoice}',
  'payment list',
  'payment show {payment}',
  'webhook list',
  'webhook show {event}',
  'webhook replay --failed --dry-run',
  'grant list',
  'name list',
  'name list --reserved',
  'name show {heldName}',
  'name history',
  'offer list',
  'offer show {offer}',
  'relay ban --list',
  'relay stats',
  'config show',
  'config show --daemon relay',
  'config check',
  'till list',
  'wallet balance',
  'wallet address',
  'doctor',
  'doctor --daemon relay',
  'backup verify {archive} --password-file pw',
]

describe.skipIf(!hasPython)('on a terminal (needs python3)', () => {
  let world: WorldWithProps
  beforeAll(async () => {
    world = await openWorldWithProps()
    const { props } = world
    for (const name of ['grant', 'offer', 'acme', 'tillTest', 'openInvoice']) await props[name]?.()
    await world.answer(
      'relay',
      'ban',
      '--address',
      '203.0.113.0/24',
      '--reason',
      'a flood that lasted for a whole long night',
    )
    await world.answer('relay', 'ban', await (props.npub?.() ?? ''), '--reason', 'spam')
  })
  afterAll(() => world?.close())

  describe.each([60, 80])('of %i columns', (columns) => {
    test.each(SCREENS)('%s', async (line) => {
      const screen = await shown(line, columns)
      expect(screen.length).toBeGreaterThan(0)
      // What is one word, an id or a path, is copied whole.
      const long = screen.filter((text) => text.length > columns && /\S\s+\S/.test(text.trim()))
      expect(long.join('\n')).toBe('')
    })
  })

  async function shown(line: string, columns: number): Promise<readonly string[]> {
    const words = await wordsOf(line, world.props)
    const token = words[0] === 'invoice' && words[1] === 'show' ? 'api_token' : 'admin_token'
    const variables = { GRINPAY_TOKEN_FILE: join(world.home, token) }
    const screen = line === HELP ? onTerminal(words, columns) : await world.screen(words, columns, variables)
    return screen.split('\n').map((text) => text.trimEnd())
  }
})

const onTerminal = (words: readonly string[], columns: number): string =>
  atTerminal(words, [], { cwd: tmpdir(), columns }).screen

/** Answers after a second and a half. */
const slowTill = () =>
  createServer((_, answer) => setTimeout(() => answer.end('{"invoices":[],"next_cursor":null}'), 1500))

describe('while a till takes its time', () => {
  const { folder, at, grinpay } = commandHome('screens')
  const till = slowTill()
  let args: readonly string[]
  beforeAll(async () => {
    writeFileSync(at('token'), 'x')
    await new Promise<void>((resolve) => till.listen(0, '127.0.0.1', resolve))
    const { port } = till.address() as AddressInfo
    args = ['invoice', 'list', '--url', `http://127.0.0.1:${port}`, '--token-file', at('token')]
  })
  afterAll(() => till.close())

  const PROGRESS = 'asking the till'
  const screenOf = (more: readonly string[], env: Readonly<Record<string, string>>) =>
    atTerminalHere([...args, ...more], [], { env: { HOME: folder, NO_COLOR: '', ...env } })

  test('a person sees what is waited for, and then the answer alone', async () => {
    const { screen, exit } = await screenOf([], {})
    expect({ exit, screen }).toEqual({ exit: 0, screen: expect.stringContaining(`| ${PROGRESS}`) })
    expect(screen.slice(screen.lastIndexOf('\r', screen.lastIndexOf('none'))).trim()).toBe('none')
  })

  test.each<[string[], Record<string, string>]>([
    [['--quiet'], {}],
    [['--json'], {}],
    [[], { NO_COLOR: '1' }],
  ])('not with %j %j', async (more, env) => {
    const { screen, exit } = await screenOf(more, env)
    expect(exit).toBe(0)
    expect(screen).not.toContain(PROGRESS)
  })

  test('a script sees nothing of it on either end', async () => {
    expect(await grinpay(args, { NO_COLOR: '' })).toEqual({ stdout: '', stderr: '', exit: 0 })
  })
})
