// Setup of a relay as a whole, on a real folder: what it writes, what it leaves alone, what it refuses.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { loadRelayConfig, openEnvironment } from '../../../src/config/index.js'
import {
  firstStartRelay,
  type RelayAnswers,
  type RelayKey,
  type RelaySetupRequest,
  type SetupTerminal,
  setupRelay,
} from '../../../src/wizard/index.js'
import { rowsOf } from '../../../src/wizard/question.js'
import { RELAY_QUESTIONS } from '../../../src/wizard/questions.js'
import { serving } from '../../support/local-server.js'
import { keyPairOf } from '../../support/nostr.js'
import { SETUP_DEFAULTS, setupFolder } from '../../support/setup-folder.js'

const ANSWERS: RelayAnswers = { relay_url: 'wss://relay.example', authority: 'none' }
const alice = keyPairOf('alice').pubkey

const { at, printed, forget, printers } = setupFolder('relay', 'relay-host')

const surroundings = (variables: Record<string, string> = {}) => openEnvironment({ variables })
const requestOf = (given: RelayAnswers, over: Partial<RelaySetupRequest>): RelaySetupRequest => ({
  given,
  prefix: at(),
  surroundings: surroundings(),
  ...SETUP_DEFAULTS,
  isUnattended: true,
  width: undefined,
  ...printers,
  ...over,
})
const setup = (given: RelayAnswers, over: Partial<RelaySetupRequest> = {}) => setupRelay(requestOf(given, over))
const reconfigure = (given: RelayAnswers) => setup(given, { reconfigure: true })

const text = (...parts: string[]) => readFileSync(at(...parts), 'utf8')
const mode = (...parts: string[]) => (statSync(at(...parts)).mode & 0o777).toString(8)
/** What the file sets, line by line. */
const set = () =>
  text('relay.toml')
    .split('\n')
    .filter((line) => /^\w+ = /.test(line))
const config = (path = at('relay.toml')) =>
  loadRelayConfig({
    environment: openEnvironment({ variables: {} }),
    file: { path, text: readFileSync(path, 'utf8') },
  })
const everything = () => (existsSync(at()) ? readdirSync(at(), { recursive: true }).sort() : [])
const UNIT = ['systemd', 'grinpay-relay.service']

