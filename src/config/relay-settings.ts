// Every setting of `serve relay` (specification: relay, 9.1 and 11.3; names, 2). Sections and keys are those of the TOML file.
import * as names from './nameauth-values.js'
import * as as from './relay-setting.js'
import * as its from './relay-values.js'
import * as one from './values.js'

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

/** What the relay says of itself (NIP-11). */
export const INFO_SETTINGS = {
  relayUrls: as.maybeListed('info.relay_url', its.relayUrls, {
    about: 'Public address (wss://relay.example), or several; required for NIP-42, where clients sign it.',
  }),
  name: as.text('info.name', 'Nostr relay', one.path, {
    about: 'Name in the relay document (NIP-11) and on the page.',
  }),
  description: as.text('info.description', 'A relay for Nostr clients.', one.path, {
    about: 'One line about the relay.',
  }),
  pubkey: as.maybeText('info.pubkey', its.key, { about: 'Key of the operator, npub or hex.' }),
  self: as.maybeText('info.self', its.key, { about: 'Key of the relay itself, npub or hex.' }),
  contact: as.maybeText('info.contact', one.path, {
    about: 'How to reach the operator, such as mailto:relay@example.com.',
  }),
  icon: as.maybeText('info.relay_icon', one.address('https', 'http'), {
    about: 'Address of a square picture.',
    otherKeys: ['info.icon'],
  }),
  banner: as.maybeText('info.banner', one.address('https', 'http'), { about: 'Address of a wide picture.' }),
  privacyPolicy: as.maybeText('info.privacy_policy', one.address('https', 'http'), {
    about: 'Address of the privacy policy.',
  }),
  termsOfService: as.maybeText('info.terms_of_service', one.address('https', 'http'), {
    about: 'Address of the terms of use.',
  }),
}

export const LIMIT_SETTINGS = {
  maxEventBytes: as.whole('limits.max_event_bytes', 131_072, [1024, MOST_BYTES], {
    about: 'Largest event, as JSON without blanks.',
  }),
  maxMessageBytes: as.whole('limits.max_ws_message_bytes', 262_144, [1024, MOST_BYTES], {
    about: 'Largest message; a larger one ends the connection. Wallets avoid relays with less than 131072.',
  }),
  maxContentLength: as.maybeWhole('limits.max_content_length', [1, MOST_BYTES], {
    about: 'Longest content of an event in characters. Unset: limits.max_event_bytes.',
  }),
  maxTags: as.whole('limits.max_tags', 2000, [1, 100_000], { about: 'Most tags of an event.' }),
  maxTagValueBytes: as.whole('limits.max_tag_value_bytes', 1024, [1, MOST_BYTES], {
    about: 'Longest value of a one-letter tag.',
  }),
  maxSubscriptions: as.whole('limits.max_subscriptions', 20, [1, 100_000], {
    about: 'Open subscriptions of a connection.',
  }),
  maxFilters: as.whole('limits.max_filters', 200, [1, 100_000], { about: 'Filters of one subscription.' }),
  maxFiltersPerConnection: as.whole('limits.max_filters_per_connection', 500, [1, 1_000_000], {
    about: 'Filters of all open subscriptions, counts and unlisted negentropy sets of a connection together.',
  }),
  maxFilterValues: as.whole('limits.max_filter_values', 5000, [1, 1_000_000], {
    about: 'Ids, authors, kinds and tag values of one request together.',
  }),
  maxLimit: as.whole('limits.max_limit', 500, [1, 1_000_000], { about: 'Most stored events returned for one filter.' }),
  defaultLimit: as.whole('limits.default_limit', 500, [1, 1_000_000], {
    about: 'The same for a filter without limit.',
  }),
  maxPendingBytes: as.whole('limits.max_pending_bytes', 33_554_432, [65_536, 1024 * MEBIBYTE], {
    about: 'Unsent bytes after which a slow connection is closed.',
  }),
  maxClientBytes: as.whole('limits.max_client_bytes', 512 * MEBIBYTE, [16 * MEBIBYTE, 65_536 * MEBIBYTE], {
    about:
      'Memory of all clients together, at most 35 % of the heap of Node; above it the largest clients are disconnected.',
  }),
  eventsPerMinute: as.maybeWhole('limits.events_per_min_per_connection', [1, LONGEST], {
    about: 'Events a minute of one connection. Unset: no limit.',
  }),
  subscriptionsPerMinute: as.maybeWhole('limits.subscriptions_per_min', [1, LONGEST], {
    about: 'Subscriptions a minute of one connection. Unset: no limit.',
  }),
  maxConnections: as.whole('limits.max_connections', 20_000, [1, 1_000_000], {
    about: 'Open connections; more are refused.',
  }),
  maxConnectionsPerAddress: as.maybeWhole('limits.max_connections_per_address', [1, 1_000_000], {
    about: 'The same from one address. Unset: no limit, because users of Tor share addresses.',
  }),
}

