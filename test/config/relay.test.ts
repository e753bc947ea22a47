// Settings of the relay: each key's default, what it takes from the file and from variables, and what it refuses.

import { describe, expect, test } from 'vitest'
import {
  effectiveSettings,
  layeredEnvironment,
  loadRelayConfig,
  openEnvironment,
  settingGroups,
  settingsSummary,
} from '../../src/config/index.js'
import { RELAY_DATA_DIR } from '../../src/config/relay.js'
import { RELAY_SETTINGS } from '../../src/config/relay-settings.js'
import type { Setting } from '../../src/config/setting.js'
import { relayPlaces } from '../../src/system/paths.js'
import { withLines } from '../support/notice-lines.js'

const KEY = 'a'.repeat(64)
const NPUB = 'npub1424242424242424242424242424242424242424242424242424qamrcaj'
const TOKEN = 'pay_live_sell-names'

type Texts = Readonly<Record<string, string>>

const environmentOf = (variables: Texts = {}, files: Texts = {}) =>
  openEnvironment({
    variables,
    readFile: (path) => {
      const text = files[path]
      if (text === undefined) throw new Error('no such file')
      return text
    },
  })

const sourcesOf = (toml: string | undefined, variables: Texts = {}, files: Texts = {}) => ({
  environment: environmentOf(variables, files),
  file: toml === undefined ? undefined : { path: 'relay.toml', text: toml },
})
const load = (toml?: string, variables?: Texts, files?: Texts) =>
  withLines(loadRelayConfig(sourcesOf(toml, variables, files)))
const refusal = (toml?: string, variables?: Texts, files?: Texts): string => {
  try {
    load(toml, variables, files)
  } catch (error) {
    return String(error)
  }
  throw new Error('was taken')
}

test('defaults alone make a relay', () => {
  const { relay, policy, ...rest } = load()
  expect(relay.limits).toEqual({
    maxEventBytes: 131_072,
    maxMessageBytes: 262_144,
    maxContentLength: 131_072,
    maxSubscriptions: 20,
    maxSubscriptionIdLength: 64,
    maxFilters: 200,
    maxFiltersPerConnection: 500,
    maxFilterValues: 5000,
    maxLimit: 500,
    defaultLimit: 500,
    maxTags: 2000,
    maxTagValueBytes: 1024,
    maxPendingBytes: 33_554_432,
    maxClientBytes: 536_870_912,
    eventsPerMinute: undefined,
    subscriptionsPerMinute: undefined,
    maxConnections: 20_000,
    maxConnectionsPerAddress: undefined,
    rejectFutureSeconds: 900,
    rejectPastSeconds: 94_608_000,
    pingSeconds: 55,
    maxKeys: 8,
    giftWrapRecipientDelete: false,
  })
  expect(relay).toMatchObject({
    info: { relayUrls: [], name: 'Nostr relay', pubkey: undefined },
    auth: { enabled: false, giftWrapsToRecipient: false },
    negentropy: { enabled: true, maxSyncEvents: 1_000_000 },
    countMax: 1_000_000,
    searchKinds: [],
    durability: 'commit',
  })
  expect(policy).toEqual({
    kinds: [
      0, 1, 3, 5, 7, 13, 14, 16, 17, 1059, 1111, 10000, 10002, 10050, 24133, 24140, 27235, 30000, 30003, 30023, 30078,
      30402, 30405, 30406, 31990,
    ],
    blockedKinds: [],
    authors: [],
    whitelist: undefined,
    requireAuth: false,
    requireName: false,
    payMode: 'off',
    verdictSeconds: 60,
    plugin: undefined,
  })
  expect(rest).toEqual({
    bind: { host: '127.0.0.1', port: 7777 },
    trustedProxies: ['127.0.0.0/8', '::1'],
    addressHeader: 'x-real-ip',
    compression: false,
    dataDir: RELAY_DATA_DIR,
    dbPath: `${RELAY_DATA_DIR}/relay.db`,
    pages: { landing: undefined, favicon: undefined },
    authority: { mode: 'off', upstream: 'http://127.0.0.1:8191', colocated: true },
    names: undefined,
    torBind: undefined,
    metricsBind: undefined,
    console: false,
    consoleBind: { host: '127.0.0.1', port: 3482 },
    retention: undefined,
    admins: [],
    notices: [],
  })
})

