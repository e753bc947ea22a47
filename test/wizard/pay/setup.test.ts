// Setup as a whole, on a real folder: what it writes, what it leaves alone, what it refuses.
import { createCipheriv, pbkdf2Sync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'dotenv'
import { beforeEach, describe, expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../../src/config/index.js'
import { mnemonicFromEntropy } from '../../../src/grin/keychain/index.js'
import { openSeed } from '../../../src/grin/seedfile/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { Secret } from '../../../src/lib/secret.js'
import { systemRandom } from '../../../src/system/index.js'
import {
  exportWords,
  type PayAnswers,
  restoreWallet,
  type SetupRequest,
  setupPay,
  type Terminal,
} from '../../../src/wizard/index.js'
import { SETUP_DEFAULTS, setupFolder } from '../../support/setup-folder.js'

const WORDS = 'enjoy mean nation pudding west exchange coach spring fitness bring current laugh'
/** The least the seed file allows: tests need no protection. */
const CHEAP = { N: 2 ** 14, r: 8, p: 1 }
const ANSWERS: PayAnswers = { public_url: 'https://pay.shop.example/' }
const ONION = `${'a'.repeat(56)}.onion`

const { at, write, printed, forget, printers } = setupFolder('setup')

const requestOf = (over: Partial<SetupRequest> & { readonly given: PayAnswers }): SetupRequest => ({
  prefix: at('till'),
  ...SETUP_DEFAULTS,
  rotateTokens: false,
  random: systemRandom,
  sealCost: CHEAP,
  canShowWords: false,
  ...printers,
  ...over,
})
const setup = (given: PayAnswers, over: Partial<SetupRequest> = {}) => setupPay(requestOf({ given, ...over }))
const env = () => parse(readFileSync(at('till', 'pay.env'), 'utf8'))
const config = () => loadPayConfig(openEnvironment({ envFile: at('till', 'pay.env'), variables: {} }))
const mode = (...parts: string[]) => (statSync(at('till', ...parts)).mode & 0o777).toString(8)
const everything = () => (existsSync(at('till')) ? readdirSync(at('till'), { recursive: true }).sort() : [])

const person = (over: Partial<Terminal> = {}): Terminal & { shown: Secret[] } => {
  const shown: Secret[] = []
  return {
    shown,
    ask: async (_, { given }) => ({ answers: given, typed: new Map() }),
    newPassword: async () => new Secret('chosen'),
    password: async () => new Secret('chosen'),
    words: async () => undefined,
    showWords: async (words) => void shown.push(words),
    goOn: async () => true,
    ...over,
  }
}

describe('a till with values that setup would not take today', () => {
  beforeEach(async () => {
    await setup({ ...ANSWERS, words_out: at('words') })
    const text = readFileSync(at('till', 'pay.env'), 'utf8')
      .replace(/^PAY_PUBLIC_URL=.*$/m, 'PAY_PUBLIC_URL=http://pay.shop.example')
      .replace(
        /^#? ?PAY_RATE_CURRENCIES=.*$/m,
        'PAY_RATE_CURRENCIES=usd,usdt\nPAY_RATE_SOURCE=fixed:usd=0.05,usdt=0.05',
      )
    writeFileSync(at('till', 'pay.env'), text)
  })
  const kept = () => [env().PAY_PUBLIC_URL, env().PAY_RATE_CURRENCIES, env().PAY_NODE_URL]

  test('is changed by command, and keeps them', async () => {
    await setup({ node_url: 'https://node.example' }, { reconfigure: true })
    expect(kept()).toEqual(['http://pay.shop.example', 'usd,usdt', 'https://node.example'])
  })

  test('also where the same values are said again', async () => {
    const given = { public_url: 'http://pay.shop.example', currencies: 'usd,usdt', node_url: 'https://node.example' }
    await setup(given, { reconfigure: true })
    expect(kept()).toEqual(['http://pay.shop.example', 'usd,usdt', 'https://node.example'])
  })

  test('takes no new ones like them', async () => {
    await expect(setup({ public_url: 'http://other.shop.example' }, { reconfigure: true })).rejects.toThrow(
      'must begin with https://',
    )
    await expect(setup({ currencies: 'usd,dollars' }, { reconfigure: true })).rejects.toThrow('"dollars" is none')
  })
})

describe('a new till', () => {
  test('has settings that load, a wallet that opens and files closed to others', async () => {
    await setup({ ...ANSWERS, words_out: at('words') })
    const { walletPassword, chain, dataDir, publicUrl, apiToken, webhooks } = config()
    expect({ chain, publicUrl, webhooks }).toEqual({
      chain: 'mainnet',
      publicUrl: 'https://pay.shop.example',
      webhooks: [],
    })
    expect(apiToken?.reveal()).toMatch(/^pay_live_[0-9a-f]{64}$/)
    expect(env().PAY_ADMIN_TOKEN).toMatch(/^pay_admin_[0-9a-f]{64}$/)
    expect(env().PAY_WEBHOOK_SECRET).toMatch(/^whsec_[0-9a-f]{64}$/)
    const sealed = readFileSync(join(dataDir, 'wallet', 'seed.json'), 'utf8')
    const entropy = await openSeed(sealed, walletPassword ?? new Secret(''), 'mainnet')
    expect(readFileSync(at('words'), 'utf8')).toBe(`${mnemonicFromEntropy(entropy.reveal())}\n`)
    expect([mode(), mode('secrets'), mode('data', 'wallet'), mode('data', 'nostr')]).toEqual([
      '700',
      '700',
      '700',
      '700',
    ])
    expect([mode('pay.env'), mode('secrets', 'wallet_password')]).toEqual(['640', '400'])
    expect([mode('data', 'wallet', 'seed.json'), mode('data', 'nostr', 'identity.json')]).toEqual(['600', '600'])
    expect((statSync(at('words')).mode & 0o777).toString(8)).toBe('600')
  })

  test('ends with the three values for the shop and what to type next', async () => {
    await setup({ ...ANSWERS, shop: 'woocommerce', shop_url: 'https://shop.example', words_out: at('words') })
    expect(printed.output).toContain('https://pay.shop.example')
    expect(printed.output).toContain(env().PAY_API_TOKEN)
    expect(printed.output).toContain(env().PAY_WEBHOOK_SECRET)
    expect(printed.output).toContain('https://shop.example/wp-json/goblinpay/v1/webhook')
    expect(printed.output).toContain(`grinpay serve pay --settings ${at('till', 'pay.env')}`)
  })

  test('neither words nor password appear in anything printed when words go to a file', async () => {
    await setup({ ...ANSWERS, words_out: at('words'), password_file: write('pw', 'correct horse battery\n') })
    const words = readFileSync(at('words'), 'utf8').trim()
    expect(printed.output + printed.dialogue).not.toContain(words)
    expect(printed.output + printed.dialogue).not.toContain('correct horse battery')
    expect(readFileSync(at('till', 'pay.env'), 'utf8')).not.toContain('correct horse battery')
  })

  test('existing words are never printed again', async () => {
    await setup({ ...ANSWERS, mnemonic_file: write('mnemonic', `${WORDS}\n`) })
    expect(printed.output + printed.dialogue).not.toContain('enjoy')
  })

  test('a manual till keeps no password anywhere', async () => {
    await setup({
      ...ANSWERS,
      restart: 'manual',
      words_out: at('words'),
      password_file: write('pw', 'typed by hand\n'),
    })
    expect(existsSync(at('till', 'secrets', 'wallet_password'))).toBe(false)
    const dropIn = readFileSync(at('till', 'systemd', 'grinpay-pay.service.d', 'password.conf'), 'utf8')
    expect(dropIn).toContain('LoadCredential=pay_wallet_password:/run/grinpay/wallet_password')
  })

  test('the unit starts our program with this env file', async () => {
    await setup({ ...ANSWERS, words_out: at('words') })
    const unit = readFileSync(at('till', 'systemd', 'grinpay-pay.service'), 'utf8')
    expect(unit).toContain(
      `ExecStart=/usr/bin/node /opt/grinpay/bin/run.js serve pay --settings \${CREDENTIALS_DIRECTORY}/pay.env\n`,
    )
    expect(unit).toContain(`LoadCredential=pay.env:${at('till', 'pay.env')}\n`)
    expect(unit).toContain('NotifyAccess=all\n')
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute/m)
  })
})

describe('relays and tor', () => {
  const unit = () => readFileSync(at('till', 'systemd', 'grinpay-pay.service'), 'utf8')
  const GRIN1: PayAnswers = { ...ANSWERS, grin1: 'yes' }
  const withWords = (answers: PayAnswers): PayAnswers => ({ ...answers, words_out: at('words') })

  test('a till gets public relays and leaves tor alone', async () => {
    await setup(withWords(ANSWERS))
    expect(env()).toMatchObject({
      PAY_RELAY_MODE: 'external',
      PAY_RELAYS: 'wss://relay.floonet.dev,wss://offchain.pub',
    })
    expect(env().PAY_GRIN1_RAIL).toBeUndefined()
    expect(unit()).not.toContain('SupplementaryGroups')
    expect(printed.dialogue + printed.output).not.toContain('apt install tor')
    expect(printed.output).toContain('grinpay doctor')
  })

  test('the grin1 rail says what it needs of tor, in the plan and at the end', async () => {
    await setup(withWords(GRIN1))
    expect(env()).toMatchObject({ PAY_GRIN1_RAIL: 'on', PAY_TOR_CONTROL: 'unix:/run/tor/control' })
    expect(unit()).toContain('\nSupplementaryGroups=debian-tor\n')
    for (const text of [printed.dialogue, printed.output])
      for (const need of ['apt install tor', '/run/tor/control', 'debian-tor']) expect(text).toContain(need)
    expect(config()).toMatchObject({ grin1Rail: true, torControl: { path: '/run/tor/control' } })
  })

  test('a reconfiguration keeps both answers until another one is given', async () => {
    await setup(withWords({ ...GRIN1, relays: 'wss://relay.shop.example' }))
    await setup({ bind: '127.0.0.1:9999' }, { reconfigure: true })
    expect(env()).toMatchObject({ PAY_GRIN1_RAIL: 'on', PAY_RELAYS: 'wss://relay.shop.example' })
    await setup({ grin1: 'no', relays: 'wss://a.example,wss://b.example' }, { reconfigure: true })
    expect(env().PAY_GRIN1_RAIL).toBeUndefined()
    expect(env().PAY_RELAYS).toBe('wss://a.example,wss://b.example')
    expect(unit()).not.toContain('SupplementaryGroups')
  })

  test('an own relay stays the only one when it was', async () => {
    await setup(withWords(ANSWERS))
    const path = at('till', 'pay.env')
    const own = readFileSync(path, 'utf8')
      .replace('PAY_RELAY_MODE=external', 'PAY_RELAY_MODE=bundled\nPAY_BUNDLED_RELAY_URL=wss://relay.shop.example')
      .replace(/^PAY_RELAYS=.*$/m, '')
    writeFileSync(path, own)
    await setup({ bind: '127.0.0.1:9999' }, { reconfigure: true })
    expect(config().relays).toEqual(['wss://relay.shop.example'])
  })

  test('a relay that is none is refused', async () => {
    await expect(setup(withWords({ ...ANSWERS, relays: 'https://relay.example' }))).rejects.toThrow('"relays"')
    expect(everything()).toEqual([])
  })
})

describe('nothing is written', () => {
  test('in a dry run, which shows the same plan', async () => {
    await setup({ ...ANSWERS, words_out: at('words') }, { dryRun: true })
    const planned = printed.dialogue.split('\n').filter((line) => /^ {2}(create|write|folder)/.test(line))
    expect(everything()).toEqual([])
    expect(existsSync(at('words'))).toBe(false)
    printed.dialogue = ''
    await setup({ ...ANSWERS, words_out: at('words') })
    expect(printed.dialogue.split('\n').filter((line) => /^ {2}(create|write|folder)/.test(line))).toEqual(planned)
  })

  test.each<[string, PayAnswers, string]>([
    ['new words would have nowhere to go', ANSWERS, '"words_out" is missing'],
    ['a manual till would have an unknown password', { ...ANSWERS, restart: 'manual' }, '"password_file" is missing'],
    ['the password file is not there', { ...ANSWERS, password_file: '/nowhere/pw' }, 'cannot read /nowhere/pw'],
    [
      'both secrets are to come from stdin',
      { ...ANSWERS, password_file: '-', mnemonic_file: '-' },
      'cannot both be stdin',
    ],
    [
      'the webhook would go unencrypted over the net',
      { ...ANSWERS, shop: 'custom', webhook_url: 'http://shop.example/h', words_out: '/tmp/never' },
      'PAY_WEBHOOK_URL must be https',
    ],
  ])('when %s', async (_what, given, why) => {
    await expect(setup(given)).rejects.toThrow(why)
    expect(everything()).toEqual([])
  })

  test.each([
    ['1234567', false],
    ['12345678', true],
    ['äöüßéèñ', false],
  ])('when the password of a new wallet is "%s": eight characters pass (%s)', async (text, passes) => {
    const file = write('pw', `${text}\n`)
    const made = setup({ ...ANSWERS, words_out: at('words'), password_file: file })
    if (passes) return expect(await made.then(() => existsSync(at('till', 'pay.env')))).toBe(true)
    await expect(made).rejects.toMatchObject({
      code: 'PASSWORD_SHORT',
      message: `${file}: a wallet password has at least 8 characters`,
    })
    return expect(everything()).toEqual([])
  })

  test('when the words are misspelt', async () => {
    await expect(
      setup({ ...ANSWERS, mnemonic_file: write('m', WORDS.replace('laugh', 'laughs')) }),
    ).rejects.toMatchObject({
      code: 'BAD_MNEMONIC',
      message: expect.stringMatching(/it has no seed word at place \d+ of 12$/),
    })
    expect(everything()).toEqual([])
  })

  test('when there is a till already', async () => {
    await setup({ ...ANSWERS, words_out: at('words') })
    const before = env()
    printed.output = ''
    await setup({ ...ANSWERS, words_out: at('words2') }) // no failure: as with the other two daemons
    expect(printed.output).toContain(
      `there is already a till, configured by ${at('till', 'pay.env')}; nothing was changed`,
    )
    expect(printed.output).toContain(`grinpay setup pay --reconfigure --prefix ${at('till')}`)
    expect(env()).toEqual(before)
    expect(existsSync(at('words2'))).toBe(false)
  })

  test.each<[string, PayAnswers, string]>([
    ['a currency is a word', { currencies: 'usd,dollars' }, '"dollars" is none'],
    ['a public address is open to the net', { public_url: 'http://pay.shop.example' }, 'must begin with https://'],
    ['a word is none of the list', { restart: 'sometimes' }, 'must be unattended or manual'],
  ])('when %s', async (_what, given, why) => {
    await expect(setup({ ...ANSWERS, words_out: at('words'), ...given })).rejects.toThrow(why)
    expect(everything()).toEqual([])
  })

  test('http is for this machine and its own network', async () => {
    await setup({ public_url: 'http://192.168.1.5:8080', currencies: 'USD, eur', words_out: at('words') })
    expect([config().publicUrl, config().currencies]).toEqual(['http://192.168.1.5:8080', ['usd', 'eur']])
  })

  test('http is for onion services too, whose connection Tor encrypts', async () => {
    await setup({ public_url: `http://${ONION}`, words_out: at('words') })
    expect(config().publicUrl).toBe(`http://${ONION}`)
  })

  test('when a file for the words exists: everything else is taken back', async () => {
    write('words', 'mine')
    await expect(setup({ ...ANSWERS, words_out: at('words') })).rejects.toMatchObject({ code: 'SETUP_FAILED' })
    expect(everything()).toEqual([])
    expect(readFileSync(at('words'), 'utf8')).toBe('mine')
  })

  test('when there is nothing to reconfigure', async () => {
    await expect(setup({}, { reconfigure: true })).rejects.toMatchObject({ code: 'NOTHING_TO_RECONFIGURE' })
  })
})

describe('reconfiguring', () => {
  const secretFiles = () =>
    [
      ['data', 'wallet', 'seed.json'],
      ['data', 'nostr', 'identity.json'],
      ['secrets', 'wallet_password'],
    ].map((parts) => readFileSync(at('till', ...parts), 'utf8'))
  beforeEach(async () => {
    await setup({ ...ANSWERS, shop: 'medusa', shop_url: 'https://shop.example', words_out: at('words') })
  })

  test('changes what is said and nothing else', async () => {
    const [settings, secrets] = [env(), secretFiles()]
    writeFileSync(
      at('till', 'pay.env'),
      `${readFileSync(at('till', 'pay.env'), 'utf8')}PAY_CONFIRMATIONS=3\nMY_OWN=1\n`,
    )
    await setup({ bind: '127.0.0.1:9999' }, { reconfigure: true })
    expect(env()).toEqual({ ...settings, PAY_BIND: '127.0.0.1:9999', PAY_CONFIRMATIONS: '3', MY_OWN: '1' })
    expect(secretFiles()).toEqual(secrets)
  })

  test('leaves a unit alone that was changed by hand, and says so', async () => {
    const unit = at('till', 'systemd', 'grinpay-pay.service')
    const dropIn = at('till', 'systemd', 'grinpay-pay.service.d', 'password.conf')
    const mine = readFileSync(unit, 'utf8').replace('RestartSec=2', 'RestartSec=9')
    writeFileSync(unit, mine)
    const before = readFileSync(dropIn, 'utf8')
    printed.dialogue = ''
    await setup({ bind: '127.0.0.1:9999' }, { reconfigure: true })
    expect([readFileSync(unit, 'utf8'), env().PAY_BIND]).toEqual([mine, '127.0.0.1:9999'])
    expect(readFileSync(dropIn, 'utf8')).toBe(before)
    expect(printed.dialogue).toContain(`keep     ${unit}: changed by hand`)
    expect(printed.dialogue).toContain(
      `grinpay systemd install --daemon pay --settings ${at('till', 'pay.env')} --dir ${at('till', 'systemd')} --dry-run`,
    )
    expect(printed.dialogue).not.toContain(`write    ${unit}  0644`)
  })

  test('keeps the socket that systemd holds for it', async () => {
    writeFileSync(at('till', 'systemd', 'grinpay-pay.socket'), '[Socket]\n')
    await setup({ bind: '127.0.0.1:9999' }, { reconfigure: true })
    expect(readFileSync(at('till', 'systemd', 'grinpay-pay.service'), 'utf8')).toContain(
      '\nRequires=grinpay-pay.socket\n',
    )
  })

  test('shows old and new of each setting that changes, and how to restart', async () => {
    forget()
    await setup({ bind: '127.0.0.1:9999' }, { reconfigure: true })
    expect(printed.dialogue.split('\n').filter((line) => line.startsWith('  change'))).toEqual([
      '  change   PAY_BIND  127.0.0.1:8080 -> 127.0.0.1:9999',
    ])
    expect(printed.output).toContain(
      `Restart; one that runs has the old settings until then:\n  grinpay serve pay --settings`,
    )
    for (const name of ['PAY_API_TOKEN', 'PAY_ADMIN_TOKEN', 'PAY_WEBHOOK_SECRET'])
      expect(printed.output + printed.dialogue).not.toContain(env()[name])
    expect(printed.output).toContain(`as before, in ${at('till', 'pay.env')}`)
  })

  test('prints tokens that are new, and none when it is to be quiet', async () => {
    forget()
    await setup({}, { reconfigure: true, rotateTokens: true })
    expect(printed.output).toContain(env().PAY_API_TOKEN)
    expect(printed.dialogue).toContain('  change   PAY_API_TOKEN  (changed)\n')
    expect(printed.dialogue).not.toContain(env().PAY_API_TOKEN)
    forget()
    await setup({}, { reconfigure: true, rotateTokens: true, isQuiet: true })
    expect(printed.output).toBe(`${at('till', 'pay.env')}\n`)
    expect(printed.dialogue).not.toContain(env().PAY_API_TOKEN)
  })

  test('refuses a weak token that is there, with the remedy', async () => {
    const path = at('till', 'pay.env')
    writeFileSync(path, readFileSync(path, 'utf8').replace(/PAY_API_TOKEN=.*/, 'PAY_API_TOKEN=sesame'))
    await expect(setup({}, { reconfigure: true })).rejects.toThrow('grinpay secret rotate api')
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replace(/PAY_API_TOKEN=.*/, `PAY_API_TOKEN_FILE=${write('weak', 'x')}`),
    )
    await expect(setup({}, { reconfigure: true })).rejects.toThrow('PAY_API_TOKEN can be guessed')
  })

  test('makes new tokens only on request', async () => {
    const before = env()
    await setup({}, { reconfigure: true, rotateTokens: true })
    for (const name of ['PAY_API_TOKEN', 'PAY_ADMIN_TOKEN', 'PAY_WEBHOOK_SECRET']) {
      expect(env()[name]).not.toBe(before[name])
      expect(env()[name]).toHaveLength(before[name]?.length ?? 0)
    }
  })

  test('does not throw away a password that was not proven', async () => {
    await expect(setup({ restart: 'manual' }, { reconfigure: true })).rejects.toThrow('"password_file" is missing')
    await expect(
      setup({ restart: 'manual', password_file: write('pw', 'guess') }, { reconfigure: true }),
    ).rejects.toMatchObject({ code: 'SEED_WRONG_PASSWORD' })
    const right = write('pw', readFileSync(at('till', 'secrets', 'wallet_password'), 'utf8'))
    await setup({ restart: 'manual', password_file: right }, { reconfigure: true })
    expect(existsSync(at('till', 'secrets', 'wallet_password'))).toBe(false)
    expect(env().PAY_WALLET_PASSWORD_FILE).toBeUndefined()
    await setup({ restart: 'unattended', password_file: right }, { reconfigure: true })
    expect(config().walletPassword?.reveal()).toBe(readFileSync(right, 'utf8'))
  })
})

