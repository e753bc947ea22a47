// The wizard of the name authority as a person meets it, and the same without one: the built command, every path. Where a real terminal, a pipe
// or a daemon is what is tested it has a process of its own, elsewhere that of the test.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runBuilt, spawnBuilt } from '../support/command-home.js'
import { atTerminal, atTerminalHere, CTRL_C, CTRL_D, ENTER, hasPython, type Line } from '../support/person.js'
import { freePort } from '../support/till-process.js'

let root: string
const at = (...parts: string[]) => join(root, ...parts)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'grinpay-names-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const SETUP = ['setup', 'nameauth', '--skip-checks']
const prefixed = () => [...SETUP, '--prefix', at('names')]
/** A person elsewhere: own home, own folder. */
const seat = (env: Readonly<Record<string, string>> = {}) => ({ cwd: root, env: { HOME: root, ...env } })
const setup = (lines: readonly Line[], extra: readonly string[] = []) =>
  atTerminalHere([...prefixed(), ...extra], lines, seat())

/** Without a terminal at either end. */
const plain = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runBuilt(args, { home: root, variables })
const piped = (args: readonly string[], input: string) => spawnBuilt(args, { home: root, input })

/** Every file below the folder with its mode and content. */
const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => {
        const { mode } = statSync(join(folder, name))
        const content = statSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'utf8') : ''
        return [name, `${(mode & 0o777).toString(8)} ${content}`]
      }),
  )
const env = (file = at('names', 'nameauth.env')) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line))

const enter = (text = '') => `${text}${ENTER}`
const FREE: readonly Line[] = [
  ['Domain of the names', enter('names.example')],
  ['Listen on', enter()],
  ['Folder for the database', enter()],
  ['For sale', enter()],
  ['May holders sell', enter()],
]
const paid = (mode: string, secret = ''): readonly Line[] => [
  ['Domain of the names', enter('names.example')],
  ['Listen on', enter('127.0.0.1:8999')],
  ['Folder for the database', enter()],
  ['For sale', enter(mode)],
  ['Price in GRIN', enter('2.5')],
  ['Till that makes the invoices', enter('http://127.0.0.1:8080/')],
  ['API token', enter('pay_live_open_sesame')],
  ['Webhook secret', enter(secret)],
  ['May holders sell', enter('y')],
  ['Grin nodes', enter('https://node.example/v2/foreign')],
]
const GO: Line = ['Go ahead', enter()]