test('the usual place of the database is the machine’s', () => expect(RELAY_DATA_DIR).toBe(relayPlaces().dataDir))

test('the loaded settings cannot be changed', () => expect(Object.isFrozen(load())).toBe(true))

/** As TOML, and as a variable's text; both are legal for the setting, and differ from its default. */
const SAMPLES: Readonly<Record<string, readonly [toml: string, text: string]>> = {
  'log.url': [
    '"postgresql://relay@a:5432/grinpay?sslmode=verify-full"',
    'postgresql://relay@a:5432/grinpay?sslmode=verify-full',
  ],
  'log.schema': ['"second"', 'third'],
  'log.unsafe': ['"single"', 'single'],
  'info.relay_url': ['"wss://relay.example"', 'wss://relay.example'],
  'info.pubkey': [`"${NPUB}"`, KEY],
  'info.self': [`"${KEY}"`, KEY],
  'network.address': ['"::1"', '0.0.0.0'],
  'network.remote_ip_header': ['"X-Forwarded-For"', 'x-forwarded-for'],
  'network.trusted_proxies': ['["10.0.0.1"]', 'none'],
  'limits.max_pending_bytes': ['65536', '65536'],
  'limits.max_client_bytes': ['16777216', '16777216'],
  'write_policy.timeout_seconds': ['2', '2'],
  'limits.event_kind_allowlist': ['[1, 2]', '1,2'],
  'limits.event_kind_blacklist': ['[7]', '7'],
  'authorization.public_note_authors': [`["${KEY}"]`, NPUB],
  'authorization.pubkey_whitelist': [`["${KEY}"]`, KEY],
  'database.durability': ['"fsync"', 'fsync'],
  'retention.kinds': ['[1]', '1'],
  'search.kinds': ['[0]', '0'],
  'retention.whitelist_addresses': [`["${KEY}"]`, KEY],
  'authority.mode': ['"upstream"', 'upstream'],
  'authority.upstream': ['"http://10.0.0.2:8191"', 'http://10.0.0.2:8191/'],
  'name_authority.domain': ['"names.example"', 'names.example'],
  'name_authority.base_url': ['"https://names.example"', 'https://names.example'],
  'name_authority.relays': ['["wss://relay.example"]', 'wss://relay.example'],
  'name_authority.reserved': ['["bank"]', 'bank'],
  'name_authority.reserved_file': ['"reserved.txt"', 'reserved.txt'],
  'pay.pay_mode': ['"name"', 'name'],
  'pay.url': ['"http://127.0.0.1:8080"', 'http://127.0.0.1:8080'],
  'pay.name_price_grin': ['0.5', '0.5'],
  'pay.admission_price_grin': ['"0.5"', '0.5'],
  'metrics.bind': ['"127.0.0.1:9100"', '127.0.0.1:9100'],
  'network.tor_bind': ['"127.0.0.1:7778"', '127.0.0.1:7778'],
  'console.bind': ['"127.0.0.1:3490"', '127.0.0.1:3490'],
  'console.url': ['"https://console.example"', 'https://console.example'],
  'management.admins': [`["${KEY}"]`, KEY],
}

const byForm: Readonly<Record<string, readonly [string, string]>> = {
  text: ['"https://text.example/x"', 'https://text.example/x'],
  whole: ['7', '7'],
}

function sampleOf({ key = '', form = 'text', initial }: Setting<unknown>): readonly [string, string] {
  if (form === 'switch') return initial === 'true' ? ['false', 'off'] : ['true', 'yes']
  const usual = key.endsWith('seconds') || key.startsWith('limits.max_') ? (['2048', '2048'] as const) : undefined
  return SAMPLES[key] ?? usual ?? byForm[form] ?? ['?', '?']
}

const all: readonly Setting<unknown>[] = Object.values<Setting<unknown>>(RELAY_SETTINGS)

/** The reading of this one setting from a file or from variables; other settings may contradict it. */
/** The value of a secret is not shown. */
const secretOf = (key: string, text: string): string => (SAMPLES[key] ? text : 'x'.repeat(16))

