import { describe, expect, test } from 'vitest'
import { DAEMONS, loadPayConfig, openEnvironment, readPayValues } from '../../src/config/index.js'
import { withLines } from '../support/notice-lines.js'

const SECRET = `whsec_${'doNotPrint0'.repeat(4)}`

const environmentOf = (variables: Record<string, string>, files: Record<string, string> = {}) =>
  openEnvironment({
    variables,
    readFile: (path) => {
      const text = files[path]
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })
const load = (variables: Record<string, string> = {}, files: Record<string, string> = {}) =>
  withLines(loadPayConfig(environmentOf(variables, files)))

test('nothing set gives the defaults', () => {
  const config = load()
  expect(config).toMatchObject({
    bind: { host: '127.0.0.1', port: 8080 },
    publicUrl: 'http://127.0.0.1:8080',
    chain: 'mainnet',
    nodeUrls: ['https://main.gri.mw'],
    matchMode: 'derived',
    confirmations: 10,
    currencies: ['usd'],
    checkoutMethods: ['nostr', 'slatepack'],
    relays: ['ws://127.0.0.1:7777'],
    settleTimeout: 86400,
    quoteTtl: 900,
    rateLimits: true,
    webhookCompat: true,
    dbPath: './grinpay-pay.db',
    dataDir: './grinpay-data',
  })
  expect(config.apiToken).toBeUndefined()
  expect(config.webhooks).toEqual([])
  expect(config.notices).toEqual([])
})

test('the loaded settings cannot be changed', () => {
  expect(Object.isFrozen(load())).toBe(true)
})

test('everything wrong is said in one line, and secrets are not quoted', () => {
  const broken = {
    PAY_BIND: 'nowhere',
    PAY_CONFIRMATIONS: '0',
    PAY_NSEC: 'nsec1short',
    PAY_WEBHOOK_URL: 'https://shop.example/h',
  }
  expect(() => load(broken)).toThrow(
    'configuration error: PAY_BIND must be host:port (got "nowhere"); PAY_CONFIRMATIONS must be a whole number of at least 1 (got "0"); PAY_NSEC must be an nsec or 64 hex digits; PAY_WEBHOOK_URL needs PAY_WEBHOOK_SECRET',
  )
})

test.each([
  ['PAY_TLS=on without files', { PAY_TLS: 'on' }, 'PAY_TLS=on needs PAY_TLS_CERT and PAY_TLS_KEY'],
  ['external relays without any', { PAY_RELAY_MODE: 'external' }, 'PAY_RELAY_MODE=external needs PAY_RELAYS'],
  ['a relay that is not one', { PAY_RELAYS: 'https://x.example' }, 'PAY_RELAYS must begin with wss:// or ws://'],
  [
    'two identities',
    { PAY_NSEC: 'a'.repeat(64), PAY_NCRYPTSEC: `ncryptsec1${'q'.repeat(120)}` },
    'PAY_NSEC and PAY_NCRYPTSEC are both set',
  ],
  [
    'messages without a recipient',
    { PAY_NOTIFY_MERCHANT_DM: 'on' },
    'PAY_NOTIFY_MERCHANT_DM=on needs PAY_MERCHANT_NPUB',
  ],
  ['figures where the till is', { PAY_METRICS_BIND: '[::1]:8080' }, 'PAY_METRICS_BIND and PAY_BIND are the same port'],
  ['more agreeing nodes than there are', { PAY_CONFIRM_NODES: '2' }, 'PAY_CONFIRM_NODES is more than the nodes'],
  [
    'one node named twice as two',
    { PAY_CONFIRM_NODES: '2', PAY_NODE_URL: 'https://a.example,https://a.example/' },
    'PAY_CONFIRM_NODES is more than the nodes',
  ],
  [
    'an amount for two nodes with one',
    { PAY_CONFIRM_NODES_FROM: '5' },
    'PAY_CONFIRM_NODES_FROM needs two different nodes',
  ],
  ['an amount that is none', { PAY_CONFIRM_NODES_FROM: '0' }, 'must be an amount in GRIN above 0'],
  ['a test network without a node', { PAY_CHAIN: 'testnet' }, 'PAY_CHAIN=testnet needs PAY_NODE_URL'],
  ['the sandbox from outside', { PAY_CHAIN: 'sandbox' }, 'PAY_CHAIN=sandbox is for "grinpay sandbox" only'],
  [
    'two receivers in one address',
    { PAY_WEBHOOK_URL: 'https://a.example/h,https://b.example/h', PAY_WEBHOOK_SECRET: SECRET },
    'PAY_WEBHOOK_URL must be one address, without a comma',
  ],
  ['an unknown match mode', { PAY_MATCH_MODE: 'guess' }, 'PAY_MATCH_MODE must be derived, memo, amount (got "guess")'],
  ['a switch with another word', { PAY_GRIN1_RAIL: 'yes' }, 'PAY_GRIN1_RAIL must be "on" or "off"'],
  [
    'a port that is none',
    { PAY_GRIN1_FOREIGN_PORT: '65536' },
    'PAY_GRIN1_FOREIGN_PORT must be a whole number from 1 to 65535',
  ],
  ['an empty currency list', { PAY_RATE_CURRENCIES: ',' }, 'PAY_RATE_CURRENCIES must not be empty'],
  [
    'a node address without scheme',
    { PAY_NODE_URL: 'main.gri.mw' },
    'PAY_NODE_URL must begin with https:// or http://',
  ],
  [
    'a missing fixed rate',
    { PAY_RATE_SOURCE: 'fixed:eur=0.04' },
    'PAY_RATE_SOURCE has no fixed rate for every currency',
  ],
  ['a proxy that is no address', { PAY_TRUSTED_PROXIES: 'proxy.example' }, 'PAY_TRUSTED_PROXIES has a bad address'],
  ['a range that is too long', { PAY_TRUSTED_PROXIES: '10.0.0.0/33' }, 'PAY_TRUSTED_PROXIES has a bad address'],
  [
    'credentials in the public address',
    { PAY_PUBLIC_URL: 'https://u:p@x.example' },
    'must not contain a user name or password',
  ],
])('%s is refused', (_what, variables, text) => {
  expect(() => load(variables)).toThrow(text)
})

test('plain http webhooks go to private hosts only, unless allowed', () => {
  const to = (url: string, more = {}) =>
    load({ PAY_WEBHOOK_URL: url, PAY_WEBHOOK_SECRET: SECRET, ...more }).webhooks[0]?.url
  expect(to('http://127.0.0.1:9000/h')).toBe('http://127.0.0.1:9000/h')
  expect(to('http://woocommerce/h')).toBe('http://woocommerce/h')
  expect(to('http://[fd00::1]/h')).toBe('http://[fd00::1]/h')
  expect(() => to('http://shop.example/h')).toThrow('must be https for a public host')
  expect(to('http://shop.example/h', { PAY_WEBHOOK_ALLOW_HTTP: 'on' })).toBe('http://shop.example/h')
})

test('a secret comes from its file without the last line break', () => {
  const config = load({ PAY_API_TOKEN_FILE: '/s/api' }, { '/s/api': 'pay_live_xxxxxxxx\r\n' })
  expect(config.apiToken?.reveal()).toBe('pay_live_xxxxxxxx')
  expect(JSON.stringify(config)).not.toContain('pay_live_xxxxxxxx')
})

test.each([
  ['an empty file', { PAY_API_TOKEN_FILE: '/s/empty' }, 'PAY_API_TOKEN_FILE: /s/empty is empty'],
  ['a missing file', { PAY_API_TOKEN_FILE: '/s/none' }, 'PAY_API_TOKEN_FILE: cannot read /s/none'],
  [
    'both forms',
    { PAY_API_TOKEN: 'x', PAY_API_TOKEN_FILE: '/s/empty' },
    'PAY_API_TOKEN and PAY_API_TOKEN_FILE are both set',
  ],
])('%s is refused', (_what, variables, text) => {
  expect(() => load(variables, { '/s/empty': '\n' })).toThrow(text)
})

test('a systemd credential stands in for a secret that is not set', () => {
  const config = load({ CREDENTIALS_DIRECTORY: '/run/c' }, { '/run/c/pay_wallet_password': 'correct horse\n' })
  expect(config.walletPassword?.reveal()).toBe('correct horse')
  expect(config.notices).toEqual([])
})

test('the names of the original still work, with a word about it', () => {
  const config = load({
    GP_MATCH_MODE: 'memo',
    GP_TLS: 'off',
    GP_API_TOKEN: 'gp_live_0123456789',
    PAY_CONFIRMATIONS: '3',
    GP_CONFIRMATIONS: '7',
  })
  expect(config).toMatchObject({ matchMode: 'memo', confirmations: 3 })
  expect(config.apiToken?.reveal()).toBe('gp_live_0123456789')
  expect(config.notices).toContain('GP_MATCH_MODE is read as PAY_MATCH_MODE; please rename it')
})

test('a money secret set inline is named, never shown', () => {
  const { notices } = load({ PAY_WALLET_PASSWORD: SECRET })
  expect(notices).toEqual([
    'PAY_WALLET_PASSWORD is set inline; prefer PAY_WALLET_PASSWORD_FILE or a systemd credential',
  ])
})

test('a name that only looks like a setting is pointed out', () => {
  const known = 'is not a setting of grinpay and is ignored'
  expect(load({ PAY_WEBHOK_URL: 'x' }).notices).toEqual([`PAY_WEBHOK_URL ${known} (did you mean PAY_WEBHOOK_URL?)`])
  expect(load({ PAY_WOOCOMMERCE: 'x' }).notices).toEqual([`PAY_WOOCOMMERCE ${known}`])
  expect(load({ GP_WEBHOK_URL: 'x' }).notices).toEqual([`GP_WEBHOK_URL ${known} (did you mean PAY_WEBHOOK_URL?)`])
})

test('an alias beside our name is reported, because it has no effect', () => {
  expect(load({ GP_CONFIRMATIONS: '3', PAY_CONFIRMATIONS: '4' })).toMatchObject({
    confirmations: 4,
    notices: ['GP_CONFIRMATIONS is ignored: PAY_CONFIRMATIONS is set, too'],
  })
})

test('lists are trimmed, lower-cased where it counts, and kept in order', () => {
  const config = load({
    PAY_RATE_CURRENCIES: 'USD, eur , GBP,',
    PAY_RELAYS: 'wss://a.example/, wss://b.example',
    PAY_RELAY_MODE: 'external',
    PAY_CHECKOUT_METHODS: 'telepathy',
    PAY_NODE_URL: 'https://one.example/ , https://two.example',
  })
  expect(config.currencies).toEqual(['usd', 'eur', 'gbp'])
  expect(config.relays).toEqual(['wss://a.example', 'wss://b.example'])
  expect(config.checkoutMethods).toEqual(['nostr', 'slatepack'])
  expect(config.nodeUrls).toEqual(['https://one.example', 'https://two.example'])
})

test('rates can be fixed', () => {
  const config = load({ PAY_RATE_SOURCE: 'fixed:usd=0.05,EUR=0.04', PAY_RATE_CURRENCIES: 'usd,eur' })
  expect(config.rateSources).toEqual([{ kind: 'fixed', rates: { usd: '0.05', eur: '0.04' } }])
})

test('the public address defaults to where we listen', () => {
  expect(load({ PAY_BIND: '[::1]:99' }).publicUrl).toBe('http://[::1]:99')
  expect(load({ PAY_TLS: 'rustls', PAY_TLS_CERT: 'c', PAY_TLS_KEY: 'k' })).toMatchObject({
    publicUrl: 'https://127.0.0.1:8080',
    tls: { cert: 'c', key: 'k' },
  })
  expect(load({ PAY_PUBLIC_URL: ' https://myshop.com/pay/ ' }).publicUrl).toBe('https://myshop.com/pay')
})

test('problems are also available without throwing', () => {
  const { problems, values } = readPayValues(environmentOf({ PAY_BIND: 'x', PAY_CONFIRMATIONS: '4' }))
  expect(problems).toEqual([{ setting: 'PAY_BIND', text: 'PAY_BIND must be host:port (got "x")' }])
  expect(values.confirmations).toBe(4)
})

test('an address that was refused for its password is not repeated with it', () => {
  const { problems } = readPayValues(
    openEnvironment({ variables: { PAY_NODE_URL: 'https://grin:open-sesame@node.example' } }),
  )
  expect(problems.map(({ text }) => text).join()).toContain('PAY_NODE_URL')
  expect(problems.map(({ text }) => text).join()).not.toContain('open-sesame')
})

describe('a proxy that is not named', () => {
  const noticesOf = (variables: Record<string, string>) =>
    readPayValues(openEnvironment({ variables })).notices.filter(({ setting }) => setting === 'PAY_TRUSTED_PROXIES')

  test('is worth a word when customers come from outside', () => {
    expect(noticesOf({ PAY_PUBLIC_URL: 'https://pay.shop.example' })).toHaveLength(1)
  })

  test.each<Record<string, string>>([
    { PAY_PUBLIC_URL: 'http://127.0.0.1:8080' },
    {},
    { PAY_PUBLIC_URL: 'https://pay.shop.example', PAY_TRUSTED_PROXIES: '127.0.0.1' },
    { PAY_PUBLIC_URL: 'https://pay.shop.example', PAY_RATE_LIMITS: 'off' },
    { PAY_PUBLIC_URL: 'https://pay.shop.example', PAY_TLS: 'on', PAY_TLS_CERT: 'c', PAY_TLS_KEY: 'k' },
  ])('is none with %j', (variables) => {
    expect(noticesOf(variables)).toEqual([])
  })
})

test('the mark in QR codes of old env files is said to be gone', () => {
  for (const name of ['PAY_QR_LOGO', 'GP_QR_LOGO'])
    expect(load({ [name]: 'builtin' }).notices).toEqual([
      `${name} means nothing here any more: QR codes carry no mark; PAY_SHOP_LOGO puts the logo of the shop on the page`,
    ])
})

describe('PAY_STATUS_CORS', () => {
  test('is a list of exact origins', () => {
    expect(load({}).statusOrigins).toEqual([])
    expect(load({ PAY_STATUS_CORS: 'https://shop.example, http://localhost:3000' }).statusOrigins).toEqual([
      'https://shop.example',
      'http://localhost:3000',
    ])
  })

  test.each([
    ['*', 'has a bad origin "*"'],
    ['https://shop.example/', 'write https://shop.example'],
    ['https://Shop.example', 'write https://shop.example'],
    ['https://shop.example:443', 'write https://shop.example'],
    ['https://*.shop.example', 'bad origin'],
    ['shop.example', 'bad origin'],
    ['null', 'bad origin'],
  ])('refuses %s', (text, why) => {
    expect(() => load({ PAY_STATUS_CORS: text })).toThrow(why)
  })
})

describe('relays worth a word', () => {
  const OUTSIDE = { PAY_PUBLIC_URL: 'https://pay.shop.example', PAY_TRUSTED_PROXIES: '127.0.0.1' }
  const OWN = { ...OUTSIDE, PAY_BUNDLED_RELAY_URL: 'wss://relay.shop.example' }

  test.each<[string, Record<string, string>]>([
    ['ws:// relay on a public host', { ...OWN, PAY_RELAYS: 'wss://a.example,ws://b.example' }],
    ['ws:// relay on a public host', { ...OUTSIDE, PAY_BUNDLED_RELAY_URL: 'ws://relay.shop.example' }],
    ['no customer reaches', OUTSIDE],
    ['no customer reaches', { ...OUTSIDE, PAY_BUNDLED_RELAY_URL: 'ws://[::1]:7777' }],
  ])('%s: %j', (text, variables) => {
    expect(load(variables).notices).toEqual([expect.stringContaining(text)])
  })

  test.each<Record<string, string>>([
    OWN,
    { ...OUTSIDE, PAY_RELAY_MODE: 'external', PAY_RELAYS: 'wss://a.example' },
    { ...OUTSIDE, PAY_INGEST: 'off' },
    { PAY_RELAYS: 'ws://127.0.0.1:9,ws://relay' },
  ])('none: %j', (variables) => {
    expect(load(variables).notices).toEqual([])
  })
})

test('the figures are for this machine, and a word is said when they are not', () => {
  expect(load({ PAY_METRICS_BIND: '127.0.0.1:9100' })).toMatchObject({
    metricsBind: { host: '127.0.0.1', port: 9100 },
    notices: [],
  })
  expect(load({ PAY_METRICS_BIND: '0.0.0.0:9100' }).notices).toEqual([expect.stringContaining('PAY_METRICS_BIND')])
})

describe('the relays that the settings come to', () => {
  const relaySet = (variables: Record<string, string>) =>
    DAEMONS.pay.combined(environmentOf(variables)).map(({ name, value, origin }) => `${name} ${value} ${origin}`)

  test('own relay first, three are advertised, none twice', () => {
    expect(relaySet({ PAY_RELAYS: 'wss://a.example,ws://127.0.0.1:7777,wss://b.example,wss://c.example' })).toEqual([
      'relay-set.1 ws://127.0.0.1:7777 own relay, advertised',
      'relay-set.2 wss://a.example advertised',
      'relay-set.3 wss://b.example advertised',
      'relay-set.4 wss://c.example only listened to',
    ])
  })

  test('in mode external only those that are named', () => {
    expect(relaySet({ PAY_RELAY_MODE: 'external', PAY_RELAYS: 'wss://a.example' })).toEqual([
      'relay-set.1 wss://a.example advertised',
    ])
  })

  test('are not guessed while a setting is broken', () => {
    expect(relaySet({ PAY_RELAYS: 'https://a.example' })).toEqual([])
  })
})

test('rate sources are a list in order; fixed rates keep their commas, and an old rate stands in for 15 minutes', () => {
  expect(load()).toMatchObject({ rateSources: [{ kind: 'coingecko' }, { kind: 'coinpaprika' }], rateStaleMax: 900 })
  const listed = 'https://rates.example/grin?a=1,2, coingecko,fixed:usd=0.05,eur=0.04'
  expect(load({ PAY_RATE_SOURCE: listed, PAY_RATE_CURRENCIES: 'usd,eur' }).rateSources).toEqual([
    { kind: 'url', url: 'https://rates.example/grin?a=1,2' },
    { kind: 'coingecko' },
    { kind: 'fixed', rates: { usd: '0.05', eur: '0.04' } },
  ])
  expect(() => load({ PAY_RATE_SOURCE: 'coingecko,nowhere' })).toThrow('PAY_RATE_SOURCE must list')
})

const NO_OTHER_REMARKS = { PAY_RATE_LIMITS: 'off', PAY_INGEST: 'off' }

test.each([
  [{ PAY_PUBLIC_URL: 'http://pay.shop.example' }, 'PAY_PUBLIC_URL must begin with https://'],
  [{ PAY_RATE_CURRENCIES: 'usd,dollars' }, '"dollars" is none'],
  [{ PAY_RATE_CURRENCIES: 'usd,usdt', PAY_RATE_SOURCE: 'fixed:usd=0.05,coingecko' }, '"usdt" is none'],
])('%j is allowed and worth a remark', (variables, text) => {
  expect(load({ ...NO_OTHER_REMARKS, ...variables }).notices).toEqual([expect.stringContaining(text)])
})

test.each([
  { PAY_PUBLIC_URL: 'http://192.168.1.5:8080' },
  { PAY_PUBLIC_URL: `http://${'a'.repeat(56)}.onion` },
  { PAY_RATE_CURRENCIES: 'usd,EUR,sats' },
  { PAY_RATE_CURRENCIES: 'usd,usdt', PAY_RATE_SOURCE: 'coingecko,fixed:usd=0.05,usdt=0.05' },
  { PAY_RATE_CURRENCIES: 'usdt', PAY_RATE_SOURCE: 'https://rates.shop.example/price' },
])('%j is worth none', (variables) => {
  expect(load({ ...NO_OTHER_REMARKS, ...variables }).notices).toEqual([])
})

describe('an address that paths are added to', () => {
  test.each([
    ['https://Pay.Shop.example:443/', 'https://pay.shop.example'],
    ['https://bücher.example/kasse/', 'https://xn--bcher-kva.example/kasse'],
    ['http://127.0.0.1:80', 'http://127.0.0.1'],
  ])('%s is spelled %s', (written, spelled) => {
    const { publicUrl, nodeUrls } = load({ PAY_PUBLIC_URL: written, PAY_NODE_URL: written })
    expect({ publicUrl, nodeUrls }).toEqual({ publicUrl: spelled, nodeUrls: [spelled] })
  })

  test.each(
    ['PAY_PUBLIC_URL', 'PAY_NODE_URL', 'PAY_CONSOLE_URL'].flatMap((setting) =>
      ['https://pay.example/?a=b', 'https://pay.example/#a', 'https://pay.example?'].map((address) => [
        setting,
        address,
      ]),
    ),
  )('%s refuses %s and says what to write', (setting, address) => {
    expect(() => load({ PAY_CONSOLE: 'on', [setting]: address })).toThrow(
      `${setting} must be an address without "?" and "#": write https://pay.example`,
    )
  })
})
