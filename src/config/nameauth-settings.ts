// Every setting of `serve nameauth` (specification: names, 2). Keys are the members of the loaded values.
import { consoleSettings } from './console-rules.js'
import { databaseSettings } from './database-settings.js'
import * as its from './nameauth-values.js'
import { aliasesOf } from './resolve.js'
import { given, grouped, optional, type Setting, secret } from './setting.js'
import * as as from './values.js'

/** Long enough for everything, and still exact in milliseconds. */
const LONGEST = 1_000_000_000
const seconds = (min: number) => as.whole(min, LONGEST)

/** The longest name that this software gives away. */
const LONGEST_NAME = 20

/** Where the database lies by default; the same as in `nameauthPlaces`. */
export const NAMEAUTH_DATA_DIR = '/var/lib/grinpay-nameauth'

/** Variables that name the env file, best first: ours and that of the originals. */
export const NAMEAUTH_FILE_VARIABLES: readonly string[] = ['NAMEAUTH_ENV_FILE', 'FLOONET_ENV_FILE']

/** Stands in the file of the API token until the operator has it: so the authority starts, and its till refuses to make invoices. */
export const NO_TOKEN_YET = 'put-the-api-token-of-the-till-here'

export const NAMEAUTH_SETTINGS = {
  ...grouped('Names', {
    domain: optional('NAMEAUTH_DOMAIN', its.domain, { about: 'Domain of every name, after the @. Required.' }),
    baseUrl: optional('NAMEAUTH_BASE_URL', its.baseUrl, {
      about: 'Public address that clients sign; https, with NAMEAUTH_DOMAIN as host. Unset: https:// and the domain.',
    }),
    relays: optional('NAMEAUTH_RELAYS', its.relays, {
      about: 'Comma list of relays in name documents. Unset: wss:// and the domain.',
    }),
    nameMin: given('NAMEAUTH_NAME_MIN', '3', as.whole(1, LONGEST_NAME), { about: 'Shortest name, in characters.' }),
    nameMax: given('NAMEAUTH_NAME_MAX', '20', as.whole(1, LONGEST_NAME), { about: 'Longest name; at most 20.' }),
    reservedFile: optional('NAMEAUTH_RESERVED_FILE', as.path, {
      about: 'File with further reserved names, one per line; # begins a comment.',
    }),
    cooldownSeconds: given('NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS', '600', seconds(0), {
      about: 'Seconds between releasing a name and claiming another; 0 = none.',
    }),
    authMaxAgeSeconds: given('NAMEAUTH_AUTH_MAX_AGE_SECS', '60', seconds(1), {
      about: 'Seconds a signed request is valid.',
    }),
  }),
  ...grouped('Web server', {
    bind: given('NAMEAUTH_NAMES_BIND', '127.0.0.1:8191', as.bind, {
      about: 'Listen address, host:port; also read as NAMEAUTH_BIND.',
      aliases: ['NAMEAUTH_BIND', 'FLOONET_NAMES_BIND'],
    }),
    metricsBind: optional('NAMEAUTH_METRICS_BIND', as.bind, {
      about: 'Metrics listener, host:port of this machine. Unset: none.',
    }),
    torBind: optional('NAMEAUTH_TOR_BIND', as.bind, {
      about: 'Second listener for an onion service, host:port of this machine; ignores address headers. Unset: none.',
    }),
    trustedProxies: given('NAMEAUTH_TRUSTED_PROXIES', '127.0.0.0/8,::1', its.proxies, {
      about: 'Comma list of proxy addresses or ranges whose X-Real-IP is trusted; none = no proxy.',
    }),
    readRateMax: given('NAMEAUTH_READ_RATE_MAX', '120', seconds(1), { about: 'Reads per client address and window.' }),
    readRateWindow: given('NAMEAUTH_READ_RATE_WINDOW_SECS', '60', seconds(1), { about: 'That window, in seconds.' }),
    writeRateMax: given('NAMEAUTH_WRITE_RATE_MAX', '10', seconds(1), {
      about: 'Changes of each kind per client address and window.',
    }),
    writeRateWindow: given('NAMEAUTH_WRITE_RATE_WINDOW_SECS', '3600', seconds(1), {
      about: 'That window, in seconds.',
    }),
    colocated: given('NAMEAUTH_AUTHORITY_COLOCATED', 'on', its.switched, {
      about: 'Whether names and relay share one host; only "grinpay proxy print" uses it.',
      remark: its.oddSwitch,
    }),
  }),
  ...grouped('Paid names', {
    payMode: given('NAMEAUTH_PAY_MODE', 'off', as.oneOf(['off', 'name', 'write']), {
      about: 'What is for sale: off, name (every claim) or write (the right to write to the relay).',
    }),
    namePrice: given('NAMEAUTH_NAME_PRICE_GRIN', '0', its.grin, { about: 'Price of a name in GRIN, with mode name.' }),
    writePrice: given('NAMEAUTH_WRITE_PRICE_GRIN', '0', its.grin, {
      about: 'Price of write access in GRIN, with mode write.',
    }),
    payUrl: optional('NAMEAUTH_PAY_URL', as.base('http', 'https'), {
      about: 'Address of the till that makes the invoices.',
      aliases: ['GOBLINPAY_URL'],
    }),
    payToken: secret(
      'NAMEAUTH_PAY_TOKEN',
      {
        about: 'API token of that till.',
        aliases: ['GOBLINPAY_TOKEN'],
        fileWins: true,
        remark: (text) =>
          text.trim() === NO_TOKEN_YET
            ? 'holds what setup put there in place of the API token of the till: nothing can be bought until the token stands there'
            : undefined,
      },
      its.trimmedSecret,
    ),
    webhookSecret: secret(
      'NAMEAUTH_PAY_WEBHOOK_SECRET',
      {
        about: 'Webhook secret of that till: enables /api/v1/pay/webhook. Unset: the till is polled.',
        aliases: ['GOBLINPAY_WEBHOOK_SECRET'],
        fileWins: true,
        mayBeEmpty: true,
      },
      its.trimmedSecret,
    ),
    pollIntervalSeconds: given('NAMEAUTH_PAID_POLL_INTERVAL_SECS', '5', seconds(0), {
      about: 'Least seconds between two polls of an invoice.',
    }),
  }),
  ...grouped('Transfers', {
    transfersOn: given('NAMEAUTH_TRANSFERS', 'false', its.switched, {
      about: 'on: holders may sell names to other keys.',
      remark: its.oddSwitch,
    }),
    nodeUrls: optional('NAMEAUTH_GRIN_NODE_URL', its.nodes, {
      about: 'Foreign API of Grin nodes (https://node.example/v2/foreign), best first, separated by commas or blanks.',
    }),
    minConfirmations: given('NAMEAUTH_TRANSFER_MIN_CONF', '10', seconds(0), {
      about: 'Confirmations required for the payment of a sale.',
    }),
    maxOfferSeconds: given('NAMEAUTH_TRANSFER_MAX_OFFER_TTL', '2592000', seconds(1), {
      about: 'Longest life of an offer, in seconds.',
    }),
    claimGraceSeconds: given('NAMEAUTH_TRANSFER_CLAIM_GRACE', '86400', seconds(0), {
      about: "Seconds after an offer's end in which a payment made in time can be claimed.",
    }),
  }),
  ...grouped('Console', {
    ...consoleSettings('NAMEAUTH', '127.0.0.1:3481'),
  }),
  ...grouped('Files', {
    dbPath: optional('NAMEAUTH_NAMES_DB', as.path, { about: 'The database. Unset: names.db in NAMEAUTH_DATA_DIR.' }),
    dataDir: given('NAMEAUTH_DATA_DIR', NAMEAUTH_DATA_DIR, as.path, { about: 'Folder of the database.' }),
  }),
  ...grouped('PostgreSQL', {
    ...databaseSettings({ prefix: 'NAMEAUTH', schema: 'names', sharers: 'front ends' }),
  }),
}

/** Names of the originals that the authority reads: to a relay in the same environment they are foreign. */
export const AUTHORITY_OLD_NAMES: readonly string[] = [
  ...NAMEAUTH_FILE_VARIABLES,
  ...Object.values<Setting<unknown>>(NAMEAUTH_SETTINGS).flatMap((one) =>
    aliasesOf(one).flatMap((name) => [name, `${name}_FILE`]),
  ),
]

/** Those of the originals that only relays and their policies read (specification: relay, 9.1 and 11.2). */
export const RELAY_OLD_NAMES: readonly string[] = [
  'FLOONET_ALLOWED_KINDS',
  'FLOONET_AUTHORIZED_AUTHORS',
  'FLOONET_REQUIRE_AUTH',
  'FLOONET_AUTHORITY_URL',
  'FLOONET_PAID_CACHE_SECS',
  'FLOONET_GOBLINPAY_URL',
  'FLOONET_GOBLINPAY_TOKEN',
]