export const RELAY_SETTINGS = {
  ...INFO_SETTINGS,
  favicon: as.maybeText('info.favicon', one.path, { about: 'File served as /favicon.ico. Unset: 404.' }),
  relayPage: as.maybeText('info.relay_page', one.path, {
    about: 'HTML file served at / in place of the built-in page.',
  }),

  address: as.text('network.address', '127.0.0.1', its.host, { about: 'Listen address.' }),
  port: as.whole('network.port', 7777, [0, 65_535], { about: 'Listen port; 0 = a free one.' }),
  addressHeader: as.text('network.remote_ip_header', 'x-real-ip', its.addressHeader, {
    about: 'Header with the client address, set by a trusted proxy: x-real-ip or x-forwarded-for.',
  }),
  trustedProxies: as.listed('network.trusted_proxies', '127.0.0.0/8,::1', names.proxies, {
    about: 'Addresses or ranges of trusted proxies; none = no proxy.',
    neverEmpty: true,
  }),
  torBind: as.maybeText('network.tor_bind', one.bind, {
    about: 'Second listener for an onion service, host:port of this machine; ignores address headers. Unset: none.',
  }),
  pingSeconds: as.whole('network.ping_interval_seconds', 55, [5, 3600], {
    about: 'Seconds between two pings of a connection.',
  }),
  compression: as.flag('network.compression', false, {
    about: 'true: compress messages (permessage-deflate) on request; costs processor time and memory.',
  }),

  rejectFutureSeconds: as.whole('options.reject_future_seconds', 900, [0, EVER], {
    about: 'Seconds that created_at of an event may lie in the future.',
  }),
  rejectPastSeconds: as.whole('options.reject_past_seconds', 94_608_000, [0, EVER], {
    about: 'The same in the past; 0 = no bound. Wallets avoid relays with 1 to 172799.',
  }),

  ...LIMIT_SETTINGS,
  allowedKinds: as.kinds('limits.event_kind_allowlist', KINDS, its.kindEntries, {
    about: 'Accepted event kinds: numbers and ranges such as "20000-29999", or "all".',
    variable: 'RELAY_ALLOWED_KINDS',
    also: ['FLOONET_ALLOWED_KINDS'],
    neverEmpty: true,
  }),
  blockedKinds: as.maybeKinds('limits.event_kind_blacklist', its.kindEntries, {
    about: 'Refused kinds and ranges; overrides limits.event_kind_allowlist.',
  }),
  giftWrapRecipientDelete: as.flag('limits.gift_wrap_recipient_delete', false, {
    about: 'true: the recipient of a gift wrap may delete it.',
  }),

  publicNoteAuthors: as.maybeListed('authorization.public_note_authors', its.noteAuthors, {
    about: 'Who may publish kinds 1 and 30023: keys, npub or hex, or "everyone". Empty: no one.',
    variable: 'RELAY_AUTHORIZED_AUTHORS',
    also: ['FLOONET_AUTHORIZED_AUTHORS'],
  }),
  pubkeyWhitelist: as.maybeListed('authorization.pubkey_whitelist', its.keys, {
    about: 'Only these keys may publish, npub or hex. Unset: all. Wallets avoid relays with a list.',
    neverEmpty: true,
  }),
  auth: as.maybeFlag('authorization.nip42_auth', {
    about: 'true: clients are asked to authenticate (NIP-42). Unset: if another setting needs it.',
  }),
  requireAuth: as.flag('authorization.require_auth_to_write', false, {
    about: 'true: only authenticated clients may publish. Wallets avoid such relays.',
    variable: 'RELAY_REQUIRE_AUTH',
    also: ['FLOONET_REQUIRE_AUTH'],
  }),
  requireName: as.flag('authorization.require_name', false, {
    about: 'true: only authors (of gift wraps: clients) that hold a name of the authority may publish.',
  }),
  giftWrapsToRecipient: as.flag('authorization.gift_wraps_to_recipient', false, {
    about: 'true: gift wraps are served only to clients that proved the recipient key.',
    otherKeys: ['authorization.nip42_dms'],
  }),
  maxKeys: as.whole('authorization.max_keys', 8, [1, 100], { about: 'Keys that one connection may prove.' }),

  plugin: as.maybeText('write_policy.plugin', one.path, {
    about: 'Command of a strfry write policy plugin; runs after the built-in rules.',
  }),
  pluginTimeoutSeconds: as.whole('write_policy.timeout_seconds', 10, [1, 600], {
    about: 'Seconds to wait for the plugin; then the event is refused.',
  }),

  dataDir: as.maybeText('database.data_directory', one.path, {
    about: 'Folder of relay.db. Unset: /var/lib/grinpay-relay for root, else ~/.grinpay/relay/data.',
  }),
  durability: as.text('database.durability', 'commit', one.oneOf(['commit', 'fsync']), {
    about: 'What OK means: commit (survives a killed process) or fsync (survives a power cut, slower).',
  }),
  readerThreads: as.maybeWhole('database.reader_threads', [0, MOST_READERS], {
    about:
      'Threads for queries over many authors; 0 = the main thread reads all. Unset: two less than processors, at most 8.',
  }),

  logUrl: as.hidden('log.url', one.databaseAddress, {
    about:
      'postgresql://user@a:5432,b:5432,c:5432/grinpay?sslmode=verify-full, for several front ends of one relay. Unset: this process alone.',
  }),
  logSchema: as.text('log.schema', 'relay', one.schemaName, { about: 'Schema of the tables there.' }),
  logUnsafe: as.maybeText('log.unsafe', one.oneOf(['single']), {
    about: 'single: accept a server without synchronous standbys, for tests only.',
  }),
  logDays: as.whole('log.days', 7, [1, 3650], { about: 'Days for which entries of the log are kept at least.' }),
  logPatience: as.whole('log.patience', 10, [1, 60], {
    about: 'Seconds for which an event waits for its place in the log; then it is refused.',
  }),

  retentionMaxEvents: as.maybeWhole('retention.max_events', [1], {
    about: 'Most stored events; the oldest are removed. Gift wraps stay.',
  }),
  retentionMaxBytes: as.maybeWhole('retention.max_bytes', [1], { about: 'The same in bytes.' }),
  retentionDays: as.maybeWhole('retention.persist_days', [1, 36_500], {
    about: 'Days after which events are removed. Gift wraps stay.',
  }),
  retentionKeepAuthors: as.maybeListed('retention.whitelist_addresses', its.keys, {
    about: 'Keys whose events are never removed, npub or hex.',
  }),
  retentionKinds: as.maybeKinds('retention.kinds', its.kindEntries, {
    about: 'Kinds and ranges that may be removed. Unset: all but gift wraps.',
  }),

  negentropy: as.flag('negentropy.enabled', true, { about: 'Allow set reconciliation (NIP-77).' }),
  maxSyncEvents: as.whole('negentropy.max_sync_events', 1_000_000, [1, 10_000_000], {
    about: 'Most events of such a set.',
  }),
  countMax: as.whole('count.max', 1_000_000, [0, 1_000_000_000], { about: 'Highest COUNT (NIP-45); 0 = no COUNT.' }),
  search: as.flag('search.enabled', false, {
    about: 'true: clients may search texts (NIP-50); the index grows relay.db.',
  }),
  searchKinds: as.numbers('search.kinds', '0,1,30023,30402', its.kinds, {
    about: 'Kinds whose texts can be searched.',
    neverEmpty: true,
  }),

  authorityMode: as.maybeText('authority.mode', one.oneOf(['in-process', 'upstream', 'off']), {
    about: 'Place of the name authority: in-process, upstream (over HTTP), off. Unset: by name_authority.enabled.',
  }),
  upstream: as.text('authority.upstream', 'http://127.0.0.1:8191', one.base('http', 'https'), {
    about: 'Address of the authority, for payment and name status, and for forwarding with mode upstream.',
    variable: 'RELAY_AUTHORITY_URL',
    also: ['FLOONET_AUTHORITY_URL'],
  }),
  colocated: as.flag('authority.colocated', true, {
    about: 'With mode upstream: false = forward only GET /.well-known/nostr.json, not /api/.',
    variable: 'NAMEAUTH_AUTHORITY_COLOCATED',
  }),

  namesOn: as.maybeFlag('name_authority.enabled', { about: "true: run the name authority in the relay's process." }),
  domain: as.maybeText('name_authority.domain', names.domain, { about: 'Domain of every name, after the @.' }),
  baseUrl: as.maybeText('name_authority.base_url', names.baseUrl, {
    about: 'Public address that clients sign; https.',
  }),
  nameRelays: as.maybeListed('name_authority.relays', names.relays, {
    about: 'Relays in name documents. Unset: info.relay_url.',
  }),
  reserved: as.maybeListed('name_authority.reserved', its.texts, { about: 'Further reserved names.' }),
  reservedFile: as.maybeText('name_authority.reserved_file', one.path, {
    about: 'File with reserved names, one per line.',
  }),
  cooldownSeconds: as.whole('name_authority.cooldown_seconds', 600, [0, LONGEST], {
    about: 'Seconds between releasing a name and claiming another; 0 = none.',
    otherKeys: ['name_authority.name_change_cooldown_secs'],
  }),
  nameMin: as.whole('name_authority.name_min', 3, [1, 20], { about: 'Shortest name, in characters.' }),
  nameMax: as.whole('name_authority.name_max', 20, [1, 20], { about: 'Longest name; at most 20.' }),
  authMaxAgeSeconds: as.whole('name_authority.auth_max_age_secs', 60, [1, LONGEST], {
    about: 'Seconds a signed request is valid.',
  }),
  readRateMax: as.whole('name_authority.read_rate_max', 120, [1, LONGEST], {
    about: 'Reads per client address and window.',
  }),
  readRateWindow: as.whole('name_authority.read_rate_window_secs', 60, [1, LONGEST], {
    about: 'That window, in seconds.',
  }),
  writeRateMax: as.whole('name_authority.write_rate_max', 10, [1, LONGEST], {
    about: 'Changes of each kind per client address and window.',
  }),
  writeRateWindow: as.whole('name_authority.write_rate_window_secs', 3600, [1, LONGEST], {
    about: 'That window, in seconds.',
  }),

  payMode: as.text('pay.pay_mode', 'off', one.oneOf(['off', 'name', 'write']), {
    about: 'What is for sale: off, name (every claim) or write (the right to publish here).',
    variable: 'RELAY_PAY_MODE',
    also: ['FLOONET_PAY_MODE'],
  }),
  payUrl: as.maybeText('pay.url', one.base('http', 'https'), {
    about: 'Address of the till that makes the invoices, for an authority in-process.',
    also: ['FLOONET_GOBLINPAY_URL'],
  }),
  payToken: as.hidden('pay.api_token', names.trimmedSecret, {
    about: 'API token of that till.',
    also: ['FLOONET_GOBLINPAY_TOKEN'],
  }),
  webhookSecret: as.hidden('pay.webhook_secret', names.trimmedSecret, {
    about: 'Webhook secret of that till: enables /api/v1/pay/webhook.',
  }),
  namePrice: as.amount('pay.name_price_grin', '1', names.grin, {
    about: 'Price of a name in GRIN, with mode name.',
    also: ['FLOONET_NAME_PRICE_GRIN'],
  }),
  writePrice: as.amount('pay.admission_price_grin', '1', names.grin, {
    about: 'Price of the right to publish in GRIN, with mode write.',
  }),
  pollIntervalSeconds: as.whole('pay.poll_interval_secs', 5, [0, LONGEST], {
    about: 'Least seconds between two polls of an invoice.',
  }),
  paidCacheSeconds: as.whole('pay.paid_cache_secs', 60, [0, LONGEST], {
    about: 'Seconds a payment status is cached.',
    variable: 'RELAY_PAID_CACHE_SECS',
    also: ['FLOONET_PAID_CACHE_SECS'],
  }),

  metricsBind: as.maybeText('metrics.bind', one.bind, {
    about: 'Metrics listener, host:port of this machine. Unset: none.',
  }),
  console: as.flag('console.enabled', false, { about: 'true: pages for you and your staff in a browser.' }),
  consoleBind: as.text('console.bind', '127.0.0.1:3482', one.bind, {
    about: 'Console listener, host:port; another address than loopback needs an https console.url.',
  }),
  consoleUrl: as.maybeText('console.url', one.wholeHost, {
    about: 'Public address of the console, with a host of its own and no path. Unset: http://localhost.',
  }),
  admins: as.maybeListed('management.admins', its.keys, {
    about: 'Keys that may manage the relay over HTTP (NIP-86), npub or hex. Unset: no one.',
  }),
}