describe('with a person', () => {
  /** Says yes to everything and remembers what was shown. */
  test('words are shown once, and not written anywhere', async () => {
    const terminal = person()
    await setup(ANSWERS, { terminal, canShowWords: true })
    expect(terminal.shown).toHaveLength(1)
    const words = terminal.shown[0]?.reveal() ?? ''
    expect(words.split(' ')).toHaveLength(24)
    for (const name of everything().map(String)) {
      const path = at('till', name)
      if (statSync(path).isFile()) expect(readFileSync(path, 'utf8')).not.toContain(words)
    }
    expect(printed.output + printed.dialogue).not.toContain(words)
  })

  test('who says no, or leaves at the words, has changed nothing', async () => {
    await expect(
      setup(ANSWERS, { terminal: person({ goOn: async () => false }), canShowWords: true }),
    ).rejects.toMatchObject({ code: 'SETUP_DECLINED' })
    const leaves = person({
      showWords: async () => Promise.reject(Object.assign(new Error(''), { name: 'ExitPromptError' })),
    })
    await expect(setup(ANSWERS, { terminal: leaves, canShowWords: true })).rejects.toMatchObject({
      name: 'ExitPromptError',
    })
    expect(everything()).toEqual([])
  })
})

describe('the wallet afterwards', () => {
  const environment = () => openEnvironment({ envFile: at('till', 'pay.env'), variables: {} })
  const restore = {
    seedFile: undefined,
    seedPasswordFile: undefined,
    passwordFile: undefined,
    terminal: undefined,
    random: systemRandom,
    sealCost: CHEAP,
  }

  test('gives its words back, and a new one can be made from them', async () => {
    await setup({ ...ANSWERS, words_out: at('words') })
    const request = {
      environment: environment(),
      passwordFile: undefined,
      terminal: undefined,
      canShowWords: false,
      tell: () => undefined,
    }
    await exportWords({ ...request, wordsOut: at('again') })
    expect(readFileSync(at('again'), 'utf8')).toBe(readFileSync(at('words'), 'utf8'))
    await expect(exportWords({ ...request, wordsOut: undefined })).rejects.toThrow('to a terminal only')
    await expect(
      restoreWallet({ ...restore, environment: environment(), mnemonicFile: at('words') }),
    ).rejects.toMatchObject({ code: 'WALLET_EXISTS' })
    rmSync(at('till', 'data', 'wallet', 'seed.json'))
    const { address } = await restoreWallet({
      ...restore,
      environment: environment(),
      mnemonicFile: at('words'),
    })
    expect(address).toMatch(/^grin1/)
  })

  test('comes out of a grin-wallet seed file', async () => {
    await setup({ ...ANSWERS, words_out: at('words') })
    rmSync(at('till', 'data'), { recursive: true })
    const { files } = JSON.parse(readFileSync('test/vectors/wallet/seedfile.json', 'utf8'))
    const [{ mnemonic, password, wallet_seed }] = files
    await restoreWallet({
      ...restore,
      environment: environment(),
      mnemonicFile: undefined,
      seedFile: write('wallet.seed', JSON.stringify(wallet_seed)),
      seedPasswordFile: write('old-pw', password),
    })
    await exportWords({
      environment: environment(),
      passwordFile: undefined,
      terminal: undefined,
      canShowWords: true,
      wordsOut: at('again'),
      tell: () => undefined,
    })
    expect(readFileSync(at('again'), 'utf8')).toBe(`${mnemonic}\n`)
  })
  /** As grin-wallet seals it (specification: grin-wallet, 1.9). */
  function sealedByGrinWallet(entropy: Uint8Array, password: string): string {
    const [salt, nonce] = [systemRandom.bytes(8), systemRandom.bytes(12)]
    const key = pbkdf2Sync(password, salt, 100, 32, 'sha512')
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
    const sealed = Buffer.concat([cipher.update(entropy), cipher.final(), cipher.getAuthTag()])
    return JSON.stringify({ encrypted_seed: toHex(sealed), salt: toHex(salt), nonce: toHex(nonce) })
  }

  test.each([
    ['an empty file', () => ({ seedPasswordFile: write('old-pw', '\n') })],
    [
      'Enter at the prompt',
      () => ({
        passwordFile: write('pw', 'of this till'),
        terminal: person({ password: async (_, mayBeEmpty) => new Secret(mayBeEmpty ? '' : 'never asked for') }),
      }),
    ],
  ])('comes out of a seed file without a password, said by %s', async (_, how) => {
    await setup({ ...ANSWERS, words_out: at('words') })
    rmSync(at('till', 'data'), { recursive: true })
    const seedFile = write('wallet.seed', sealedByGrinWallet(new Uint8Array(32).fill(7), ''))
    const request = { ...restore, environment: environment(), mnemonicFile: undefined, seedFile, ...how() }
    expect((await restoreWallet(request)).address).toMatch(/^grin1/)
  })
})