const readBy = (setting: Setting<unknown>, toml: string | undefined, variables: Texts = {}) =>
  effectiveSettings(layeredEnvironment(sourcesOf(toml, variables, { 'reserved.txt': '' })), 'relay').find(
    ({ name }) => name === setting.key,
  )

describe.each(all.map((setting) => ({ key: setting.key ?? '', setting })))('$key', ({ key, setting }) => {
  const [section = '', name = ''] = key.split('.')
  const [toml, text] = sampleOf(setting)
  const variables = [setting.name, ...(setting.aliases ?? [])]

  test('is taken from the file, under each of its names', () => {
    for (const place of [key, ...(setting.otherKeys ?? [])]) {
      const [inside, called] = place.split('.')
      const shown = readBy(setting, `[${inside}]\n${called} = ${toml}\n`)
      expect(shown?.origin).toBe('relay.toml')
      expect(setting.read(shown?.value === 'set' ? secretOf(key, text) : shown?.value)).toMatchObject({ success: true })
    }
  })

  test('is taken from each of its variables, which win over the file', () => {
    expect(variables).toContain(`RELAY_${section}_${name}`.toUpperCase())
    for (const variable of variables) {
      const shown = readBy(setting, `[${section}]\n${name} = ${toml}\n`, { [variable]: text })
      expect(shown?.origin).toBe('environment')
      expect(setting.read(shown?.value === 'set' ? secretOf(key, text) : shown?.value)).toMatchObject({ success: true })
    }
  })

  test('is refused when it is a table', () => {
    expect(refusal(`[${section}]\n${name} = { a = 1 }\n`)).toContain(`${key} must be `)
  })
})

test('every key stands in a section of the documentation', () => {
  const documentedKeys = settingGroups('relay').flatMap(({ settings }) => settings.map(({ key }) => key))
  expect(documentedKeys).toEqual(all.map(({ key }) => key))
})

