// Settings of the name authority: each one's default, what it takes and what it refuses. Vectors: test/vectors/names/amounts.json.

import { describe, expect, test } from 'vitest'
import { effectiveSettings, loadNameauthConfig, openEnvironment, settingGroups } from '../../src/config/index.js'
import { NAMEAUTH_DATA_DIR } from '../../src/config/nameauth-settings.js'
import { nameauthPlaces } from '../../src/system/index.js'
import { withLines } from '../support/notice-lines.js'
import { vectors } from '../support/vectors.js'

const TOKEN = 'pay_live_do-not-print-me'
const DOMAIN = { NAMEAUTH_DOMAIN: 'names.example' }
const SALE = {
  ...DOMAIN,
  NAMEAUTH_PAY_MODE: 'name',
  NAMEAUTH_NAME_PRICE_GRIN: '1',
  NAMEAUTH_PAY_URL: 'http://127.0.0.1:8080',
  NAMEAUTH_PAY_TOKEN: TOKEN,
}
const NODE = 'https://node.example/v2/foreign'

type Texts = Record<string, string>

const environmentOf = (variables: Texts, files: Texts = {}) =>
  openEnvironment({
    variables,
    readFile: (path) => {
      const text = files[path]
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })
const load = (variables: Texts = {}, files: Texts = {}) =>
  withLines(loadNameauthConfig(environmentOf({ ...DOMAIN, ...variables }, files)))

test('a domain alone gives the defaults', () => {
  expect(load()).toEqual({
    domain: 'names.example',
    baseUrl: 'https://names.example',
    relays: ['wss://names.example'],
    bind: { host: '127.0.0.1', port: 8191 },
    console: false,
    consoleBind: { host: '127.0.0.1', port: 3481 },
    dbPath: '/var/lib/grinpay-nameauth/names.db',
    dataDir: '/var/lib/grinpay-nameauth',
    cooldownSeconds: 600,
    authMaxAgeSeconds: 60,
    nameMin: 3,
    nameMax: 20,
    readRate: { max: 120, windowSeconds: 60 },
    writeRate: { max: 10, windowSeconds: 3600 },
    reserved: [],
    sale: undefined,
    pay: undefined,
    webhookSecret: undefined,
    pollIntervalSeconds: 5,
    transfers: undefined,
    trustedProxies: ['127.0.0.0/8', '::1'],
    notices: [],
  })
})

test('the usual place of the database is the one that setup uses', () => {
  expect(NAMEAUTH_DATA_DIR).toBe(nameauthPlaces().dataDir)
  expect(load().dbPath).toBe(nameauthPlaces().dbPath)
})

test('what is sold at which price, and what sales between keys need, come with their modes', () => {
  expect(load(SALE)).toMatchObject({
    sale: { resource: 'name', priceGrin: '1' },
    pay: { url: 'http://127.0.0.1:8080' },
  })
  expect(load({ ...SALE, NAMEAUTH_PAY_MODE: 'write', NAMEAUTH_WRITE_PRICE_GRIN: '2.50' }).sale).toEqual({
    resource: 'write',
    priceGrin: '2.5',
  })
  expect(load({ NAMEAUTH_TRANSFERS: 'true', NAMEAUTH_GRIN_NODE_URL: NODE }).transfers).toEqual({
    nodeUrls: [NODE],
    minConfirmations: 10,
    maxOfferSeconds: 2_592_000,
    claimGraceSeconds: 86_400,
  })
})

test('the loaded settings cannot be changed', () => {
  expect(Object.isFrozen(load())).toBe(true)
})

test.each<[string, string, object]>([
  ['NAMEAUTH_DOMAIN', ' floonet.example ', { domain: 'floonet.example', baseUrl: 'https://floonet.example' }],
  ['NAMEAUTH_DOMAIN', '127.0.0.1', { domain: '127.0.0.1' }],
  ['NAMEAUTH_BASE_URL', 'https://names.example///', { baseUrl: 'https://names.example' }],
  ['NAMEAUTH_BASE_URL', 'https://names.example:8443/nip05/', { baseUrl: 'https://names.example:8443/nip05' }],
  ['NAMEAUTH_BASE_URL', 'http://127.0.0.1:8191/', { baseUrl: 'http://127.0.0.1:8191' }],
  ['NAMEAUTH_BASE_URL', 'http://localhost:1', { baseUrl: 'http://localhost:1' }],
  ['NAMEAUTH_RELAYS', ' wss://a.example/ ,, ws://b.example', { relays: ['wss://a.example/', 'ws://b.example'] }],
  ['NAMEAUTH_RELAYS', ' , ', { relays: ['wss://names.example'] }],
  ['NAMEAUTH_NAMES_BIND', '[::1]:0', { bind: { host: '::1', port: 0 } }],
  ['NAMEAUTH_BIND', '0.0.0.0:80', { bind: { host: '0.0.0.0', port: 80 } }],
  ['NAMEAUTH_NAMES_DB', '/srv/x.db', { dbPath: '/srv/x.db', dataDir: '/srv' }],
  ['NAMEAUTH_DATA_DIR', '/srv/names', { dbPath: '/srv/names/names.db', dataDir: '/srv/names' }],
  ['NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS', '0', { cooldownSeconds: 0 }],
  ['NAMEAUTH_AUTH_MAX_AGE_SECS', '120', { authMaxAgeSeconds: 120 }],
  ['NAMEAUTH_NAME_MIN', '1', { nameMin: 1 }],
  ['NAMEAUTH_NAME_MAX', '3', { nameMax: 3 }],
  ['NAMEAUTH_READ_RATE_MAX', '7', { readRate: { max: 7, windowSeconds: 60 } }],
  ['NAMEAUTH_READ_RATE_WINDOW_SECS', '7', { readRate: { max: 120, windowSeconds: 7 } }],
  ['NAMEAUTH_WRITE_RATE_MAX', '7', { writeRate: { max: 7, windowSeconds: 3600 } }],
  ['NAMEAUTH_WRITE_RATE_WINDOW_SECS', '7', { writeRate: { max: 10, windowSeconds: 7 } }],
  ['NAMEAUTH_PAID_POLL_INTERVAL_SECS', '0', { pollIntervalSeconds: 0 }],
  ['NAMEAUTH_TRUSTED_PROXIES', '10.0.0.0/8, fd00::1', { trustedProxies: ['10.0.0.0/8', 'fd00::1'] }],
  ['NAMEAUTH_TRUSTED_PROXIES', 'none', { trustedProxies: [] }],
])('%s takes "%s"', (name, text, member) => {
  expect(load({ [name]: text })).toMatchObject(member)
})

test.each<[string, Texts, object]>([
  [
    'a trailing slash of the till',
    { NAMEAUTH_PAY_URL: 'https://pay.example/shop//' },
    { pay: { url: 'https://pay.example/shop' } },
  ],
  ['a poll interval', { NAMEAUTH_PAID_POLL_INTERVAL_SECS: '9' }, { pollIntervalSeconds: 9 }],
])('a paid mode takes %s', (_what, variables, member) => {
  expect(load({ ...SALE, ...variables })).toMatchObject(member)
})

test.each<[string, string, object]>([
  [
    'NAMEAUTH_GRIN_NODE_URL',
    `${NODE},\thttp://127.0.0.1:3413/v2/foreign/ \n`,
    { nodeUrls: [NODE, 'http://127.0.0.1:3413/v2/foreign'] },
  ],
  ['NAMEAUTH_TRANSFER_MIN_CONF', '3', { minConfirmations: 3 }],
  ['NAMEAUTH_TRANSFER_MAX_OFFER_TTL', '60', { maxOfferSeconds: 60 }],
  ['NAMEAUTH_TRANSFER_CLAIM_GRACE', '0', { claimGraceSeconds: 0 }],
])('transfers take %s', (name, text, member) => {
  const variables = { NAMEAUTH_TRANSFERS: 'on', NAMEAUTH_GRIN_NODE_URL: NODE, [name]: text }
  expect(load(variables).transfers).toMatchObject(member)
})

describe('a setting is refused in one sentence', () => {
  test.each<[string, Texts, string]>([
    [
      'no domain',
      { NAMEAUTH_DOMAIN: ' ' },
      'NAMEAUTH_DOMAIN is not set: name the host behind the @, or run "grinpay setup nameauth"',
    ],
    [
      'an address as domain',
      { NAMEAUTH_DOMAIN: 'https://x.example' },
      'NAMEAUTH_DOMAIN must be a host name such as names.example (got "https://x.example")',
    ],
    ['a domain with a port', { NAMEAUTH_DOMAIN: 'x.example:80' }, 'NAMEAUTH_DOMAIN must be a host name'],
    [
      'plain http outside',
      { NAMEAUTH_BASE_URL: 'http://names.example' },
      'NAMEAUTH_BASE_URL must begin with https:// (got "http://names.example")',
    ],
    [
      'an address that only begins like this machine',
      { NAMEAUTH_BASE_URL: 'http://127.0.0.1.evil.example' },
      'NAMEAUTH_BASE_URL must begin with https://',
    ],
    [
      'another host',
      { NAMEAUTH_BASE_URL: 'https://www.names.example/x' },
      'NAMEAUTH_BASE_URL must have the host of NAMEAUTH_DOMAIN, "names.example" (got "www.names.example")',
    ],
    [
      'a password in the address',
      { NAMEAUTH_BASE_URL: 'https://u:p@names.example' },
      'NAMEAUTH_BASE_URL must not contain a user name or password (got "https://…@names.example")',
    ],
    [
      'a query in the address',
      { NAMEAUTH_BASE_URL: 'https://names.example/?a' },
      'NAMEAUTH_BASE_URL must be an address without "?" and "#": write https://names.example',
    ],
    [
      'a relay that is none',
      { NAMEAUTH_RELAYS: 'wss://a.example,https://b.example' },
      'NAMEAUTH_RELAYS must begin with wss:// or ws://',
    ],
    [
      'a place to listen that is none',
      { NAMEAUTH_NAMES_BIND: '8191' },
      'NAMEAUTH_NAMES_BIND must be host:port (got "8191")',
    ],
    [
      'a cooldown in words',
      { NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: '10m' },
      'NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS must be a whole number from 0',
    ],
    [
      'a request that is never good',
      { NAMEAUTH_AUTH_MAX_AGE_SECS: '0' },
      'NAMEAUTH_AUTH_MAX_AGE_SECS must be a whole number from 1',
    ],
    [
      'names of no letters',
      { NAMEAUTH_NAME_MIN: '0' },
      'NAMEAUTH_NAME_MIN must be a whole number from 1 to 20 (got "0")',
    ],
    [
      'names that are too long',
      { NAMEAUTH_NAME_MAX: '21' },
      'NAMEAUTH_NAME_MAX must be a whole number from 1 to 20 (got "21")',
    ],
    [
      'bounds that cross',
      { NAMEAUTH_NAME_MIN: '9', NAMEAUTH_NAME_MAX: '8' },
      'NAMEAUTH_NAME_MIN is more than NAMEAUTH_NAME_MAX',
    ],
    ['no reads at all', { NAMEAUTH_READ_RATE_MAX: '0' }, 'NAMEAUTH_READ_RATE_MAX must be a whole number from 1'],
    [
      'a window of nothing',
      { NAMEAUTH_READ_RATE_WINDOW_SECS: '0' },
      'NAMEAUTH_READ_RATE_WINDOW_SECS must be a whole number',
    ],
    ['a negative limit', { NAMEAUTH_WRITE_RATE_MAX: '-1' }, 'NAMEAUTH_WRITE_RATE_MAX must be a whole number'],
    [
      'half a second',
      { NAMEAUTH_WRITE_RATE_WINDOW_SECS: '0.5' },
      'NAMEAUTH_WRITE_RATE_WINDOW_SECS must be a whole number',
    ],
    [
      'a file of reserved names that is not there',
      { NAMEAUTH_RESERVED_FILE: '/none' },
      'NAMEAUTH_RESERVED_FILE: cannot read /none (no such file)',
    ],
    ['a mode of its own', { NAMEAUTH_PAY_MODE: 'Name' }, 'NAMEAUTH_PAY_MODE must be off, name, write (got "Name")'],
    [
      'a price that is none',
      { NAMEAUTH_NAME_PRICE_GRIN: '1,5' },
      'NAMEAUTH_NAME_PRICE_GRIN must be an amount in GRIN with at most 9 decimals (got "1,5")',
    ],
    [
      'a name for nothing',
      { ...SALE, NAMEAUTH_NAME_PRICE_GRIN: '0.0' },
      'NAMEAUTH_PAY_MODE=name needs NAMEAUTH_NAME_PRICE_GRIN above 0',
    ],
    [
      'write access for nothing',
      { ...SALE, NAMEAUTH_PAY_MODE: 'write' },
      'NAMEAUTH_PAY_MODE=write needs NAMEAUTH_WRITE_PRICE_GRIN above 0',
    ],
    [
      'a sale without a till',
      { ...SALE, NAMEAUTH_PAY_URL: '' },
      'NAMEAUTH_PAY_MODE=name needs NAMEAUTH_PAY_URL, the address of the till',
    ],
    [
      'a sale without a token',
      { ...SALE, NAMEAUTH_PAY_TOKEN: '' },
      'NAMEAUTH_PAY_MODE=name needs NAMEAUTH_PAY_TOKEN_FILE or NAMEAUTH_PAY_TOKEN',
    ],
    [
      'a till elsewhere than on the web',
      { NAMEAUTH_PAY_URL: 'pay.example' },
      'NAMEAUTH_PAY_URL must begin with http:// or https://',
    ],
    [
      'a token file that is not there',
      { NAMEAUTH_PAY_TOKEN_FILE: '/none' },
      'NAMEAUTH_PAY_TOKEN_FILE: cannot read /none (no such file)',
    ],
    ['an empty token file', { NAMEAUTH_PAY_TOKEN_FILE: '/empty' }, 'NAMEAUTH_PAY_TOKEN_FILE: /empty is empty'],
    [
      'a webhook secret file that is not there',
      { NAMEAUTH_PAY_WEBHOOK_SECRET_FILE: '/none' },
      'NAMEAUTH_PAY_WEBHOOK_SECRET_FILE: cannot read /none',
    ],
    [
      'a poll interval that is none',
      { NAMEAUTH_PAID_POLL_INTERVAL_SECS: 'often' },
      'NAMEAUTH_PAID_POLL_INTERVAL_SECS must be a whole number',
    ],
    ['transfers without a node', { NAMEAUTH_TRANSFERS: 'yes' }, 'NAMEAUTH_TRANSFERS=on needs NAMEAUTH_GRIN_NODE_URL'],
    [
      'transfers with an empty list',
      { NAMEAUTH_TRANSFERS: 'yes', NAMEAUTH_GRIN_NODE_URL: ' , ' },
      'NAMEAUTH_TRANSFERS=on needs NAMEAUTH_GRIN_NODE_URL',
    ],
    [
      'a node that is no address',
      { NAMEAUTH_GRIN_NODE_URL: `${NODE} node2` },
      'NAMEAUTH_GRIN_NODE_URL must begin with https:// or http://',
    ],
    [
      'confirmations in words',
      { NAMEAUTH_TRANSFER_MIN_CONF: 'ten' },
      'NAMEAUTH_TRANSFER_MIN_CONF must be a whole number',
    ],
    [
      'offers without life',
      { NAMEAUTH_TRANSFER_MAX_OFFER_TTL: '0' },
      'NAMEAUTH_TRANSFER_MAX_OFFER_TTL must be a whole number',
    ],
    [
      'a grace that is none',
      { NAMEAUTH_TRANSFER_CLAIM_GRACE: '1d' },
      'NAMEAUTH_TRANSFER_CLAIM_GRACE must be a whole number',
    ],
    [
      'a proxy that is no address',
      { NAMEAUTH_TRUSTED_PROXIES: 'proxy' },
      'NAMEAUTH_TRUSTED_PROXIES has a bad address "proxy"',
    ],
  ])('%s', (_what, variables, text) => {
    expect(() => load(variables, { '/empty': '\n' })).toThrow(`configuration error: ${text}`)
  })

  test('and everything wrong in one line, without secrets', () => {
    const broken = { ...SALE, NAMEAUTH_NAMES_BIND: 'x', NAMEAUTH_NAME_MAX: '99', NAMEAUTH_PAY_URL: '' }
    expect(() => load(broken)).toThrow(
      'configuration error: NAMEAUTH_NAME_MAX must be a whole number from 1 to 20 (got "99"); NAMEAUTH_NAMES_BIND must be host:port (got "x"); NAMEAUTH_PAY_MODE=name needs NAMEAUTH_PAY_URL, the address of the till',
    )
  })

  test('with the command that shows more', () => {
    expect(() => load({ NAMEAUTH_NAME_MAX: '99' })).toThrow(
      expect.objectContaining({ code: 'CONFIGURATION', hint: 'grinpay config check --daemon nameauth' }),
    )
  })
})

describe('amounts', () => {
  const { valid, invalid } = vectors('names/amounts.json')
  const priced = (grin: string) => load({ ...SALE, NAMEAUTH_NAME_PRICE_GRIN: grin }).sale?.priceGrin

  test.each<{ grin: string; formatted: string }>(
    valid.filter(({ formatted }: { formatted: string }) => formatted !== '0'),
  )('"$grin" is $formatted', ({ grin, formatted }) => expect(priced(grin)).toBe(formatted))

  test.each<string>(invalid)('"%s" is no price', (grin) =>
    expect(() => priced(grin)).toThrow('NAMEAUTH_NAME_PRICE_GRIN'),
  )
})

describe('switches', () => {
  const on = (text: string) => load({ NAMEAUTH_TRANSFERS: text, NAMEAUTH_GRIN_NODE_URL: NODE })

  test.each(['1', 'true', 'YES', ' On '])('"%s" is on', (text) => {
    expect(on(text).transfers).toBeDefined()
    expect(on(text).notices).toEqual([])
  })
  test.each(['0', 'false', 'No', 'off', ' '])('"%s" is off', (text) => {
    expect(on(text).transfers).toBeUndefined()
    expect(on(text).notices).toEqual([])
  })
  test('any other word is off, with a word about it', () => {
    expect(on('enabled').transfers).toBeUndefined()
    expect(on('enabled').notices).toEqual(['NAMEAUTH_TRANSFERS reads "enabled" as off; say on or off'])
  })
})

describe('secrets', () => {
  const files = { '/s/token': `\n ${TOKEN} \r\n`, '/s/empty': ' \n' }

  test('the file wins over the text, and is trimmed', () => {
    const { pay } = load({ ...SALE, NAMEAUTH_PAY_TOKEN: 'other', NAMEAUTH_PAY_TOKEN_FILE: '/s/token' }, files)
    expect(pay?.token.reveal()).toBe(TOKEN)
  })

  test('systemd may hand them over', () => {
    const variables = { ...SALE, NAMEAUTH_PAY_TOKEN: '', CREDENTIALS_DIRECTORY: '/run/c' }
    const { pay } = load(variables, { '/run/c/nameauth_pay_token': `${TOKEN}\n` })
    expect(pay?.token.reveal()).toBe(TOKEN)
  })

  test('an empty webhook secret counts as none, in a file too', () => {
    expect(load({ ...SALE, NAMEAUTH_PAY_WEBHOOK_SECRET: '' }).webhookSecret).toBeUndefined()
    expect(load({ ...SALE, NAMEAUTH_PAY_WEBHOOK_SECRET_FILE: '/s/empty' }, files).webhookSecret).toBeUndefined()
    expect(load({ ...SALE, NAMEAUTH_PAY_WEBHOOK_SECRET: 'whsec_xxxxxxxxxxx' }).webhookSecret?.reveal()).toBe(
      'whsec_xxxxxxxxxxx',
    )
  })

  test('are never printed', () => {
    const environment = environmentOf({ ...SALE, NAMEAUTH_PAY_WEBHOOK_SECRET: TOKEN })
    const representations = [loadNameauthConfig(environment), effectiveSettings(environment, 'nameauth')]
    expect(JSON.stringify(representations)).not.toContain(TOKEN)
  })
})

test('the names of the originals still work, with a word about each', () => {
  const config = withLines(
    loadNameauthConfig(
      environmentOf(
        {
          FLOONET_DOMAIN: 'floonet.example',
          FLOONET_NAMES_BIND: '127.0.0.1:9',
          FLOONET_PAY_MODE: 'name',
          FLOONET_NAME_PRICE_GRIN: '2',
          GOBLINPAY_URL: 'http://127.0.0.1:8192/',
          GOBLINPAY_TOKEN_FILE: '/s/token',
          GOBLINPAY_WEBHOOK_SECRET: 'whsec_xxxxxxxxxxx',
          FLOONET_NAME_MIN: '4',
          NAMEAUTH_NAME_MIN: '5',
        },
        { '/s/token': TOKEN },
      ),
    ),
  )
  expect(config).toMatchObject({
    domain: 'floonet.example',
    bind: { port: 9 },
    sale: { resource: 'name', priceGrin: '2' },
    pay: { url: 'http://127.0.0.1:8192' },
    nameMin: 5,
  })
  expect(config.pay?.token.reveal()).toBe(TOKEN)
  expect(config.notices).toEqual([
    'FLOONET_DOMAIN is read as NAMEAUTH_DOMAIN; please rename it',
    'FLOONET_NAMES_BIND is read as NAMEAUTH_NAMES_BIND; please rename it',
    'FLOONET_PAY_MODE is read as NAMEAUTH_PAY_MODE; please rename it',
    'FLOONET_NAME_PRICE_GRIN is read as NAMEAUTH_NAME_PRICE_GRIN; please rename it',
    'GOBLINPAY_URL is read as NAMEAUTH_PAY_URL; please rename it',
    'GOBLINPAY_TOKEN is read as NAMEAUTH_PAY_TOKEN; please rename it',
    'GOBLINPAY_WEBHOOK_SECRET is read as NAMEAUTH_PAY_WEBHOOK_SECRET; please rename it',
    'FLOONET_NAME_MIN is ignored: NAMEAUTH_NAME_MIN is set, too',
  ])
})

test.each<[string, Texts, string]>([
  [
    'a typing error',
    { NAMEAUTH_DOMAINE: 'x' },
    'NAMEAUTH_DOMAINE is not a setting of grinpay and is ignored (did you mean NAMEAUTH_DOMAIN?)',
  ],
  [
    'a token that travels in the open',
    { ...SALE, NAMEAUTH_PAY_URL: 'http://pay.example' },
    'NAMEAUTH_PAY_URL is plain http to a public host',
  ],
  [
    'a price that no wallet can pay',
    { ...SALE, NAMEAUTH_NAME_PRICE_GRIN: '9007200' },
    'the price is more than a till takes for one invoice',
  ],
  [
    'a webhook secret for nothing',
    { NAMEAUTH_PAY_WEBHOOK_SECRET: 'whsec_xxxxxxxxxxx' },
    'NAMEAUTH_PAY_WEBHOOK_SECRET is set but NAMEAUTH_PAY_MODE is off',
  ],
  [
    'a node address without its path',
    { NAMEAUTH_TRANSFERS: 'on', NAMEAUTH_GRIN_NODE_URL: 'https://node.example' },
    'does not end in /v2/foreign',
  ],
  ['no proxy at all', { NAMEAUTH_TRUSTED_PROXIES: 'none' }, 'NAMEAUTH_TRUSTED_PROXIES is none'],
])('%s is worth a word', (_what, variables, text) => {
  expect(load(variables).notices.join()).toContain(text)
})

test.each(['NAMEAUTH_ENV_FILE', 'NAMEAUTH_BIND', 'NAMEAUTH_AUTHORITY_COLOCATED'])('%s is no stranger', (name) => {
  const text = name === 'NAMEAUTH_BIND' ? '127.0.0.1:1' : 'on'
  expect(load({ [name]: text }).notices).toEqual([])
})

test('reserved names are trimmed and lower-cased; remarks and blank lines do not count', () => {
  const text = '\uFEFF# ours\n Shop \r\n\n#x\nk\u212Ang\nshop\n'
  expect(load({ NAMEAUTH_RESERVED_FILE: '/r' }, { '/r': text }).reserved).toEqual(['shop', 'kkng'])
})

test('what is in force is shown with the defaults that depend on the domain', () => {
  const shown = effectiveSettings(environmentOf(DOMAIN), 'nameauth')
  const of = (name: string) => shown.find((setting) => setting.name === name)
  expect(of('NAMEAUTH_BASE_URL')).toMatchObject({ value: 'https://names.example', origin: 'default' })
  expect(of('NAMEAUTH_RELAYS')).toMatchObject({ value: 'wss://names.example', origin: 'default' })
  expect(of('NAMEAUTH_NAMES_DB')).toMatchObject({ value: '/var/lib/grinpay-nameauth/names.db', origin: 'default' })
  expect(of('NAMEAUTH_DOMAIN')).toMatchObject({ value: 'names.example', origin: 'environment' })
  expect(shown).toHaveLength(settingGroups('nameauth').flatMap(({ settings }) => settings).length)
})

test.each([
  [{ NAMEAUTH_DOMAIN: 'Names.Test' }, { domain: 'names.test', baseUrl: 'https://names.test' }],
  [
    { NAMEAUTH_DOMAIN: 'bücher.example' },
    { domain: 'xn--bcher-kva.example', baseUrl: 'https://xn--bcher-kva.example' },
  ],
  [{ NAMEAUTH_BASE_URL: 'https://Names.example:443/' }, { baseUrl: 'https://names.example' }],
  [{ NAMEAUTH_BASE_URL: 'HTTPS://NAMES.EXAMPLE' }, { baseUrl: 'https://names.example' }],
])('what clients sign has one spelling: %j', (variables, members) => {
  expect(load(variables)).toMatchObject(members)
})