describe('setup nameauth at a terminal', () => {
  test('a free authority takes five answers, four of them by Enter', async () => {
    const { screen, exit, missed } = await setup([...FREE, GO])
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    expect(env()).toEqual([
      'NAMEAUTH_DOMAIN=names.example',
      'NAMEAUTH_BASE_URL=https://names.example',
      'NAMEAUTH_RELAYS=wss://names.example',
      'NAMEAUTH_NAMES_BIND=127.0.0.1:8191',
      'NAMEAUTH_PAY_MODE=off',
      `NAMEAUTH_NAMES_DB=${at('names', 'nameauth', 'data', 'names.db')}`,
    ])
    expect(screen).not.toContain('Price')
    expect(screen).toContain('grinpay serve nameauth --settings')
  })

  test.skipIf(!hasPython)(
    'paid names with a webhook secret and sales: secrets are typed unseen and lie in files of their own (needs python3)',
    () => {
      const lines = [...paid('NAME', 'whsec_open_sesame'), GO]
      const { screen, exit, missed } = atTerminal(prefixed(), lines, seat())
      expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
      const secrets = at('names', 'nameauth', 'secrets')
      expect(env()).toEqual([
        'NAMEAUTH_DOMAIN=names.example',
        'NAMEAUTH_BASE_URL=https://names.example',
        'NAMEAUTH_RELAYS=wss://names.example',
        'NAMEAUTH_NAMES_BIND=127.0.0.1:8999',
        'NAMEAUTH_PAY_MODE=name',
        'NAMEAUTH_NAME_PRICE_GRIN=2.5',
        'NAMEAUTH_PAY_URL=http://127.0.0.1:8080',
        `NAMEAUTH_PAY_TOKEN_FILE=${secrets}/pay_token`,
        `NAMEAUTH_PAY_WEBHOOK_SECRET_FILE=${secrets}/pay_webhook_secret`,
        'NAMEAUTH_TRANSFERS=true',
        'NAMEAUTH_GRIN_NODE_URL=https://node.example/v2/foreign',
        `NAMEAUTH_NAMES_DB=${at('names', 'nameauth', 'data', 'names.db')}`,
      ])
      expect(filesOf(secrets)).toEqual({
        pay_token: '600 pay_live_open_sesame\n',
        pay_webhook_secret: '600 whsec_open_sesame\n',
      })
      expect((statSync(secrets).mode & 0o777).toString(8)).toBe('700')
      expect(screen).not.toMatch(/sesame|whsec_open_sesame/)
    },
  )

  test('write access without a webhook secret', async () => {
    const { exit, missed } = await setup([...paid('write'), GO])
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    expect(env()).toContain('NAMEAUTH_WRITE_PRICE_GRIN=2.5')
    expect(env().join()).not.toMatch(/NAME_PRICE|WEBHOOK/)
    expect(Object.keys(filesOf(at('names', 'nameauth', 'secrets')))).toEqual(['pay_token'])
  })

  test('a wrong answer is said at once and asked again', async () => {
    const { exit, missed } = await setup([
      ['Domain of the names', enter('https://names.example')],
      ['It must be a host name', enter('names.example')],
      ['Listen on', enter('here')],
      ['It must be host:port', enter('127.0.0.1:8999')],
      ['Folder for the database', enter('a"b')],
      ['It must not contain quotes', enter(at('data'))],
      ['For sale', enter('free')],
      ['It must be off, name or write', enter('name')],
      ['Price in GRIN', enter('0')],
      ['It must be more than 0', enter('1.5')],
      ['Till that makes the invoices', enter('till.example')],
      ['It must begin with http', enter('https://till.example')],
      ['API token', enter('open-sesame-open-sesame')],
      ['Webhook secret', enter()],
      ['May holders sell', enter('perhaps')],
      ['It must be yes or no', enter('yes')],
      ['Grin nodes', enter('node')],
      ['It must begin with', enter('https://node.example/v2/foreign')],
      GO,
    ])
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    expect(env()).toEqual(
      expect.arrayContaining([
        'NAMEAUTH_NAMES_BIND=127.0.0.1:8999',
        `NAMEAUTH_NAMES_DB=${at('data', 'names.db')}`,
        'NAMEAUTH_NAME_PRICE_GRIN=1.5',
        'NAMEAUTH_PAY_URL=https://till.example',
        'NAMEAUTH_TRANSFERS=true',
      ]),
    )
  })

  test('the domain has no default: Enter asks again', async () => {
    const { exit, missed } = await setup([
      ['Domain of the names', enter()],
      ['It must be a host name', CTRL_C],
    ])
    expect({ exit, missed }).toEqual({ exit: 130, missed: [] })
  })

  test('five wrong words about the sale count as off', async () => {
    // The refusal is drawn more than once; the echo of the next word tells which one was seen.
    const again = (word: string): readonly Line[] => [
      ['It must be off, name or write', word],
      [word, ENTER],
    ]
    const lines: readonly Line[] = [
      ...FREE.slice(0, 3),
      ['For sale', enter('free1')],
      ...['free2', 'free3', 'free4', 'free5'].flatMap(again),
      ['May holders sell', enter()],
      GO,
    ]
    const { exit, missed } = await setup(lines)
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    expect(env()).toContain('NAMEAUTH_PAY_MODE=off')
  })

  test.each([...paid('name', 'x'.repeat(20)), GO].map(([question], index) => [question, index] as const))(
    'Ctrl-C at "%s" writes nothing and ends with 130',
    async (question, index) => {
      const { exit, missed } = await setup([
        ...[...paid('name', 'x'.repeat(20)), GO].slice(0, index),
        [question, CTRL_C],
      ])
      expect({ exit, missed }).toEqual({ exit: 130, missed: [] })
      expect(readdirSync(root)).toEqual([])
    },
  )

  test('the end of input takes the defaults of everything that is left', async () => {
    const { exit, missed } = await setup([...FREE.slice(0, 1), ['Listen on', CTRL_D], ['Go ahead', CTRL_D]])
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    const ended = filesOf(at('names'))
    rmSync(at('names'), { recursive: true })
    await setup([...FREE, GO])
    expect(filesOf(at('names'))).toEqual(ended)
  })

  test('the end of input before the domain writes nothing', async () => {
    const { exit, screen } = await setup([['Domain of the names', CTRL_D]])
    expect(exit).toBe(2)
    expect(screen).toContain('"domain" is missing')
    expect(readdirSync(root)).toEqual([])
  })

  test('what is configured is left alone, without a question and without a failure', async () => {
    await setup([...FREE, GO])
    const before = filesOf(at('names'))
    const { exit, screen } = await setup([])
    expect(exit).toBe(0)
    expect(screen).toContain('already a name authority for names.example')
    expect(screen).not.toContain('Domain of the names')
    expect(filesOf(at('names'))).toEqual(before)
  })

  test('a reconfiguration starts from the present answers and keeps what the operator added', async () => {
    await setup([...paid('name', 'whsec_open_sesame'), GO])
    const file = at('names', 'nameauth.env')
    writeFileSync(file, `${readFileSync(file, 'utf8')}NAMEAUTH_NAME_MIN=5\nMY_OWN=1\n`)
    const [before, secrets] = [env(), filesOf(at('names', 'nameauth', 'secrets'))]
    const { exit, missed, screen } = await setup(
      [
        ['names.example', enter()],
        ['127.0.0.1:8999', enter()],
        ['Folder for the database', enter()],
        ['For sale', enter()],
        ['2.5', enter('3')],
        ['http://127.0.0.1:8080', enter()],
        ['keep the present one', enter()],
        ['keep the present one', enter()],
        ['yes', enter()],
        ['node.example', enter()],
        GO,
      ],
      ['--reconfigure'],
    )
    expect({ exit, missed }).toEqual({ exit: 0, missed: [] })
    expect(env().sort()).toEqual(
      [...before, 'NAMEAUTH_NAME_PRICE_GRIN=3'].filter((line) => line !== 'NAMEAUTH_NAME_PRICE_GRIN=2.5').sort(),
    )
    expect(filesOf(at('names', 'nameauth', 'secrets'))).toEqual(secrets)
    expect(screen).toContain('keep     the API token of the till')
  })
})