test.each([
  ['[limits]\nmax_limt = 5', 'unknown setting limits.max_limt; did you mean limits.max_limit?'],
  ['[netwrok]\nport = 1', 'unknown section [netwrok]; did you mean [network]?'],
  ['[quite_different_words]\nport = 1', 'unknown section [quite_different_words]'],
  ['port = 1', 'unknown setting port; settings stand in sections'],
  ['limits = 5', 'limits must be a section: [limits]'],
  ['[[limits]]\nmax_limit = 5', 'limits must be a section: [limits]'],
  ['[limits]\nmessages_per_sec = 5', 'limits are per connection here: limits.events_per_min_per_connection'],
  ['[verified_users]\nmode = "x"', 'unknown section [verified_users]: authorization.require_name takes its place'],
  ['[limits]\nmax_limit = "5"', 'limits.max_limit must be a whole number without quotes'],
  ['[limits]\nmax_limit = 5.5', 'limits.max_limit must be a whole number without quotes'],
  ['[limits]\nmax_limit = -1', 'limits.max_limit must be a whole number from 1 to 1000000 (got "-1")'],
  ['[limits]\nmax_limit = 99999999999999999999', 'limits.max_limit must be a whole number from 1'],
  ['[info]\nname = 5', 'info.name must be a text in quotes'],
  ['[info]\nname = 2026-01-01', 'info.name must be a text in quotes'],
  ['[negentropy]\nenabled = "yes"', 'negentropy.enabled must be true or false'],
  ['[limits]\nevent_kind_allowlist = []', 'limits.event_kind_allowlist must not be empty'],
  ['[limits]\nevent_kind_allowlist = ["1"]', 'limits.event_kind_allowlist must be a list of kinds such as [1, "20000'],
  ['[limits]\nevent_kind_allowlist = "every"', 'limits.event_kind_allowlist must be a list of kinds such as'],
  [
    '[limits]\nevent_kind_allowlist = ["all", 1]',
    'limits.event_kind_allowlist must be "all" alone, or a list of kinds',
  ],
  ['[limits]\nevent_kind_allowlist = ["9-3"]', 'limits.event_kind_allowlist has a range that runs backwards: "9-3"'],
  ['[limits]\nevent_kind_blacklist = ["1-70000"]', 'limits.event_kind_blacklist has a bad kind "70000"'],
  ['[retention]\nkinds = ["3-1"]', 'retention.kinds has a range that runs backwards: "3-1"'],
  ['[search]\nkinds = ["1-3"]', 'search.kinds must be a list of whole numbers'],
  [
    `[authorization]\npublic_note_authors = ["everyone", "${KEY}"]`,
    'authorization.public_note_authors must be "everyone" alone, or a list of keys',
  ],
  ['[limits]\nevent_kind_allowlist = [70000]', 'limits.event_kind_allowlist has a bad kind "70000"'],
  ['[authorization]\npubkey_whitelist = []', 'authorization.pubkey_whitelist must not be empty'],
  ['[authorization]\npubkey_whitelist = ["npub1xyz"]', 'must be an npub or 64 hex digits (got "npub1xyz")'],
  [
    `[authorization]\npubkey_whitelist = ["${KEY}", "bob"]`,
    'authorization.pubkey_whitelist has "bob", which must be an npub or 64 hex digits',
  ],
  ['[info]\npubkey = "me"', 'info.pubkey must be an npub or 64 hex digits (got "me")'],
  ['[info]\nrelay_page = "gone.html"', 'info.relay_page: cannot read gone.html'],
  ['[info]\nfavicon = "gone.ico"', 'info.favicon: cannot read gone.ico'],
  ['[name_authority]\nreserved = ["a,b"]', 'name_authority.reserved must be a list of texts'],
  ['[pay]\nurl = "http://a"\n[goblinpay]\nurl = "http://b"', 'goblinpay.url and pay.url are both set'],
  ['[info]\nrelay_url = "https://relay.example"', 'info.relay_url must begin with wss:// or ws://'],
  ['[info\n', 'relay.toml is not valid TOML: line 1'],
  ['[__proto__]\na = 1', 'relay.toml'],
  ['[authorization]\nnip42_auth = true', 'authorization.nip42_auth needs info.relay_url'],
  ['[authorization]\nrequire_auth_to_write = true', 'authorization.require_auth_to_write needs info.relay_url'],
  [
    '[authorization]\nrequire_auth_to_write = true\nnip42_auth = false',
    'authorization.require_auth_to_write needs authorization.nip42_auth, which is false',
  ],
  ['[limits]\nmax_event_bytes = 300000', 'limits.max_event_bytes is more than limits.max_ws_message_bytes'],
  ['[limits]\ndefault_limit = 600', 'limits.default_limit is more than limits.max_limit'],
  ['[name_authority]\nenabled = true', 'name_authority.domain is not set'],
  ['[name_authority]\nenabled = true', 'name_authority.base_url is not set'],
  ['[name_authority]\nenabled = true\n[authority]\nmode = "upstream"', 'contradict each other'],
  ['[name_authority]\nenabled = false\n[authority]\nmode = "in-process"', 'contradict each other'],
])('%j is refused', (toml, words) => {
  expect(refusal(toml)).toContain(words)
})

test('one line reports everything that is wrong', () => {
  const message = refusal('[limits]\nmax_limt = 1\nmax_tags = "x"\n[authority]\nmode = "of"', {
    RELAY_COUNT_MAX: 'many',
  })
  for (const part of ['limits.max_limt', 'limits.max_tags', 'authority.mode', 'RELAY_COUNT_MAX'])
    expect(message).toContain(part)
  expect(message.split('\n')).toHaveLength(1)
})

describe('a list that would close the relay, emptied in a variable, keeps it from starting instead of opening it', () => {
  test.each([
    'RELAY_ALLOWED_KINDS',
    'RELAY_LIMITS_EVENT_KIND_ALLOWLIST',
    'FLOONET_ALLOWED_KINDS',
    'RELAY_AUTHORIZATION_PUBKEY_WHITELIST',
    'RELAY_NETWORK_TRUSTED_PROXIES',
  ])('%s', (name) => {
    for (const text of ['', ' ']) expect(refusal('', { [name]: text })).toContain('must not be empty')
  })

  test('also where the file has one: the variable wins', () => {
    const file = `[authorization]\npubkey_whitelist = ["${KEY}"]`
    expect(refusal(file, { RELAY_AUTHORIZATION_PUBKEY_WHITELIST: '' })).toContain('must not be empty')
  })

  test('another name of it that says something is enough', () => {
    expect(load(undefined, { RELAY_ALLOWED_KINDS: '', FLOONET_ALLOWED_KINDS: '1' }).policy.kinds).toEqual([1])
  })
})

