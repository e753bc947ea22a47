// The wizard of the relay as a person meets it, and the same without one: the built command. Where a real terminal, a pipe or a daemon is what
// is tested it has a process of its own, elsewhere that of the test.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runBuilt, spawnBuilt } from '../support/command-home.js'
import { atTerminal, atTerminalHere, CTRL_C, ENTER, hasPython, type Line } from '../support/person.js'
import { freePort } from '../support/till-process.js'

let root: string
const at = (...parts: string[]) => join(root, ...parts)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'grinpay-relay-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A person elsewhere: own home, own folder. */
const seat = (env: Readonly<Record<string, string>> = {}) => ({ cwd: root, env: { HOME: root, ...env } })
const SETUP = ['setup', 'relay', '--skip-checks']
const prefixed = () => [...SETUP, '--prefix', at('relay')]
const plain = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runBuilt(args, { home: root, variables })
const piped = (args: readonly string[], input: string) => spawnBuilt(args, { home: root, input })
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
const set = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^\w+ = /.test(line))

const enter = (text = '') => `${text}${ENTER}`
const settingsAsked = (port = 7777): readonly Line[] => [
  ['Public address', enter('relay.example')],
  ['Listen on', enter(`127.0.0.1:${port}`)],
  ['Folder for the database', enter(at('data'))],
  ['Names, NIP-05', enter()],
  ['Who may publish: ', enter()],
  ['Gift wraps to their recipients', enter()],
  ['Days that events are kept', enter()],
  ['Who may manage', enter()],
]
const asked = (): readonly Line[] => [...settingsAsked(), ['Proxy in front', enter('nginx')]]

describe('at a terminal', () => {
  test.skipIf(!hasPython)('nine answers make settings, unit and a site for the proxy (needs python3)', () => {
    const { screen, exit, missed } = atTerminal(prefixed(), [...asked(), ['Go ahead', enter()]], seat())
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    expect(set(at('relay', 'relay.toml'))).toEqual([
      'relay_url = ["wss://relay.example"]',
      'address = "127.0.0.1"',
      'port = 7777',
      `data_directory = "${at('data')}"`,
    ])
    expect(readdirSync(at('relay')).sort()).toEqual(['relay.nginx.conf', 'relay.toml', 'systemd'])
    expect(screen).toContain('members: the same, and public notes')
    expect(screen).toContain('grinpay doctor --daemon relay')
  })

  test.each([0, 4, 9])('Ctrl-C at question %i leaves nothing; the last one is whether to go ahead', async (index) => {
    const all: readonly Line[] = [...asked(), ['Go ahead', '']]
    const [question = ''] = all[index] ?? []
    const { exit, missed } = await atTerminalHere(prefixed(), [...all.slice(0, index), [question, CTRL_C]], seat())
    expect({ exit, missed, left: readdirSync(root) }).toEqual({ exit: 130, missed: [], left: [] })
  })

  test('a wrong answer is said and the question stands again', async () => {
    const [first, ...others] = asked()
    const lines: readonly Line[] = [
      ['Public address', enter('ftp://x')],
      ['must begin with wss', `\u0015${first?.[1]}`],
      ...others,
      ['Go ahead', enter('n')],
    ]
    const { exit, missed } = await atTerminalHere(prefixed(), lines, seat())
    expect({ exit, missed, left: readdirSync(root) }).toEqual({ exit: 6, missed: [], left: [] })
  })

  test('setup alone asks which, and goes on with it', async () => {
    const lines: readonly Line[] = [
      ['What shall be set up', '\u001b[B\u001b[B'],
      ['relay: a Nostr relay', ENTER],
      ['Public address', CTRL_C],
    ]
    const { exit, missed } = await atTerminalHere(['setup'], lines, seat({ RELAY_CONFIG_FILE: at('my.toml') }))
    expect({ exit, missed, left: readdirSync(root) }).toEqual({ exit: 130, missed: [], left: [] })
  })

  describe('a bare serve relay', () => {
    const env = () => seat({ RELAY_CONFIG_FILE: at('my.toml') })
    const serving = (port: number): readonly Line[] => [
      ['listening', `{get http://127.0.0.1:${port}/health}`],
      ['', CTRL_C],
    ]

    test.skipIf(!hasPython)(
      'offers the questions, writes and serves; the next start asks nothing (needs python3)',
      async () => {
        const port = await freePort()
        const lines: readonly Line[] = [['Answer them now', enter()], ...settingsAsked(port), ...serving(port)]
        const first = atTerminal(['serve', 'relay'], lines, env())
        expect(first).toMatchObject({ exit: 0, missed: [], gets: [expect.stringContaining('"status":"ok"')] })
        expect([mode(at('my.toml')), existsSync(at('data', 'relay.db'))]).toEqual(['644', true])
        const second = atTerminal(['serve', 'relay'], serving(port), env())
        expect(second).toMatchObject({ exit: 0, missed: [] })
        expect(second.screen).not.toContain('Answer them now')
      },
    )

    test.each<[string, readonly Line[]]>([
      ['the offer', [['Answer them now', CTRL_C]]],
      [
        'a question',
        [
          ['Answer them now', enter()],
          ['Public address', CTRL_C],
        ],
      ],
    ])('Ctrl-C at %s writes nothing and serves nothing', async (_name, lines) => {
      const { exit, missed } = await atTerminalHere(['serve', 'relay'], lines, env())
      expect({ exit, missed, left: readdirSync(root) }).toEqual({ exit: 130, missed: [], left: [] })
    })

    test.skipIf(!hasPython)('asks nothing once anything is set (needs python3)', async () => {
      const port = await freePort()
      const own = seat({ RELAY_NETWORK_PORT: String(port), RELAY_DATABASE_DATA_DIRECTORY: at('data') })
      const { exit, screen } = atTerminal(['serve', 'relay'], serving(port), own)
      expect(exit).toBe(0)
      expect(screen).not.toContain('Answer them now')
    })
  })
})

describe('without a terminal', () => {
  test('answers come from a file, and flags win over it', async () => {
    writeFileSync(
      at('answers.json'),
      JSON.stringify({ relay_url: 'wss://a.example', authority: 'none', keep_days: '30' }),
    )
    const { exit, stdout } = await plain([...prefixed(), '--answers', at('answers.json'), '--keep-days', '60', '--yes'])
    expect(exit).toBe(0)
    expect(set(at('relay', 'relay.toml'))).toContain('persist_days = 60')
    expect(stdout).toContain('grinpay serve relay --settings')
    const check = await plain(['config', 'check', '--daemon', 'relay', at('relay', 'relay.toml')])
    expect(check).toMatchObject({ exit: 0, stdout: `${at('relay', 'relay.toml')}: ok\n` })
  })

  test('all that is wrong is said at once, and nothing is written', () => {
    const answers = JSON.stringify({ bind: 'here', admins: 'nobody-else', authority: 'above' })
    const { exit, stderr } = piped([...prefixed(), '--answers', '-', '--yes'], answers)
    expect(exit).toBe(2)
    for (const key of ['relay_url', 'bind', 'admins', 'authority']) expect(stderr).toContain(`"${key}"`)
    expect(readdirSync(root)).toEqual([])
  })

  test('setup alone names the three', async () => {
    expect(await plain(['setup'])).toMatchObject({ exit: 2, stderr: expect.stringContaining('pay, nameauth or relay') })
  })

  test('setup relay without answers or a terminal asks nothing', async () => {
    expect(await plain(SETUP, { RELAY_CONFIG_FILE: at('my.toml') })).toMatchObject({ exit: 2 })
    expect(readdirSync(root)).toEqual([])
  })
})
