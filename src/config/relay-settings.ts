// Every setting of `serve relay` (specification: relay, 9.1 and 11.3; names, 2). Sections and keys are those of the TOML file.
import * as names from './nameauth-values.js'
import * as as from './relay-setting.js'
import * as its from './relay-values.js'
import * as one from './values.js'

export const RELAY_GROUPS = [
  'info',
  'network',
  'options',
  'limits',
  'authorization',
  'write_policy',
  'database',
  'log',
  'retention',
  'negentropy',
  'count',
  'search',
  'authority',
  'name_authority',
  'pay',
  'metrics',
  'console',
  'management',
] as const

/** Variables that are no settings: files to read, and the key of `relay sync`. */
export const RELAY_FILE_VARIABLES: readonly string[] = [
  ...['RELAY_CONFIG_FILE', 'RELAY_ENV_FILE'],
  ...['RELAY_SYNC_KEY', 'RELAY_SYNC_KEY_FILE'],
]

const KINDS =
  '0,1,3,5,7,13,14,16,17,1059,1111,10000,10002,10050,24133,24140,27235,30000,30003,30023,30078,30402,30405,30406,31990'

/** Long enough for everything, and still exact in milliseconds. */
const LONGEST = 1_000_000_000
/** Of seconds since 1970: no bound at all. */
const EVER = 4_294_967_295
const MEBIBYTE = 1024 * 1024
/** No message is let grow beyond this. */
const MOST_BYTES = 64 * MEBIBYTE

/** More connections to one file gain nothing. */
const MOST_READERS = 8