test('other empty variables count as unset, as env files have it: the file has the word, else the default', () => {
  const emptied = { RELAY_REQUIRE_AUTH: '', RELAY_COUNT_MAX: ' ', RELAY_LIMITS_MAX_TAGS: '' }
  const file =
    '[info]\nrelay_url = "wss://relay.example"\n[authorization]\nrequire_auth_to_write = true\n[count]\nmax = 7'
  const { policy, relay } = load(file, emptied)
  expect([policy.requireAuth, relay.countMax, relay.limits.maxTags]).toEqual([true, 7, 2000])
})

test('an invalid key in the list of authors is reported and skipped', () => {
  const { policy, notices } = load(`[authorization]\npublic_note_authors = ["${NPUB}", "nobody"]`)
  expect(policy.authors).toEqual([KEY])
  expect(notices).toEqual(['authorization.public_note_authors: skipped what is no key: nobody'])
})

describe('a relay for everyone', () => {
  const OPEN = [
    ['authorization', 'public_note_authors = "everyone"'],
    ['limits', 'event_kind_allowlist = "all"'],
    ['options', 'reject_past_seconds = 0'],
  ]
  const toml = OPEN.map(([section, line]) => `[${section}]\n${line}\n`).join('')

  test('is three settings, and nothing keeps wallets away', () => {
    const { policy, relay, notices } = load(toml.replace('[limits]', '[limits]\nevents_per_min_per_connection = 60'))
    expect(policy).toMatchObject({ kinds: [{ first: 0, last: 65_535 }], authors: 'everyone' })
    expect(relay.limits.rejectPastSeconds).toBeUndefined()
    expect(notices).toEqual([])
  })

  test('without a limit of events a minute there is a note about spam', () => {
    expect(load(toml).notices).toEqual([
      'authorization.public_note_authors is "everyone" and limits.events_per_min_per_connection is not set: one client can fill the disk',
    ])
    expect(load(`[authorization]\npublic_note_authors = ["${KEY}"]`).notices).toEqual([])
  })

  test('the same by variables, in any case of letters', () => {
    const variables = { RELAY_ALLOWED_KINDS: 'ALL', RELAY_AUTHORIZED_AUTHORS: 'Everyone' }
    expect(load(undefined, variables).policy).toMatchObject({
      kinds: [{ first: 0, last: 65_535 }],
      authors: 'everyone',
    })
  })

  test('kinds and ranges of kinds stand in one list, accepted or refused', () => {
    const { policy } = load(
      '[limits]\nevent_kind_allowlist = [0, "20000-29999", 7]\nevent_kind_blacklist = ["24000-24100"]',
    )
    expect(policy.kinds).toEqual([0, { first: 20_000, last: 29_999 }, 7])
    expect(policy.blockedKinds).toEqual([{ first: 24_000, last: 24_100 }])
    const { retention } = load('[retention]\npersist_days = 1\nkinds = [1, "20000-29999"]')
    expect(retention?.kinds).toEqual([1, { first: 20_000, last: 29_999 }])
    const variables = { RELAY_ALLOWED_KINDS: '1, 5-7', RELAY_LIMITS_EVENT_KIND_BLACKLIST: '6' }
    expect(load(undefined, variables).policy).toMatchObject({ kinds: [1, { first: 5, last: 7 }], blockedKinds: [6] })
  })

  test('a bound in the past of less than two days keeps wallets away; no bound does not', () => {
    const noticed = (seconds: number) => load(`[options]\nreject_past_seconds = ${seconds}`).notices
    expect(noticed(172_799)).toEqual(['options.reject_past_seconds is below 172800: wallets will not use this relay'])
    expect([noticed(0), noticed(172_800)]).toEqual([[], []])
  })
})