describe('a relay by default', () => {
  test('sets its address, its place and nothing else', async () => {
    await setup(ANSWERS)
    expect(set()).toEqual([
      'relay_url = ["wss://relay.example"]',
      'address = "127.0.0.1"',
      'port = 7777',
      `data_directory = "${at('relay', 'data')}"`,
    ])
    expect(config()).toMatchObject({ names: undefined, retention: undefined, admins: [], notices: [] })
  })

  test('writes settings that the user of the unit can read, and a folder that other users cannot', async () => {
    await setup(ANSWERS)
    expect([mode('relay.toml'), mode('relay', 'data'), mode(...UNIT)]).toEqual(['644', '700', '644'])
    expect(existsSync(at('relay', 'secrets'))).toBe(false)
    expect(text(...UNIT)).toContain(`serve relay --settings ${at('relay.toml')} --db ${at('relay', 'data')}\n`)
  })

  test('has a site for the proxy, and the last screen tells how the proxy learns of it', async () => {
    await setup({ ...ANSWERS, proxy: 'caddy' })
    expect(text('relay.Caddyfile')).toMatch(/^relay\.example \{/m)
    expect(printed.output).toContain(`import ${at('relay.Caddyfile')}`)
    expect(printed.output).toContain('grinpay doctor --daemon relay')
  })

  test('asks nine things of a person who takes every default', () => {
    const asked = rowsOf(RELAY_QUESTIONS).filter(
      ([, { asked, applies }]) => asked !== false && applies?.({ authority: 'none' }) !== false,
    )
    expect(asked.map(([key]) => key)).toEqual([
      'relay_url',
      'bind',
      'data_dir',
      'authority',
      'profile',
      'private_wraps',
      'keep_days',
      'admins',
      'proxy',
    ])
  })
})

describe('answers', () => {
  test('a host alone stands for its usual address', async () => {
    await setup({ ...ANSWERS, relay_url: 'relay.example/' })
    expect(config().relay.info.relayUrls).toEqual(['wss://relay.example'])
  })

  test('names in this process are those of the host by default', async () => {
    await setup({ ...ANSWERS, authority: 'in-process' })
    expect(config()).toMatchObject({
      authority: { mode: 'in-process' },
      names: { domain: 'relay.example', baseUrl: 'https://relay.example' },
    })
  })

  test('an authority beside gets everything that is asked here, one elsewhere the document alone', async () => {
    await setup({ ...ANSWERS, authority: 'beside' })
    expect(config().authority).toEqual({ mode: 'upstream', upstream: 'http://127.0.0.1:8191', colocated: true })
    await reconfigure({ authority: 'elsewhere', authority_url: 'https://names.example/' })
    expect(config().authority).toEqual({ mode: 'upstream', upstream: 'https://names.example', colocated: false })
    await reconfigure({ authority: 'none' })
    expect(config().authority.mode).toBe('off')
  })

  test('writers, private gift wraps, retention and managers', async () => {
    await setup({
      ...ANSWERS,
      note_authors: alice,
      private_wraps: 'y',
      keep_days: '365',
      admins: alice,
      name: 'Reading',
    })
    expect(config()).toMatchObject({
      policy: { authors: [alice] },
      relay: { auth: { enabled: true, giftWrapsToRecipient: true }, info: { name: 'Reading' } },
      retention: { days: 365 },
      admins: [alice],
    })
  })

  test('payments only, members or everybody: three settings, and back again', async () => {
    await setup({ ...ANSWERS, profile: 'everybody' })
    expect(set()).toEqual(
      expect.arrayContaining([
        'public_note_authors = "everyone"',
        'event_kind_allowlist = "all"',
        'reject_past_seconds = 0',
      ]),
    )
    expect(config()).toMatchObject({
      policy: { authors: 'everyone', kinds: [{ first: 0, last: 65_535 }] },
      notices: [{ text: expect.stringContaining('limits.events_per_min_per_connection is not set') }],
    })
    expect(printed.output).toContain('limits.events_per_min_per_connection')
    await reconfigure({ profile: 'Members', note_authors: alice })
    expect(config().policy).toMatchObject({ authors: [alice], kinds: expect.arrayContaining([1059]) })
    expect(config().relay.limits.rejectPastSeconds).toBe(94_608_000)
    await reconfigure({ profile: 'payments' })
    expect(config().policy.authors).toEqual([])
    expect(text('relay.toml')).not.toMatch(/^(public_note_authors|event_kind_allowlist|reject_past_seconds) =/m)
  })

  test('a reconfiguration starts with the present profile, and keeps kinds and bounds that were set by hand', async () => {
    const present = async () => {
      const { surveyRelay } = await import('../../../src/wizard/relay/survey.js')
      const { profile, note_authors } = surveyRelay(at('relay.toml')).present
      return [profile, note_authors]
    }
    await setup(ANSWERS)
    expect(await present()).toEqual(['payments', undefined])
    const byHand = (kinds: string, past: number) =>
      writeFileSync(
        at('relay.toml'),
        `${text('relay.toml')}`
          .replace(/^#?event_kind_allowlist = .*$/m, `event_kind_allowlist = ${kinds}`)
          .replace(/^#?reject_past_seconds = .*$/m, `reject_past_seconds = ${past}`),
      )
    byHand('[0, 1, 1059, "20000-29999"]', 172_800)
    await reconfigure({ profile: 'members', note_authors: alice })
    expect(await present()).toEqual(['members', alice])
    expect(text('relay.toml')).toContain('event_kind_allowlist = [0, 1, 1059, "20000-29999"]\n')
    await reconfigure({ profile: 'everybody' })
    expect(await present()).toEqual(['everybody', undefined])
    byHand('["0-29999"]', 172_800)
    await reconfigure({ keep_days: '30' })
    expect(await present()).toEqual(['everybody', undefined])
    expect(config().policy.kinds).toEqual([{ first: 0, last: 29_999 }])
    await reconfigure({ profile: 'payments' })
    expect(config().policy.kinds).toEqual([{ first: 0, last: 29_999 }])
    expect(config().relay.limits.rejectPastSeconds).toBe(172_800)
  })

  test('note authors without a profile are members, as answers of before have it; no authors are payments only', async () => {
    await setup({ ...ANSWERS, note_authors: alice })
    expect(config().policy.authors).toEqual([alice])
    await reconfigure({ note_authors: 'none' })
    expect(config().policy.authors).toEqual([])
  })

  test.each<[string, RelayAnswers, RegExp]>([
    ['a fourth profile', { ...ANSWERS, profile: 'friends' }, /"profile" must be payments, members or everybody/],
    ['members without a list', { ...ANSWERS, profile: 'members' }, /"note_authors" is missing/],
    [
      'members by the name of no one',
      { ...ANSWERS, profile: 'members', note_authors: 'none' },
      /"note_authors" has "none", which must be an npub/,
    ],
    [
      'a list of authors for everybody',
      { ...ANSWERS, profile: 'everybody', note_authors: alice },
      /"note_authors" does not go with/,
    ],
    ['an address of another kind', { relay_url: 'ftp://relay.example' }, /"relay_url" must begin with wss/],
    ['no address', { authority: 'none' }, /"relay_url" is missing/],
    ['a listener without port', { ...ANSWERS, bind: 'here' }, /"bind" must be host:port \(got "here"\)/],
    ['a key that is none', { ...ANSWERS, admins: 'npub1x' }, /"admins" has "npub1x", which must be an npub/],
    ['days that are none', { ...ANSWERS, keep_days: 'few' }, /"keep_days" must be/],
    ['a fourth place for names', { ...ANSWERS, authority: 'above' }, /"authority" must be none, in-process, beside/],
    ['an address that does not go with the rest', { ...ANSWERS, authority_url: 'http://x' }, /does not go with/],
    ['names elsewhere without an address', { ...ANSWERS, authority: 'elsewhere' }, /"authority_url" is missing/],
    ['a folder that a unit cannot name', { ...ANSWERS, data_dir: '/my data' }, /"data_dir" must be a path without/],
    ['an unknown proxy', { ...ANSWERS, proxy: 'apache' }, /"proxy" must be caddy, nginx or none/],
  ])('%s is refused and nothing is written', async (_name, given, refusal) => {
    await expect(setup(given)).rejects.toThrow(refusal)
    expect(everything()).toEqual([])
  })

  test('a proxy needs an address that a proxy can serve', async () => {
    await expect(setup({ ...ANSWERS, relay_url: 'ws://relay.example', proxy: 'nginx' })).rejects.toMatchObject({
      code: 'NOT_FOR_PROXY',
    })
    expect(everything()).toEqual([])
  })
})

describe('a relay that is there', () => {
  test('is left alone unless --reconfigure says so', async () => {
    await setup(ANSWERS)
    const before = text('relay.toml')
    await setup({ ...ANSWERS, bind: '127.0.0.1:9999' })
    expect(text('relay.toml')).toBe(before)
    expect(printed.output).toContain(`grinpay setup relay --reconfigure --prefix ${at()}`)
  })

  test('shows old and new of each setting that changes, and how to restart', async () => {
    await setup(ANSWERS)
    forget()
    await reconfigure({ bind: '127.0.0.1:9999' })
    expect(printed.dialogue.split('\n').filter((line) => line.startsWith('  change'))).toEqual([
      '  change   network.port  7777 -> 9999',
    ])
    expect(printed.output).toContain(
      'Restart; one that runs has the old settings until then:\n  grinpay serve relay --settings',
    )
  })

  test('keeps every other setting, and a second time nothing changes', async () => {
    mkdirSync(at())
    writeFileSync(
      at('relay.toml'),
      '[limits]\nmax_limit = 700\n[info]\nrelay_url = "wss://old.example"\ncontact = "x"\n',
    )
    await reconfigure({ keep_days: '30', authority: 'none' })
    expect(config()).toMatchObject({
      relay: { limits: { maxLimit: 700 }, info: { relayUrls: ['wss://old.example'], contact: 'x' } },
      retention: { days: 30 },
    })
    const before = text('relay.toml')
    await reconfigure({})
    expect(text('relay.toml')).toBe(before)
  })

  test('a secret among its settings gets a file of its own, which the unit hands over', async () => {
    mkdirSync(at())
    const settings = [
      '[info]\nrelay_url = "wss://names.example"',
      '[name_authority]\nenabled = true\ndomain = "names.example"\nbase_url = "https://names.example"',
      '[pay]\npay_mode = "name"\nurl = "http://127.0.0.1:8080"\napi_token = "pay_live_open_sesame"',
    ]
    writeFileSync(at('relay.toml'), `${settings.join('\n')}\n`)
    await reconfigure({})
    const file = at('relay', 'secrets', 'pay_api_token')
    expect(text('relay.toml') + text(...UNIT) + printed.output + printed.dialogue).not.toContain('sesame')
    expect([readFileSync(file, 'utf8'), mode('relay', 'secrets', 'pay_api_token')]).toEqual([
      'pay_live_open_sesame\n',
      '600',
    ])
    expect(text(...UNIT)).toContain(`LoadCredential=relay_pay_api_token:${file}\n`)
    expect(config().names?.pay?.token.reveal()).toBe('pay_live_open_sesame')
  })

  test('leaves unit and proxy alone that were changed by hand, and says so', async () => {
    await setup({ relay_url: 'wss://relay.example', proxy: 'nginx' })
    const site = at('relay.nginx.conf')
    const own = { [at(...UNIT)]: 'RestartSec=9\n', [site]: '# mine\n' }
    for (const [path, line] of Object.entries(own)) writeFileSync(path, line + readFileSync(path, 'utf8'))
    await reconfigure({ keep_days: '30', proxy: 'nginx' })
    for (const [path, line] of Object.entries(own)) {
      expect(readFileSync(path, 'utf8').startsWith(line)).toBe(true)
      expect(printed.dialogue).toContain(`keep     ${path}: changed by hand`)
    }
    expect(printed.dialogue).toContain(
      `grinpay proxy install --kind nginx --daemon relay --settings ${at('relay.toml')} --to ${site}`,
    )
    rmSync(at(...UNIT))
    writeFileSync(at('systemd', 'grinpay-relay.socket'), '[Socket]\n')
    await reconfigure({})
    expect(text(...UNIT)).toContain('\nRequires=grinpay-relay.socket\n')
  })

  test('one that would not start is reported before the first question', async () => {
    mkdirSync(at())
    writeFileSync(at('relay.toml'), '[limits]\nmax_limits = 7\n')
    await expect(reconfigure({})).rejects.toThrow('did you mean limits.max_limit?')
    expect(text('relay.toml')).toBe('[limits]\nmax_limits = 7\n')
  })

  test('there is nothing to reconfigure where nothing is', async () => {
    await expect(reconfigure({})).rejects.toMatchObject({ code: 'NOTHING_TO_RECONFIGURE' })
  })
})

test('a dry run shows the plan and changes nothing', async () => {
  await setup({ ...ANSWERS, proxy: 'nginx' }, { dryRun: true })
  expect(printed.dialogue).toContain(`write    ${at('relay.toml')}  0644  the settings`)
  expect(printed.dialogue).toContain(`write    ${at('relay.nginx.conf')}  0644  the site for nginx`)
  expect(everything()).toEqual([])
})

test('when a step fails, what was made before is gone again', async () => {
  mkdirSync(at())
  writeFileSync(at('systemd'), 'in the way')
  await expect(setup(ANSWERS)).rejects.toMatchObject({ code: 'SETUP_FAILED' })
  expect(everything()).toEqual(['systemd'])
})

test('no terminal and no answers is an error that names the flags', async () => {
  await expect(setup({}, { isUnattended: false })).rejects.toMatchObject({
    code: 'ANSWERS_WRONG',
    message: expect.stringContaining('--answers FILE'),
  })
})

test('a file that the environment names gets neither unit nor proxy', async () => {
  mkdirSync(at())
  const file = at('mine.toml')
  await setup(
    { ...ANSWERS, data_dir: at('data') },
    { prefix: undefined, surroundings: surroundings({ RELAY_CONFIG_FILE: file }) },
  )
  expect(everything()).toEqual(['data', 'mine.toml'])
})

describe('looks at the world', () => {
  const looked = (given: RelayAnswers) =>
    setup({ ...ANSWERS, relay_url: 'ws://127.0.0.1:9', ...given }, { skipChecks: false, dryRun: true })

  test('a port that is taken is a warning, and the plan goes on', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : 0
    await looked({ bind: `127.0.0.1:${port}` })
    server.close()
    expect(printed.dialogue).toContain(`warning: cannot listen on 127.0.0.1:${port} now (EADDRINUSE)`)
    expect(printed.dialogue).toContain('Plan:')
  })

  test('a host without certificate', async () => {
    const url = await serving((_request, answer) => answer.end())
    await looked({ relay_url: url.replace('http:', 'wss:') })
    expect(printed.dialogue).toMatch(/warning: nothing answers with a good certificate at 127\.0\.0\.1:\d+ yet/)
  })

  test.each([
    ['that is well', '{"names":{}}', 'answers, and serves names'],
    ['without names', '<html>', 'serves no names: 200'],
  ])('a name authority %s', async (_name, document, verdict) => {
    const url = await serving(({ url: path }, answer) => answer.end(path === '/api/v1/health' ? 'ok' : document))
    await looked({ authority: 'beside', authority_url: url })
    expect(printed.dialogue).toContain(`name authority ${url} ${verdict}`)
  })

  test('something else at the place of the authority', async () => {
    const url = await serving((_request, answer) => answer.writeHead(404).end('hello'))
    await looked({ authority: 'beside', authority_url: url })
    expect(printed.dialogue).toContain(`warning: ${url} answers 404, but not as a name authority does`)
  })
})

describe('the first start by hand', () => {
  const person = (goesOn: boolean): SetupTerminal<RelayKey> => ({
    ask: async (_questions, { given }) => ({
      answers: { ...given, ...ANSWERS, data_dir: at('data') },
      typed: new Map(),
    }),
    goOn: async () => goesOn,
  })
  const start = (terminal: SetupTerminal<RelayKey> | undefined) =>
    firstStartRelay({
      surroundings: surroundings({ RELAY_CONFIG_FILE: at('relay.toml') }),
      terminal,
      skipChecks: true,
      width: undefined,
      say: (line) => {
        printed.dialogue += `${line}\n`
      },
    })

  test('asks, writes the settings and answers the file to start with', async () => {
    expect(await start(person(true))).toEqual({ settings: at('relay.toml') })
    expect(everything()).toEqual(['data', 'relay.toml'])
  })

  test('writes nothing for one who declines, nor without a person', async () => {
    expect([await start(person(false)), await start(undefined)]).toEqual([undefined, undefined])
    expect(everything()).toEqual([])
  })
})

test('a folder that the unit could not pass through is a need', async () => {
  const { surveyRelay } = await import('../../../src/wizard/relay/survey.js')
  mkdirSync(at())
  chmodSync(at(), 0o700)
  expect(surveyRelay(at('relay.toml')).isFolderClosed).toBe(true)
  chmodSync(at(), 0o755)
  expect(surveyRelay(at('relay.toml')).isFolderClosed).toBe(false)
})