describe('setup nameauth without a person', () => {
  test('writes nothing and ends with 1 when nothing was said', async () => {
    const { exit, stderr, stdout } = await plain(prefixed())
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' })
    expect(stderr).toContain('stdin or stdout is no terminal')
    expect(readdirSync(root)).toEqual([])
  })

  test('names every missing and wrong answer and ends with 2', async () => {
    const { exit, stderr } = await plain([...prefixed(), '--yes', '--bind', 'here'])
    expect(exit).toBe(2)
    expect(stderr).toContain('"domain" is missing; "bind" must be host:port (got "here")')
    expect(readdirSync(root)).toEqual([])
  })

  test('a secret inside the answers is an unknown key', () => {
    const { exit, stderr } = piped([...prefixed(), '--answers', '-'], '{"domain":"a.example","pay_token":"x"}')
    expect(exit).toBe(2)
    expect(stderr).toContain('unknown key "pay_token"')
  })

  test('a dry run shows the plan and writes nothing', async () => {
    const { exit, stderr } = await plain([...prefixed(), '--domain', 'a.example', '--dry-run'])
    expect(exit).toBe(0)
    expect(stderr).toContain(`write    ${at('names', 'nameauth.env')}  0600  the settings`)
    expect(readdirSync(root)).toEqual([])
  })

  test('without a folder the settings go where the environment says', async () => {
    const file = at('deep', 'my.env')
    const variables = { NAMEAUTH_ENV_FILE: file }
    const { exit } = await plain([...SETUP, '--domain', 'a.example', '--data-dir', at('data')], variables)
    expect(exit).toBe(0)
    expect(env(file)).toContain('NAMEAUTH_DOMAIN=a.example')
    expect(readdirSync(at('deep'))).toEqual(['my.env'])
  })

  test.each([
    ['a free authority', FREE, {}],
    ['paid names with everything', paid('name', 'whsec_open_sesame'), { pay_webhook_secret_file: 'hook' }],
    ['write access', paid('write'), {}],
  ] as const)('%s comes out byte for byte as from a person', async (_what, lines, more) => {
    await setup([...lines, GO])
    renameSync(at('names'), at('typed'))
    writeFileSync(at('token'), 'pay_live_open_sesame\n')
    writeFileSync(at('hook'), 'whsec_open_sesame')
    const isPaid = lines !== FREE
    const answers = {
      domain: 'names.example',
      ...(isPaid && {
        bind: '127.0.0.1:8999',
        pay_mode: lines.some(([, typed]) => typed.startsWith('write')) ? 'write' : 'name',
        price_grin: '2.5',
        pay_url: 'http://127.0.0.1:8080',
        pay_token_file: at('token'),
        transfers: 'yes',
        node_url: 'https://node.example/v2/foreign',
      }),
      ...('pay_webhook_secret_file' in more && { pay_webhook_secret_file: at(more.pay_webhook_secret_file) }),
    }
    expect(piped([...prefixed(), '--answers', '-', '--yes'], JSON.stringify(answers)).exit).toBe(0)
    expect(filesOf(at('names'))).toEqual(filesOf(at('typed')))
    expect(Object.keys(filesOf(at('names'))).length).toBeGreaterThan(4)
  })
})