test('names for sale at an authority that is somewhere else are remarked upon', () => {
  expect(load('[pay]\npay_mode = "name"').notices).toEqual([
    'pay.pay_mode = "name" says nothing here: names are sold by the authority, which is not in this relay',
  ])
})

const NAMES = '[name_authority]\nenabled = true\ndomain = "names.example"\nbase_url = "https://names.example"\n'

describe('the name authority in-process', () => {
  test('takes its rules from its section and lies beside the relay’s database', () => {
    const { authority, names } = load(
      `${NAMES}reserved = ["Bank"]\nreserved_file = "r.txt"\nname_change_cooldown_secs = 5\n[info]\nrelay_url = "wss://names.example"\n[database]\ndata_directory = "/data"`,
      {},
      { 'r.txt': '# kept back\nTax\n' },
    )
    expect(authority.mode).toBe('in-process')
    expect(names).toMatchObject({
      domain: 'names.example',
      baseUrl: 'https://names.example',
      relays: ['wss://names.example'],
      dbPath: '/data/names.db',
      reserved: ['bank', 'tax'],
      cooldownSeconds: 5,
      nameMin: 3,
      nameMax: 20,
      readRate: { max: 120, windowSeconds: 60 },
      writeRate: { max: 10, windowSeconds: 3600 },
      sale: undefined,
      transfers: undefined,
    })
  })

  test('sells by the section of payments, whose token may lie in a file', () => {
    const pay =
      '[goblinpay]\npay_mode = "name"\nurl = "http://127.0.0.1:8080"\napi_token_file = "token"\nname_price_grin = 0.25\n'
    const { names, policy } = load(NAMES + pay, {}, { token: `${TOKEN}\n` })
    expect(names?.sale).toEqual({ resource: 'name', priceGrin: '0.25' })
    expect(names?.pay?.token.reveal()).toBe(TOKEN)
    expect(policy.payMode).toBe('off')
  })

  test('says what a sale lacks, and never the token', () => {
    expect(refusal(`${NAMES}[pay]\npay_mode = "name"\napi_token = "${TOKEN}"`)).toContain('needs pay.url')
    expect(refusal(`${NAMES}[pay]\npay_mode = "name"\nurl = "http://x"`)).toContain('needs pay.api_token_file')
    expect(refusal(`${NAMES}[pay]\napi_token = ["${TOKEN}"]`)).not.toContain(TOKEN)
  })

  test('must name the host of its domain', () => {
    expect(refusal(NAMES.replace('https://names', 'https://other'))).toContain(
      'name_authority.base_url must have the host of name_authority.domain, "names.example" (got "other.example")',
    )
  })

  test('is asked about payments in mode write, where clients must say who they are', () => {
    const pay = '[pay]\npay_mode = "write"\nurl = "http://127.0.0.1:8080"\napi_token = "tttttttttttttttt"\n'
    const { relay, policy, names } = load(`${NAMES}${pay}[info]\nrelay_url = "wss://names.example"`)
    expect(relay.auth.enabled).toBe(true)
    expect(policy.payMode).toBe('write')
    expect(names?.sale).toEqual({ resource: 'write', priceGrin: '1' })
  })
})

test('a variable of the originals wins over the file, and is reported as deprecated', () => {
  const { policy, notices } = load('[limits]\nevent_kind_allowlist = [1]', { FLOONET_ALLOWED_KINDS: '0,3' })
  expect(policy.kinds).toEqual([0, 3])
  expect(notices).toContain('FLOONET_ALLOWED_KINDS is read as RELAY_ALLOWED_KINDS; please rename it')
})

test('what unset settings come to is shown', () => {
  const shown = (toml?: string) =>
    new Map(effectiveSettings(layeredEnvironment(sourcesOf(toml)), 'relay', '/home/data').map((one) => [one.name, one]))
  const byItself = shown()
  for (const [name, value] of Object.entries({
    'database.data_directory': '/home/data',
    'limits.max_content_length': '131072',
    'authorization.nip42_auth': 'false',
    'authority.mode': 'off',
  }))
    expect(byItself.get(name)).toEqual({ name, value, origin: 'default' })
  expect(byItself.get('name_authority.relays')).toMatchObject({ value: 'unset', origin: '' })

  const settings = shown(`${NAMES}[info]\nrelay_url = "wss://a"\n[authorization]\nrequire_auth_to_write = true`)
  expect(settings.get('authority.mode')?.value).toBe('in-process')
  expect(settings.get('authorization.nip42_auth')?.value).toBe('true')
  expect(settings.get('name_authority.relays')?.value).toBe('wss://a')
})

