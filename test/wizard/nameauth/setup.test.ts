// Setup of a name authority as a whole, on a real folder: what it writes, what it leaves alone, what it refuses.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadNameauthConfig, openEnvironment } from '../../../src/config/index.js'
import { Secret } from '../../../src/lib/secret.js'
import {
  firstStartNameauth,
  type NameauthAnswers,
  type NameauthKey,
  type NameauthSetupRequest,
  type SetupTerminal,
  setupNameauth,
} from '../../../src/wizard/index.js'
import { rowsOf } from '../../../src/wizard/question.js'
import { SETUP_DEFAULTS, setupFolder } from '../../support/setup-folder.js'

const ANSWERS: NameauthAnswers = { domain: 'names.example' }

const { at, write, printed, forget, printers } = setupFolder('names')

const surroundings = (variables: Record<string, string> = {}) => openEnvironment({ variables })
const requestOf = (given: NameauthAnswers, over: Partial<NameauthSetupRequest>): NameauthSetupRequest => ({
  given,
  prefix: at('names'),
  surroundings: surroundings(),
  ...SETUP_DEFAULTS,
  isUnattended: true,
  width: undefined,
  ...printers,
  ...over,
})
const setup = (given: NameauthAnswers, over: Partial<NameauthSetupRequest> = {}) =>
  setupNameauth(requestOf(given, over))