describe('serve nameauth by hand with nothing configured', () => {
  const questions = (port: number): readonly Line[] => [
    ['No name authority is configured', ''],
    ['Domain of the names', enter('localhost')],
    ['Listen on', enter(`127.0.0.1:${port}`)],
    ['Folder for the database', enter(at('data'))],
    ['For sale', enter()],
    ['May holders sell', enter()],
  ]
  const serving = (port: number): readonly Line[] => [
    [`listening on 127.0.0.1:${port}`, `{get http://127.0.0.1:${port}/api/v1/health}`],
    ['', CTRL_C],
  ]

  test.skipIf(!hasPython)('asks, writes and serves; the next start asks nothing (needs python3)', async () => {
    const port = await freePort()
    const file = at('my.env')
    const first = atTerminal(
      ['serve', 'nameauth'],
      [...questions(port), ...serving(port)],
      seat({ NAMEAUTH_ENV_FILE: file }),
    )
    expect(first).toMatchObject({ exit: 0, missed: [], gets: ['ok'] })
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(existsSync(at('data', 'names.db'))).toBe(true)
    expect(first.screen).not.toContain('Go ahead')
    const before = readFileSync(file, 'utf8')
    const second = atTerminal(['serve', 'nameauth'], serving(port), seat({ NAMEAUTH_ENV_FILE: file }))
    expect(second).toMatchObject({ exit: 0, missed: [], gets: ['ok'] })
    expect(second.screen).not.toContain('Domain of the names')
    expect(readFileSync(file, 'utf8')).toBe(before)
  })

  test.each([0, 1, 2, 3, 4])('Ctrl-C at question %i writes nothing and serves nothing', async (index) => {
    const lines = questions(await freePort())
    const [question = ''] = lines[index + 1] ?? []
    const typed: readonly Line[] = [...lines.slice(0, index + 1), [question, CTRL_C]]
    const own = seat({ NAMEAUTH_ENV_FILE: at('my.env') })
    const { exit, missed } = await atTerminalHere(['serve', 'nameauth'], typed, own)
    expect({ exit, missed }).toEqual({ exit: 130, missed: [] })
    expect(readdirSync(root)).toEqual([])
  })

  test.skipIf(!hasPython)('is skipped when the domain is set (needs python3)', async () => {
    const port = await freePort()
    const settings = { NAMEAUTH_DOMAIN: 'localhost', NAMEAUTH_BIND: `127.0.0.1:${port}`, NAMEAUTH_DATA_DIR: at('data') }
    mkdirSync(at('data'))
    const visit = atTerminal(
      ['serve', 'nameauth'],
      serving(port),
      seat({ ...settings, NAMEAUTH_ENV_FILE: at('my.env') }),
    )
    expect(visit).toMatchObject({ exit: 0, missed: [], gets: ['ok'] })
    expect(existsSync(at('my.env'))).toBe(false)
  })

  test('is skipped without a terminal, and with --no-input: the start fails and says what to do', async () => {
    const file = { NAMEAUTH_ENV_FILE: at('my.env') }
    const { exit, stderr } = await plain(['serve', 'nameauth'], file)
    expect(exit).toBe(3)
    expect(stderr).toContain('grinpay setup nameauth')
    expect((await atTerminalHere(['serve', 'nameauth', '--no-input'], [], seat(file))).exit).toBe(3)
    expect(readdirSync(root)).toEqual([])
  })
})