test('the switch of the placement is the name authority’s variable', () => {
  expect(load(undefined, { NAMEAUTH_AUTHORITY_COLOCATED: 'off' }).authority.colocated).toBe(false)
})

test('a systemd credential counts more than the file', () => {
  const shown = layeredEnvironment(
    sourcesOf(
      '[pay]\napi_token_file = "other"',
      { CREDENTIALS_DIRECTORY: '/run/c' },
      { '/run/c/relay_pay_api_token': 'x'.repeat(16) },
    ),
  )
  expect(effectiveSettings(shown, 'relay').find(({ name }) => name === 'pay.api_token')).toMatchObject({
    value: 'set',
    origin: '/run/c/relay_pay_api_token',
  })
})

test('the line of the start counts the values of a long list, and shows a short one and a long text', () => {
  const authors = Array.from({ length: 300 }, (_, index) => `"${String(index).padStart(64, '0')}"`)
  const description = 'a, '.repeat(150)
  const toml = `[info]\ndescription = "${description}"\n[authorization]\npublic_note_authors = [${authors}]\n[limits]\nevent_kind_allowlist = [1, 7]`
  expect(settingsSummary(layeredEnvironment(sourcesOf(toml)), 'relay')).toEqual({
    'info.description': description,
    'authorization.public_note_authors': '300 values',
    'limits.event_kind_allowlist': '1,7',
  })
})

test('a variable that is no setting is reported', () => {
  expect(load(undefined, { RELAY_MAX_LIMIT: '5' }).notices).toEqual([
    'RELAY_MAX_LIMIT is not a setting of grinpay and is ignored (did you mean RELAY_LIMITS_MAX_LIMIT?)',
  ])
})

test('a variable of a setting that is gone says what takes its place', () => {
  expect(load(undefined, { RELAY_LIMITS_LIMIT_SCRAPERS: 'true' }).notices).toEqual([
    'RELAY_LIMITS_LIMIT_SCRAPERS means nothing here any more: remove it; limits.max_limit bounds every answer',
  ])
})

test('managers without an address of the relay cause a notice, since no key can sign for it', () => {
  const admins = `[management]\nadmins = ["${'aa'.repeat(32)}"]\n`
  const adminNotices = (toml: string) => load(toml).notices.filter((notice) => notice.startsWith('management.admins'))
  expect(adminNotices(admins)).toHaveLength(1)
  expect(adminNotices(`${admins}[info]\nrelay_url = "wss://relay.example"`)).toEqual([])
})

test('what keeps the wallet away is reported', () => {
  const toml =
    '[limits]\nmax_ws_message_bytes = 131071\nmax_event_bytes = 1024\n[options]\nreject_past_seconds = 172799\n'
  expect(
    load(`${toml}[info]\nrelay_url = "wss://relay.example"\n[authorization]\nrequire_name = true`).notices.filter(
      (notice) => notice.includes('wallet'),
    ),
  ).toHaveLength(3)
})

test('bounds of what is kept come together; without any, everything stays', () => {
  expect(load('[retention]\nwhitelist_addresses = []').retention).toBeUndefined()
  expect(load(`[retention]\npersist_days = 30\nkinds = [1]\nwhitelist_addresses = ["${NPUB}"]`).retention).toEqual({
    maxEvents: undefined,
    maxBytes: undefined,
    days: 30,
    keepAuthors: [KEY],
    kinds: [1],
  })
})

test('the address that clients sign has one spelling', () => {
  const toml = '[info]\nrelay_url = "wss://RELAY2.test:443, wss://relay2.test/, ws://bücher.example:80/inbox/"\n'
  expect(load(toml).relay.info.relayUrls).toEqual(['wss://relay2.test', 'ws://xn--bcher-kva.example/inbox'])
  expect(refusal('[info]\nrelay_url = "wss://relay.example/?a=b"\n')).toContain('info.relay_url')
})