export const RELAY_SETTINGS = {
  relayUrls: as.maybeListed(its.relayUrls)(
    'info.relay_url',
    'Public address (wss://relay.example), or several; required for NIP-42, where clients sign it.',
  ),
  name: as.text('Nostr relay', one.path)('info.name', 'Name in the relay document (NIP-11) and on the page.'),
  description: as.text('A relay for Nostr clients.', one.path)('info.description', 'One line about the relay.'),
  pubkey: as.maybeText(its.key)('info.pubkey', 'Key of the operator, npub or hex.'),
  self: as.maybeText(its.key)('info.self', 'Key of the relay itself, npub or hex.'),
  contact: as.maybeText(one.path)('info.contact', 'How to reach the operator, such as mailto:relay@example.com.'),
  icon: as.maybeText(one.address('https', 'http'))('info.relay_icon', 'Address of a square picture.', {
    otherKeys: ['info.icon'],
  }),
  banner: as.maybeText(one.address('https', 'http'))('info.banner', 'Address of a wide picture.'),
  privacyPolicy: as.maybeText(one.address('https', 'http'))('info.privacy_policy', 'Address of the privacy policy.'),
  termsOfService: as.maybeText(one.address('https', 'http'))('info.terms_of_service', 'Address of the terms of use.'),
  favicon: as.maybeText(one.path)('info.favicon', 'File served as /favicon.ico. Unset: 404.'),
  relayPage: as.maybeText(one.path)('info.relay_page', 'HTML file served at / in place of the built-in page.'),

  address: as.text('127.0.0.1', its.host)('network.address', 'Listen address.'),
  port: as.whole(7777, 0, 65_535)('network.port', 'Listen port; 0 = a free one.'),
  addressHeader: as.text('x-real-ip', its.addressHeader)(
    'network.remote_ip_header',
    'Header with the client address, set by a trusted proxy: x-real-ip or x-forwarded-for.',
  ),
  trustedProxies: as.listed('127.0.0.0/8,::1', names.proxies)(
    'network.trusted_proxies',
    'Addresses or ranges of trusted proxies; none = no proxy.',
    { neverEmpty: true },
  ),
  torBind: as.maybeText(one.bind)(
    'network.tor_bind',
    'Second listener for an onion service, host:port of this machine; ignores address headers. Unset: none.',
  ),
  pingSeconds: as.whole(55, 5, 3600)('network.ping_interval_seconds', 'Seconds between two pings of a connection.'),
  compression: as.flag(false)(
    'network.compression',
    'true: compress messages (permessage-deflate) on request; costs processor time and memory.',
  ),

  rejectFutureSeconds: as.whole(
    900,
    0,
    EVER,
  )('options.reject_future_seconds', 'Seconds that created_at of an event may lie in the future.'),
  rejectPastSeconds: as.whole(
    94_608_000,
    0,
    EVER,
  )('options.reject_past_seconds', 'The same in the past; 0 = no bound. Wallets avoid relays with 1 to 172799.'),

  maxEventBytes: as.whole(
    131_072,
    1024,
    MOST_BYTES,
  )('limits.max_event_bytes', 'Largest event, as JSON without blanks.'),
  maxMessageBytes: as.whole(
    262_144,
    1024,
    MOST_BYTES,
  )(
    'limits.max_ws_message_bytes',
    'Largest message; a larger one ends the connection. Wallets avoid relays with less than 131072.',
  ),
  maxContentLength: as.maybeWhole(1, MOST_BYTES)(
    'limits.max_content_length',
    'Longest content of an event in characters. Unset: limits.max_event_bytes.',
  ),
  maxTags: as.whole(2000, 1, 100_000)('limits.max_tags', 'Most tags of an event.'),
  maxTagValueBytes: as.whole(1024, 1, MOST_BYTES)('limits.max_tag_value_bytes', 'Longest value of a one-letter tag.'),
  maxSubscriptions: as.whole(20, 1, 100_000)('limits.max_subscriptions', 'Open subscriptions of a connection.'),
  maxFilters: as.whole(200, 1, 100_000)('limits.max_filters', 'Filters of one subscription.'),
  maxFiltersPerConnection: as.whole(
    500,
    1,
    1_000_000,
  )(
    'limits.max_filters_per_connection',
    'Filters of all open subscriptions, counts and unlisted negentropy sets of a connection together.',
  ),
  maxFilterValues: as.whole(
    5000,
    1,
    1_000_000,
  )('limits.max_filter_values', 'Ids, authors, kinds and tag values of one request together.'),
  maxLimit: as.whole(500, 1, 1_000_000)('limits.max_limit', 'Most stored events returned for one filter.'),
  defaultLimit: as.whole(500, 1, 1_000_000)('limits.default_limit', 'The same for a filter without limit.'),
  maxPendingBytes: as.whole(
    33_554_432,
    65_536,
    1024 * MEBIBYTE,
  )('limits.max_pending_bytes', 'Unsent bytes after which a slow connection is closed.'),
  maxClientBytes: as.whole(
    512 * MEBIBYTE,
    16 * MEBIBYTE,
    65_536 * MEBIBYTE,
  )(
    'limits.max_client_bytes',
    'Memory of all clients together, at most 35 % of the heap of Node; above it the largest clients are disconnected.',
  ),
  eventsPerMinute: as.maybeWhole(1, LONGEST)(
    'limits.events_per_min_per_connection',
    'Events a minute of one connection. Unset: no limit.',
  ),
  subscriptionsPerMinute: as.maybeWhole(1, LONGEST)(
    'limits.subscriptions_per_min',
    'Subscriptions a minute of one connection. Unset: no limit.',
  ),
  maxConnections: as.whole(20_000, 1, 1_000_000)('limits.max_connections', 'Open connections; more are refused.'),
  maxConnectionsPerAddress: as.maybeWhole(1, 1_000_000)(
    'limits.max_connections_per_address',
    'The same from one address. Unset: no limit, because users of Tor share addresses.',
  ),
  allowedKinds: as.kinds(KINDS, its.kindEntries)(
    'limits.event_kind_allowlist',
    'Accepted event kinds: numbers and ranges such as "20000-29999", or "all".',
    { variable: 'RELAY_ALLOWED_KINDS', also: ['FLOONET_ALLOWED_KINDS'], neverEmpty: true },
  ),
  blockedKinds: as.maybeKinds(its.kindEntries)(
    'limits.event_kind_blacklist',
    'Refused kinds and ranges; overrides limits.event_kind_allowlist.',
  ),
  giftWrapRecipientDelete: as.flag(false)(
    'limits.gift_wrap_recipient_delete',
    'true: the recipient of a gift wrap may delete it.',
  ),

  publicNoteAuthors: as.maybeListed(its.noteAuthors)(
    'authorization.public_note_authors',
    'Who may publish kinds 1 and 30023: keys, npub or hex, or "everyone". Empty: no one.',
    { variable: 'RELAY_AUTHORIZED_AUTHORS', also: ['FLOONET_AUTHORIZED_AUTHORS'] },
  ),
  pubkeyWhitelist: as.maybeListed(its.keys)(
    'authorization.pubkey_whitelist',
    'Only these keys may publish, npub or hex. Unset: all. Wallets avoid relays with a list.',
    { neverEmpty: true },
  ),
  auth: as.maybeFlag(
    'authorization.nip42_auth',
    'true: clients are asked to authenticate (NIP-42). Unset: if another setting needs it.',
  ),
  requireAuth: as.flag(false)(
    'authorization.require_auth_to_write',
    'true: only authenticated clients may publish. Wallets avoid such relays.',
    { variable: 'RELAY_REQUIRE_AUTH', also: ['FLOONET_REQUIRE_AUTH'] },
  ),
  requireName: as.flag(false)(
    'authorization.require_name',
    'true: only authors (of gift wraps: clients) that hold a name of the authority may publish.',
  ),
  giftWrapsToRecipient: as.flag(false)(
    'authorization.gift_wraps_to_recipient',
    'true: gift wraps are served only to clients that proved the recipient key.',
    { otherKeys: ['authorization.nip42_dms'] },
  ),
  maxKeys: as.whole(8, 1, 100)('authorization.max_keys', 'Keys that one connection may prove.'),

  plugin: as.maybeText(one.path)(
    'write_policy.plugin',
    'Command of a strfry write policy plugin; runs after the built-in rules.',
  ),
  pluginTimeoutSeconds: as.whole(
    10,
    1,
    600,
  )('write_policy.timeout_seconds', 'Seconds to wait for the plugin; then the event is refused.'),

  dataDir: as.maybeText(one.path)(
    'database.data_directory',
    'Folder of relay.db. Unset: /var/lib/grinpay-relay for root, else ~/.grinpay/relay/data.',
  ),
  durability: as.text('commit', one.oneOf(['commit', 'fsync']))(
    'database.durability',
    'What OK means: commit (survives a killed process) or fsync (survives a power cut, slower).',
  ),
  readerThreads: as.maybeWhole(0, MOST_READERS)(
    'database.reader_threads',
    'Threads for queries over many authors; 0 = the main thread reads all. Unset: two less than processors, at most 8.',
  ),

  logUrl: as.hidden(one.databaseAddress)(
    'log.url',
    'postgresql://user@a:5432,b:5432,c:5432/grinpay?sslmode=verify-full, for several front ends of one relay. Unset: this process alone.',
  ),
  logSchema: as.text('relay', one.schemaName)('log.schema', 'Schema of the tables there.'),
  logUnsafe: as.maybeText(one.oneOf(['single']))(
    'log.unsafe',
    'single: accept a server without synchronous standbys, for tests only.',
  ),
  logDays: as.whole(7, 1, 3650)('log.days', 'Days for which entries of the log are kept at least.'),
  logPatience: as.whole(
    10,
    1,
    60,
  )('log.patience', 'Seconds for which an event waits for its place in the log; then it is refused.'),

  retentionMaxEvents: as.maybeWhole(1)(
    'retention.max_events',
    'Most stored events; the oldest are removed. Gift wraps stay.',
  ),
  retentionMaxBytes: as.maybeWhole(1)('retention.max_bytes', 'The same in bytes.'),
  retentionDays: as.maybeWhole(1, 36_500)(
    'retention.persist_days',
    'Days after which events are removed. Gift wraps stay.',
  ),
  retentionKeepAuthors: as.maybeListed(its.keys)(
    'retention.whitelist_addresses',
    'Keys whose events are never removed, npub or hex.',
  ),
  retentionKinds: as.maybeKinds(its.kindEntries)(
    'retention.kinds',
    'Kinds and ranges that may be removed. Unset: all but gift wraps.',
  ),

  negentropy: as.flag(true)('negentropy.enabled', 'Allow set reconciliation (NIP-77).'),
  maxSyncEvents: as.whole(1_000_000, 1, 10_000_000)('negentropy.max_sync_events', 'Most events of such a set.'),
  countMax: as.whole(1_000_000, 0, 1_000_000_000)('count.max', 'Highest COUNT (NIP-45); 0 = no COUNT.'),
  search: as.flag(false)('search.enabled', 'true: clients may search texts (NIP-50); the index grows relay.db.'),
  searchKinds: as.numbers('0,1,30023,30402', its.kinds)('search.kinds', 'Kinds whose texts can be searched.', {
    neverEmpty: true,
  }),

  authorityMode: as.maybeText(one.oneOf(['in-process', 'upstream', 'off']))(
    'authority.mode',
    'Place of the name authority: in-process, upstream (over HTTP), off. Unset: by name_authority.enabled.',
  ),
  upstream: as.text('http://127.0.0.1:8191', one.base('http', 'https'))(
    'authority.upstream',
    'Address of the authority, for payment and name status, and for forwarding with mode upstream.',
    { variable: 'RELAY_AUTHORITY_URL', also: ['FLOONET_AUTHORITY_URL'] },
  ),
  colocated: as.flag(true)(
    'authority.colocated',
    'With mode upstream: false = forward only GET /.well-known/nostr.json, not /api/.',
    { variable: 'NAMEAUTH_AUTHORITY_COLOCATED' },
  ),

  namesOn: as.maybeFlag('name_authority.enabled', "true: run the name authority in the relay's process."),
  domain: as.maybeText(names.domain)('name_authority.domain', 'Domain of every name, after the @.'),
  baseUrl: as.maybeText(names.baseUrl)('name_authority.base_url', 'Public address that clients sign; https.'),
  nameRelays: as.maybeListed(names.relays)('name_authority.relays', 'Relays in name documents. Unset: info.relay_url.'),
  reserved: as.maybeListed(its.texts)('name_authority.reserved', 'Further reserved names.'),
  reservedFile: as.maybeText(one.path)('name_authority.reserved_file', 'File with reserved names, one per line.'),
  cooldownSeconds: as.whole(600, 0, LONGEST)(
    'name_authority.cooldown_seconds',
    'Seconds between releasing a name and claiming another; 0 = none.',
    { otherKeys: ['name_authority.name_change_cooldown_secs'] },
  ),
  nameMin: as.whole(3, 1, 20)('name_authority.name_min', 'Shortest name, in characters.'),
  nameMax: as.whole(20, 1, 20)('name_authority.name_max', 'Longest name; at most 20.'),
  authMaxAgeSeconds: as.whole(60, 1, LONGEST)('name_authority.auth_max_age_secs', 'Seconds a signed request is valid.'),
  readRateMax: as.whole(120, 1, LONGEST)('name_authority.read_rate_max', 'Reads per client address and window.'),
  readRateWindow: as.whole(60, 1, LONGEST)('name_authority.read_rate_window_secs', 'That window, in seconds.'),
  writeRateMax: as.whole(
    10,
    1,
    LONGEST,
  )('name_authority.write_rate_max', 'Changes of each kind per client address and window.'),
  writeRateWindow: as.whole(3600, 1, LONGEST)('name_authority.write_rate_window_secs', 'That window, in seconds.'),

  payMode: as.text('off', one.oneOf(['off', 'name', 'write']))(
    'pay.pay_mode',
    'What is for sale: off, name (every claim) or write (the right to publish here).',
    { variable: 'RELAY_PAY_MODE', also: ['FLOONET_PAY_MODE'] },
  ),
  payUrl: as.maybeText(one.base('http', 'https'))(
    'pay.url',
    'Address of the till that makes the invoices, for an authority in-process.',
    { also: ['FLOONET_GOBLINPAY_URL'] },
  ),
  payToken: as.hidden(names.trimmedSecret)('pay.api_token', 'API token of that till.', {
    also: ['FLOONET_GOBLINPAY_TOKEN'],
  }),
  webhookSecret: as.hidden(names.trimmedSecret)(
    'pay.webhook_secret',
    'Webhook secret of that till: enables /api/v1/pay/webhook.',
  ),
  namePrice: as.amount('1', names.grin)('pay.name_price_grin', 'Price of a name in GRIN, with mode name.', {
    also: ['FLOONET_NAME_PRICE_GRIN'],
  }),
  writePrice: as.amount('1', names.grin)(
    'pay.admission_price_grin',
    'Price of the right to publish in GRIN, with mode write.',
  ),
  pollIntervalSeconds: as.whole(
    5,
    0,
    LONGEST,
  )('pay.poll_interval_secs', 'Least seconds between two polls of an invoice.'),
  paidCacheSeconds: as.whole(60, 0, LONGEST)('pay.paid_cache_secs', 'Seconds a payment status is cached.', {
    variable: 'RELAY_PAID_CACHE_SECS',
    also: ['FLOONET_PAID_CACHE_SECS'],
  }),

  metricsBind: as.maybeText(one.bind)('metrics.bind', 'Metrics listener, host:port of this machine. Unset: none.'),
  console: as.flag(false)('console.enabled', 'true: pages for you and your staff in a browser.'),
  consoleBind: as.text('127.0.0.1:3482', one.bind)(
    'console.bind',
    'Console listener, host:port; another address than loopback needs an https console.url.',
  ),
  consoleUrl: as.maybeText(one.wholeHost)(
    'console.url',
    'Public address of the console, with a host of its own and no path. Unset: http://localhost.',
  ),
  admins: as.maybeListed(its.keys)(
    'management.admins',
    'Keys that may manage the relay over HTTP (NIP-86), npub or hex. Unset: no one.',
  ),
}

export type RelayTable = typeof RELAY_SETTINGS