const ENV = ['names', 'nameauth.env']
const text = (...parts: string[]) => readFileSync(at(...parts), 'utf8')
const env = () =>
  Object.fromEntries(
    text(...ENV)
      .split('\n')
      .filter((line) => /^[A-Z]/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
const config = () => loadNameauthConfig(openEnvironment({ envFile: at(...ENV), variables: {} }))
const mode = (...parts: string[]) => (statSync(at('names', ...parts)).mode & 0o777).toString(8)
const everything = () => (existsSync(at('names')) ? readdirSync(at('names'), { recursive: true }).sort() : [])
const UNIT = ['systemd', 'grinpay-nameauth.service']

describe('a free authority', () => {
  test('is exactly the written keys of the specification', async () => {
    await setup(ANSWERS)
    expect(env()).toEqual({
      NAMEAUTH_DOMAIN: 'names.example',
      NAMEAUTH_BASE_URL: 'https://names.example',
      NAMEAUTH_RELAYS: 'wss://names.example',
      NAMEAUTH_NAMES_BIND: '127.0.0.1:8191',
      NAMEAUTH_NAMES_DB: at('names', 'nameauth', 'data', 'names.db'),
      NAMEAUTH_PAY_MODE: 'off',
    })
    expect(config()).toMatchObject({ domain: 'names.example', sale: undefined, transfers: undefined, notices: [] })
  })

  test('is closed to others, and has no folder for secrets', async () => {
    await setup(ANSWERS)
    expect([mode('nameauth.env'), mode('nameauth', 'data'), mode(...UNIT)]).toEqual(['600', '700', '644'])
    expect(existsSync(at('names', 'nameauth', 'secrets'))).toBe(false)
  })

  test('ends with what to type, the proxy and how to see that it works', async () => {
    await setup(ANSWERS)
    expect(printed.output).toContain(`grinpay serve nameauth --settings ${at(...ENV)}`)
    expect(printed.output).toMatch(
      /grinpay proxy print --kind (?:caddy|nginx) --daemon nameauth --settings .*nameauth\.env/,
    )
    expect(printed.output).toContain("curl 'https://names.example/.well-known/nostr.json?name=alice'")
    expect(printed.output).not.toContain('Webhook')
  })
})

describe('a paid authority', () => {
  const paid = (over: NameauthAnswers = {}): NameauthAnswers => ({
    ...ANSWERS,
    pay_mode: 'name',
    price_grin: '1.5',
    pay_token_file: write('token', 'pay_live_open_sesame\n'),
    ...over,
  })

  test('keeps its token in a file, never in the settings', async () => {
    await setup(paid())
    const file = at('names', 'nameauth', 'secrets', 'pay_token')
    expect(env()).toMatchObject({
      NAMEAUTH_PAY_MODE: 'name',
      NAMEAUTH_NAME_PRICE_GRIN: '1.5',
      NAMEAUTH_PAY_URL: expect.stringMatching(/^http:/),
      NAMEAUTH_PAY_TOKEN_FILE: file,
    })
    expect(env()).not.toHaveProperty('NAMEAUTH_WRITE_PRICE_GRIN')
    expect(env()).not.toHaveProperty('NAMEAUTH_PAY_WEBHOOK_SECRET_FILE')
    expect(readFileSync(file, 'utf8')).toBe('pay_live_open_sesame\n')
    expect([mode('nameauth', 'secrets'), mode('nameauth', 'secrets', 'pay_token')]).toEqual(['700', '600'])
    expect(text(...ENV) + text('names', ...UNIT) + printed.output + printed.dialogue).not.toContain('sesame')
    expect(config().pay?.token.reveal()).toBe('pay_live_open_sesame')
  })

  test('sells the right to write for the price of that mode', async () => {
    await setup(paid({ pay_mode: 'write' }))
    expect(env().NAMEAUTH_WRITE_PRICE_GRIN).toBe('1.5')
    expect(env()).not.toHaveProperty('NAMEAUTH_NAME_PRICE_GRIN')
    expect(config().sale).toEqual({ resource: 'write', priceGrin: '1.5' })
  })

  test('takes webhooks when it knows their secret, and says where', async () => {
    await setup(paid({ pay_webhook_secret_file: write('hook', '  whsec_open_sesame  \n') }))
    expect(text('names', 'nameauth', 'secrets', 'pay_webhook_secret')).toBe('whsec_open_sesame\n')
    expect(config().webhookSecret?.reveal()).toBe('whsec_open_sesame')
    expect(printed.output).toContain('https://names.example/api/v1/pay/webhook')
  })

  test('the unit hands both secrets over as credentials', async () => {
    await setup(paid({ pay_webhook_secret_file: write('hook', 'whsec_open_sesame') }))
    const unit = text('names', ...UNIT).split('\n')
    const folder = at('names', 'nameauth', 'secrets')
    expect(unit).toContain(`LoadCredential=nameauth_pay_token:${folder}/pay_token`)
    expect(unit).toContain(`LoadCredential=nameauth_pay_webhook_secret:${folder}/pay_webhook_secret`)
  })

  test('may get its token later: it starts, the plan says so, and the start and config check say what is missing', async () => {
    await setup({ ...ANSWERS, pay_mode: 'name' })
    const file = at('names', 'nameauth', 'secrets', 'pay_token')
    expect(env().NAMEAUTH_PAY_TOKEN_FILE).toBe(file)
    expect([readFileSync(file, 'utf8'), mode('nameauth', 'secrets', 'pay_token')]).toEqual([
      'put-the-api-token-of-the-till-here\n',
      '600',
    ])
    expect(
      config()
        .notices.map(({ text: said }) => said)
        .join(),
    ).toContain('nothing can be bought until the token')
    for (const shown of [printed.dialogue, printed.output])
      expect(shown).toContain(`the API token of the till in ${file}`)
  })

  test('a token that is put there stays, and one that is not there is asked for again', async () => {
    await setup({ ...ANSWERS, pay_mode: 'name' })
    const file = at('names', 'nameauth', 'secrets', 'pay_token')
    printed.dialogue = ''
    await setup({}, { reconfigure: true })
    expect(printed.dialogue).toContain(`the API token of the till in ${file}`)
    writeFileSync(file, 'pay_live_open_sesame\n')
    await setup({}, { reconfigure: true })
    expect(config()).toMatchObject({ notices: [] })
    expect(config().pay?.token.reveal()).toBe('pay_live_open_sesame')
  })

  test('whatever is left out, what was written starts', async () => {
    for (const pay_mode of ['off', 'name', 'write'])
      for (const transfers of ['no', 'yes']) {
        await setup(
          { domain: `${pay_mode}-${transfers}.example`, pay_mode, transfers },
          { reconfigure: existsSync(at(...ENV)) },
        )
        expect(config()).toMatchObject({ domain: `${pay_mode}-${transfers}.example` })
      }
  })

  test.each([
    ['two lines', 'one\ntwo\n'],
    ['nothing', ' \n'],
    ['a control character', 'a\u0001b'],
  ])('a secret file with %s is refused', async (_what, content) => {
    await expect(setup(paid({ pay_token_file: write('bad', content) }))).rejects.toMatchObject({
      code: 'ANSWERS_UNREADABLE',
    })
    expect(everything()).toEqual([])
  })

  test('both secrets cannot be stdin', async () => {
    await expect(setup(paid({ pay_token_file: '-', pay_webhook_secret_file: '-' }))).rejects.toThrow('stdin')
  })
})

test('sales of names need a node, and nothing of them is written without', async () => {
  await setup({ ...ANSWERS, transfers: 'yes', node_url: 'https://node.example/v2/foreign' })
  expect(env()).toMatchObject({
    NAMEAUTH_TRANSFERS: 'true',
    NAMEAUTH_GRIN_NODE_URL: 'https://node.example/v2/foreign',
  })
  expect(config().transfers?.nodeUrls).toEqual(['https://node.example/v2/foreign'])
})

describe('nothing is written', () => {
  test('in a dry run, which shows the same plan', async () => {
    const given = { ...ANSWERS, pay_mode: 'name', pay_token_file: write('token', 'open-sesame-open-sesame') }
    await setup(given, { dryRun: true })
    const planned = printed.dialogue.split('\n').filter((line) => /^ {2}\w/.test(line))
    expect(planned.length).toBeGreaterThan(5)
    expect(everything()).toEqual([])
    printed.dialogue = ''
    await setup(given)
    expect(printed.dialogue.split('\n').filter((line) => /^ {2}\w/.test(line))).toEqual(planned)
    const written = planned.filter((line) => line.startsWith('  write')).map((line) => line.split(/\s+/)[2] ?? '')
    const files = everything()
      .map(String)
      .filter((name) => statSync(at('names', name)).isFile())
    expect(files.map((name) => at('names', name)).sort()).toEqual(written.sort())
  })

  test('without a terminal and without answers', async () => {
    await expect(setup({}, { isUnattended: false })).rejects.toMatchObject({ code: 'SETUP_NEEDS_TERMINAL' })
    expect(everything()).toEqual([])
  })

  test('when the person says no, or leaves', async () => {
    await expect(setup(ANSWERS, { terminal: person({ goOn: async () => false }) })).rejects.toMatchObject({
      code: 'SETUP_DECLINED',
    })
    const leaves = person({ goOn: () => Promise.reject(Object.assign(new Error(''), { name: 'ExitPromptError' })) })
    await expect(setup(ANSWERS, { terminal: leaves })).rejects.toMatchObject({ name: 'ExitPromptError' })
    expect(everything()).toEqual([])
  })

  test('when a folder is in the way: what came before is taken back', async () => {
    mkdirSync(at('names', 'nameauth.env'), { recursive: true })
    await expect(setup(ANSWERS)).rejects.toMatchObject({ code: 'ENV_FILE_UNREADABLE' })
    rmSync(at('names'), { recursive: true })
    mkdirSync(at('names', 'systemd', 'grinpay-nameauth.service'), { recursive: true })
    await expect(setup(ANSWERS)).rejects.toMatchObject({ code: 'SETUP_FAILED' })
    expect(everything()).toEqual(['systemd', join('systemd', 'grinpay-nameauth.service')])
  })
})

describe('a configured authority', () => {
  const own = ['NAMEAUTH_NAME_MIN=5', 'MY_OWN=kept', 'NAMEAUTH_NAMES_BIND=127.0.0.1:9000'].join('\n')
  beforeEach(async () => {
    const secrets = {
      pay_token_file: write('token', 'open-sesame-open-sesame'),
      pay_webhook_secret_file: write('hook', 'whsec_xxxxxxxxxxx'),
    }
    await setup({ ...ANSWERS, pay_mode: 'name', ...secrets })
    writeFileSync(at(...ENV), `${text(...ENV)}\n${own}\n`)
    forget()
  })

  test('is left alone, which is no failure', async () => {
    const before = text(...ENV)
    await setup({ domain: 'other.example' }, { isUnattended: false })
    expect(text(...ENV)).toBe(before)
    expect(printed.output).toContain(`already a name authority for names.example, configured by ${at(...ENV)}`)
    expect(printed.dialogue).toBe('')
  })

  test('changes what is said and nothing else', async () => {
    const [before, secret] = [env(), text('names', 'nameauth', 'secrets', 'pay_token')]
    await setup({ price_grin: '3' }, { reconfigure: true })
    expect(env()).toEqual({ ...before, NAMEAUTH_NAME_PRICE_GRIN: '3' })
    expect(env()).toMatchObject({ NAMEAUTH_NAME_MIN: '5', MY_OWN: 'kept', NAMEAUTH_NAMES_BIND: '127.0.0.1:9000' })
    expect(text('names', 'nameauth', 'secrets', 'pay_token')).toBe(secret)
    expect(printed.dialogue).toContain('keep     the API token of the till')
  })

  test('stays byte for byte the same when nothing is said', async () => {
    await setup({}, { reconfigure: true })
    const [settings, unit] = [text(...ENV), text('names', ...UNIT)]
    await setup({}, { reconfigure: true })
    expect([text(...ENV), text('names', ...UNIT)]).toEqual([settings, unit])
  })

  test('leaves a unit alone that was changed by hand, and says so', async () => {
    await setup({}, { reconfigure: true })
    const mine = text('names', ...UNIT).replace('RestartSec=2', 'RestartSec=9')
    writeFileSync(at('names', ...UNIT), mine)
    writeFileSync(at('names', 'systemd', 'grinpay-nameauth.socket'), '[Socket]\n')
    await setup({ price_grin: '3' }, { reconfigure: true })
    expect([text('names', ...UNIT), env().NAMEAUTH_NAME_PRICE_GRIN]).toEqual([mine, '3'])
    expect(printed.dialogue).toContain(`keep     ${at('names', ...UNIT)}: changed by hand`)
    expect(printed.dialogue).toContain('grinpay systemd install --daemon nameauth --settings ')
    rmSync(at('names', ...UNIT))
    await setup({ price_grin: '4' }, { reconfigure: true })
    expect(text('names', ...UNIT)).toContain('\nRequires=grinpay-nameauth.socket\n')
  })

  test('shows old and new of each setting that changes, and how to restart', async () => {
    forget()
    await setup({ price_grin: '3' }, { reconfigure: true })
    expect(printed.dialogue.split('\n').filter((line) => line.startsWith('  change'))).toEqual([
      '  change   NAMEAUTH_NAME_PRICE_GRIN  1 -> 3',
    ])
    expect(printed.output).toContain(
      'Restart; one that runs has the old settings until then:\n  grinpay serve nameauth --settings',
    )
  })

  test('takes another token without showing it', async () => {
    await setup({ pay_token_file: write('token2', 'mellon-mellon-mellon\n') }, { reconfigure: true })
    expect(text('names', 'nameauth', 'secrets', 'pay_token')).toBe('mellon-mellon-mellon\n')
    expect(text(...ENV) + printed.output + printed.dialogue).not.toContain('mellon')
  })

  test('a token that the start would refuse is refused here, and nothing changes', async () => {
    const before = text(...ENV)
    await expect(setup({ pay_token_file: write('token2', 'mellon\n') }, { reconfigure: true })).rejects.toMatchObject({
      code: 'CONFIGURATION',
    })
    expect(text(...ENV)).toBe(before)
  })

  test('names follow the domain: its address and relay go with it', async () => {
    await setup({ domain: 'new.example' }, { reconfigure: true })
    expect(env()).toMatchObject({
      NAMEAUTH_DOMAIN: 'new.example',
      NAMEAUTH_BASE_URL: 'https://new.example',
      NAMEAUTH_RELAYS: 'wss://new.example',
    })
  })

  test('an own address of that host and own relays stay', async () => {
    const mine = text(...ENV)
      .replace('NAMEAUTH_BASE_URL=https://names.example', 'NAMEAUTH_BASE_URL=https://names.example:8443')
      .replace('NAMEAUTH_RELAYS=wss://names.example', 'NAMEAUTH_RELAYS=wss://relay.example')
    writeFileSync(at(...ENV), mine)
    await setup({ price_grin: '3' }, { reconfigure: true })
    expect(env()).toMatchObject({
      NAMEAUTH_BASE_URL: 'https://names.example:8443',
      NAMEAUTH_RELAYS: 'wss://relay.example',
    })
  })

  test('a database with another name stays where it is', async () => {
    writeFileSync(
      at(...ENV),
      text(...ENV).replace(/^NAMEAUTH_NAMES_DB=.*$/m, 'NAMEAUTH_NAMES_DB=/srv/old/authority.db'),
    )
    await setup({ price_grin: '3' }, { reconfigure: true, dryRun: true })
    expect(printed.dialogue).toContain('/srv/old  0700')
    await setup({ data_dir: at('moved') }, { reconfigure: true })
    expect(env().NAMEAUTH_NAMES_DB).toBe(at('moved', 'authority.db'))
  })

  test('that sells nothing any more names neither till nor price', async () => {
    await setup({ pay_mode: 'off' }, { reconfigure: true })
    expect(Object.keys(env()).filter((name) => /PAY_(URL|TOKEN|WEBHOOK)|PRICE/.test(name))).toEqual([])
    expect(config().sale).toBeUndefined()
  })

  test('asks for another mode with the price so far', async () => {
    await setup({ pay_mode: 'write' }, { reconfigure: true })
    expect(env().NAMEAUTH_WRITE_PRICE_GRIN).toBe('1')
    expect(env()).not.toHaveProperty('NAMEAUTH_NAME_PRICE_GRIN')
  })

  test('settings of the originals become ours', async () => {
    const old = ['FLOONET_DOMAIN=old.example', 'FLOONET_BASE_URL=https://old.example', 'FLOONET_PAY_MODE=name']
    const rest = [
      'FLOONET_NAME_PRICE_GRIN=2',
      'GOBLINPAY_URL=http://127.0.0.1:8192',
      'GOBLINPAY_TOKEN=open-sesame-open-sesame',
    ]
    writeFileSync(at(...ENV), [...old, ...rest, 'FLOONET_NAMES_DB=/srv/floonet/names.db'].join('\n'))
    await setup({ data_dir: at('data') }, { reconfigure: true })
    expect(env()).toEqual({
      NAMEAUTH_DOMAIN: 'old.example',
      NAMEAUTH_BASE_URL: 'https://old.example',
      NAMEAUTH_RELAYS: 'wss://old.example',
      NAMEAUTH_NAMES_BIND: '127.0.0.1:8191',
      NAMEAUTH_NAMES_DB: at('data', 'names.db'),
      NAMEAUTH_PAY_MODE: 'name',
      NAMEAUTH_NAME_PRICE_GRIN: '2',
      NAMEAUTH_PAY_URL: 'http://127.0.0.1:8192',
      GOBLINPAY_TOKEN: 'open-sesame-open-sesame',
    })
    expect(config().pay?.token.reveal()).toBe('open-sesame-open-sesame')
  })

  test('cannot be reconfigured where there is none', async () => {
    await expect(setup({}, { reconfigure: true, prefix: at('elsewhere') })).rejects.toMatchObject({
      code: 'NOTHING_TO_RECONFIGURE',
    })
  })
})

/** Answers what is given, types the secrets, and says yes. */
function person(
  over: Partial<SetupTerminal<NameauthKey>> = {},
  typed: Record<string, string> = {},
): SetupTerminal<NameauthKey> {
  const secrets = new Map(Object.entries(typed).map(([key, text]) => [key, new Secret(text)]))
  return {
    ask: async (questions, { given }) => ({
      answers: given,
      typed: new Map(
        rowsOf(questions).flatMap(([key]) => (secrets.has(key) ? [[key, secrets.get(key) as Secret]] : [])),
      ),
    }),
    goOn: async () => true,
    ...over,
  }
}

describe('the first start by hand', () => {
  const answering = (answers: NameauthAnswers): SetupTerminal<NameauthKey> =>
    person({ ask: async () => ({ answers: { data_dir: at('data'), ...answers }, typed: new Map() }) })
  const start = (terminal: SetupTerminal<NameauthKey> | undefined, variables: Record<string, string>) =>
    firstStartNameauth({
      surroundings: surroundings(variables),
      terminal,
      skipChecks: true,
      width: undefined,
      say: (line) => {
        printed.dialogue += `${line}\n`
      },
    })

  test('asks, writes the file that the environment names, and answers it', async () => {
    const file = at('deep', 'er', 'my.env')
    expect(await start(answering(ANSWERS), { NAMEAUTH_ENV_FILE: file })).toEqual({ envFile: file })
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect(loadNameauthConfig(openEnvironment({ envFile: file, variables: {} })).dbPath).toBe(at('data', 'names.db'))
    expect(readdirSync(at('deep', 'er'))).toEqual(['my.env'])
  })

  test('does nothing once it is configured, by that file or by a variable', async () => {
    const file = at('my.env')
    await start(answering(ANSWERS), { NAMEAUTH_ENV_FILE: file })
    const before = readFileSync(file, 'utf8')
    const silentPerson = person({ ask: () => Promise.reject(new Error('must not ask')) })
    expect(await start(silentPerson, { NAMEAUTH_ENV_FILE: file })).toBeUndefined()
    expect(readFileSync(file, 'utf8')).toBe(before)
    const elsewhere = { NAMEAUTH_DOMAIN: 'a.example', NAMEAUTH_ENV_FILE: at('other.env') }
    expect(await start(silentPerson, elsewhere)).toBeUndefined()
    expect(existsSync(at('other.env'))).toBe(false)
  })

  test('does nothing without a terminal', async () => {
    expect(await start(undefined, { NAMEAUTH_ENV_FILE: at('my.env') })).toBeUndefined()
    expect(readdirSync(at())).toEqual([])
  })

  test('keeps what stands in the file already', async () => {
    const file = write('my.env', 'OTHER=1\nNAMEAUTH_NAME_MAX=12\n')
    await start(answering(ANSWERS), { NAMEAUTH_ENV_FILE: file })
    const lines = readFileSync(file, 'utf8').split('\n')
    expect(lines).toEqual(expect.arrayContaining(['OTHER=1', 'NAMEAUTH_NAME_MAX=12', 'NAMEAUTH_DOMAIN=names.example']))
  })

  test('does not begin when a line of the file could not be written again', async () => {
    const file = write('my.env', 'OTHER=a"b\n')
    const silentPerson = person({ ask: () => Promise.reject(new Error('must not ask')) })
    await expect(start(silentPerson, { NAMEAUTH_ENV_FILE: file })).rejects.toThrow('OTHER must not contain quotes')
    expect(readFileSync(file, 'utf8')).toBe('OTHER=a"b\n')
  })

  test('writes nothing when the domain was never said', async () => {
    await expect(start(answering({}), { NAMEAUTH_ENV_FILE: at('my.env') })).rejects.toThrow('"domain" is missing')
    expect(readdirSync(at())).toEqual([])
  })

  test('secrets that were typed are kept like those from a file', async () => {
    const file = at('my.env')
    const terminal = person({
      ask: async (questions) => ({
        answers: { ...ANSWERS, data_dir: at('data'), pay_mode: 'name' },
        typed: new Map(
          rowsOf(questions).flatMap(([key, { secret }]) => (secret ? [[key, new Secret(`typed ${key}`)]] : [])),
        ),
      }),
    })
    await start(terminal, { NAMEAUTH_ENV_FILE: file })
    expect(text('nameauth', 'secrets', 'pay_token')).toBe('typed pay_token_file\n')
    expect(text('nameauth', 'secrets', 'pay_webhook_secret')).toBe('typed pay_webhook_secret_file\n')
    expect(readFileSync(file, 'utf8')).not.toContain('typed')
  })
})
