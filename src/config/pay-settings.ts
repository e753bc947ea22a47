// Every setting of `serve pay` (specification: invoicing, 9). Keys are the members of the loaded values.
import { Secret } from '../lib/secret.js'
import { baseAddress } from '../lib/url.js'
import { consoleSettings } from './console-rules.js'
import { databaseSettings } from './database-settings.js'
import type { ValuesOf } from './reader.js'
import { given, grouped, optional, secret, secretLines } from './setting.js'
import * as as from './values.js'
import { receiverSettings } from './webhook-receivers.js'

const nsec = as.reading((text) => {
  if (!/^(nsec1[02-9ac-hj-np-z]{58}|[0-9a-f]{64})$/.test(text)) throw new RangeError('must be an nsec or 64 hex digits')
  return new Secret(text)
})

const ncryptsec = as.reading((text) => {
  if (!/^ncryptsec1[02-9ac-hj-np-z]{100,}$/.test(text)) throw new RangeError('must be an ncryptsec (NIP-49)')
  return new Secret(text)
})

const relays = as.list((word) => as.checkAddress(word, ['wss', 'ws']))

export const PAY_SETTINGS = {
  ...grouped('Web server', {
    bind: given('PAY_BIND', '127.0.0.1:8080', as.bind, {
      about: 'Listen address, host:port; never empty.',
      neverEmpty: true,
    }),
    publicUrl: optional('PAY_PUBLIC_URL', as.base('http', 'https'), {
      about: 'Public address, mount path included. Unset: that of PAY_BIND.',
    }),
    tls: given('PAY_TLS', 'off', as.tls, { about: 'on: serve HTTPS here instead of behind a proxy.' }),
    tlsCert: optional('PAY_TLS_CERT', as.path, {
      about: 'PEM file with the certificate chain; needed with PAY_TLS=on. Read again when it changes.',
    }),
    tlsKey: optional('PAY_TLS_KEY', as.path, { about: 'PEM file with the private key; needed with PAY_TLS=on.' }),
    trustedProxies: given('PAY_TRUSTED_PROXIES', '', as.list(as.proxyAddress), {
      about: 'Comma list of proxy addresses or ranges whose X-Forwarded-For is trusted.',
    }),
    frameAncestors: given('PAY_FRAME_ANCESTORS', '', as.list(as.origin), {
      about: 'Comma list of origins that may frame the checkout page, without the sandbox attribute.',
    }),
    statusOrigins: given('PAY_STATUS_CORS', '', as.list(as.exactOrigin), {
      about:
        'Comma list of origins, such as https://shop.example, whose scripts may read /pay/{token}/status. Unset: none.',
    }),
    rateLimits: given('PAY_RATE_LIMITS', 'on', as.onOff, { about: 'off: no request limits per client address.' }),
    metricsBind: optional('PAY_METRICS_BIND', as.bind, {
      about: 'Metrics listener, host:port of this machine. Unset: none.',
    }),
  }),
  ...grouped('Access', {
    apiTokens: secretLines('PAY_API_TOKEN', {
      about:
        'Bearer token of the invoice API, at least 16 characters, or sha256: and its hash. Unset: the API answers 503.',
      use: 'compared',
      rotated: 'api',
    }),
    adminTokens: secretLines('PAY_ADMIN_TOKEN', {
      about: 'Bearer token of the admin API and of most commands, or sha256: and its hash; never the API token.',
      use: 'compared',
      rotated: 'admin',
    }),
    unknownFields: given('PAY_UNKNOWN_FIELDS', 'refuse', as.oneOf(['refuse', 'ignore']), {
      about:
        'Members of a request that the API does not know: refuse answers 422 with the nearest name; ignore is for shops that cannot be changed.',
      aliases: [],
    }),
  }),
  ...grouped('Invoices', {
    matchMode: given('PAY_MATCH_MODE', 'derived', as.oneOf(['derived', 'memo', 'amount']), {
      about: 'How payments are matched to invoices: derived (recommended), memo or amount.',
    }),
    confirmations: given('PAY_CONFIRMATIONS', '10', as.whole(1), { about: 'Blocks until an invoice is confirmed.' }),
    confirmNodes: given('PAY_CONFIRM_NODES', '1', as.whole(1, 20), {
      about: 'Nodes of PAY_NODE_URL that must agree on kernel, output and depth before a payment is confirmed.',
    }),
    confirmNodesFrom: optional('PAY_CONFIRM_NODES_FROM', as.grinAmount, {
      about: 'Amount in GRIN from which at least two nodes must agree.',
    }),
    posPaidAt: given('PAY_POS_PAID_AT', 'seen', as.oneOf(['seen', 'mined', 'confirmed']), {
      about:
        'When the point of sale turns green and says "Paid": seen (a node has the transaction in its pool), mined (a block has it) or confirmed (PAY_CONFIRMATIONS). Until then it is amber.',
    }),
    checkoutMethods: given('PAY_CHECKOUT_METHODS', 'nostr,slatepack', as.someOf(['nostr', 'slatepack']), {
      about: 'Comma list of nostr, slatepack: what the checkout page offers.',
    }),
    uriScheme: given('PAY_URI_SCHEME', 'nostr', as.oneOf(['nostr', 'goblin']), {
      about: 'Scheme of the address inside QR codes: nostr or goblin.',
    }),
    unmatched: optional('PAY_UNMATCHED', as.oneOf(['accept', 'refuse']), {
      about:
        'A payment that matches no invoice: accept or refuse. Unset: refuse plain sends to the grin1 address, accept others. Payments to closed invoices are always refused.',
    }),
    settleTimeout: given('PAY_SETTLE_TIMEOUT', '86400', as.whole(1), {
      about: 'Seconds a paid invoice may wait for its transaction to appear.',
    }),
    amountJitter: given('PAY_AMOUNT_JITTER', 'off', as.onOff, {
      about: 'on: add up to 9999 nanogrin so that amounts are unique in mode amount.',
    }),
  }),
  ...grouped('Checkout page', {
    shopName: optional('PAY_SHOP_NAME', as.shopName, { about: 'Shop name on the checkout page.' }),
    shopUrl: optional('PAY_SHOP_URL', as.address('http', 'https'), {
      about: 'Link of the shop name, and of "Back to the shop" for invoices without return_url.',
    }),
    shopLogo: optional('PAY_SHOP_LOGO', as.path, {
      about: 'Shop logo: PNG, JPEG, WebP or SVG file, at most 48 KiB, readable by the daemon.',
    }),
  }),
  ...grouped('Prices', {
    currencies: given('PAY_RATE_CURRENCIES', 'usd', as.list(as.currency, 1), {
      about: 'Comma list of invoice currencies.',
    }),
    rateSources: given('PAY_RATE_SOURCE', 'coingecko,coinpaprika', as.rateSources, {
      about:
        'Comma list, tried in order: coingecko, coinpaprika, fixed:<currency>=<fiat per GRIN>,… or the address of a coingecko-compatible API.',
    }),
    rateCacheTtl: given('PAY_RATE_CACHE_TTL', '60', as.whole(0), { about: 'Seconds a rate is reused; 0 = never.' }),
    rateStaleMax: given('PAY_RATE_STALE_MAX', '900', as.whole(0), {
      about: 'Seconds an old rate is used while every source is down; 0 = never.',
    }),
    rateMaxJump: given('PAY_RATE_MAX_JUMP', '50', as.whole(1, 1_000_000), {
      about:
        'Percent by which a price may move in 10 minutes, and sources may differ: beyond it invoices in that currency answer 503. Sources more than 20 percent apart raise an alarm, and the lowest price of GRIN counts.',
    }),
    quoteTtl: given('PAY_QUOTE_TTL', '900', as.whole(1), { about: 'Seconds a fiat price stays locked.' }),
  }),
  ...grouped('Webhooks', {
    webhookUrl: optional('PAY_WEBHOOK_URL', as.oneAddress('http', 'https'), {
      about: 'Receives every event. Needs PAY_WEBHOOK_SECRET.',
    }),
    webhookSecrets: secretLines('PAY_WEBHOOK_SECRET', {
      about: 'Signing key of events, at least 16 characters; after whsec_ standard base64 of 24 bytes or more.',
      use: 'webhook',
      rotated: 'webhook',
    }),
    ...receiverSettings(),
    webhookCompat: given('PAY_WEBHOOK_COMPAT', 'on', as.onOff, {
      about: 'on: also send the X-GoblinPay-* headers that existing shop plugins read.',
    }),
    webhookAllowHttp: given('PAY_WEBHOOK_ALLOW_HTTP', 'off', as.onOff, {
      about: 'on: allow plain http to a public host. Private hosts never need it.',
    }),
  }),
  ...grouped('Grin network and wallet', {
    chain: given('PAY_CHAIN', 'mainnet', as.oneOf(['mainnet', 'testnet', 'usernet', 'sandbox']), {
      about: 'mainnet, testnet or usernet.',
    }),
    nodeUrls: given(
      'PAY_NODE_URL',
      'https://main.gri.mw',
      as.list((word) => baseAddress(word, ['https', 'http']), 1),
      { about: 'Comma list of Grin nodes, best first. Must be set outside mainnet.' },
    ),
    nodeSecret: secret('PAY_NODE_SECRET', {
      about: 'API secret of the first node (its .foreign_api_secret); the others get none.',
    }),
    walletPassword: secret('PAY_WALLET_PASSWORD', { about: 'Decrypts the wallet at every start.', money: true }),
    mnemonic: secret('PAY_MNEMONIC', {
      about: 'Seed words to create the wallet; afterwards only compared.',
      money: true,
    }),
  }),
  ...grouped('Nostr rail', {
    ingest: given('PAY_INGEST', 'on', as.onOff, { about: 'off: HTTP only; creating invoices answers 503.' }),
    nsec: secret(
      'PAY_NSEC',
      { about: "The till's Nostr key. Unset: the identity file in PAY_DATA_DIR.", money: true },
      nsec,
    ),
    ncryptsec: secret(
      'PAY_NCRYPTSEC',
      { about: 'The same, encrypted with the wallet password (NIP-49).', money: true },
      ncryptsec,
    ),
    relayMode: given('PAY_RELAY_MODE', 'bundled', as.oneOf(['bundled', 'external']), {
      about: 'bundled: own relay first, PAY_RELAYS after it; external: only PAY_RELAYS.',
    }),
    bundledRelayUrl: given('PAY_BUNDLED_RELAY_URL', 'ws://127.0.0.1:7777', as.base('wss', 'ws'), {
      about: 'Address of the own relay, connected to and advertised: public in production.',
    }),
    ownRelayBind: given('PAY_BUNDLED_RELAY_BIND', '127.0.0.1:7777', as.bindOrOff, {
      about:
        'Listen address of the relay in the till\'s process, with mode bundled; settings: those of "grinpay serve relay". off: it runs elsewhere.',
    }),
    relays: given('PAY_RELAYS', '', relays, {
      about: 'Comma list of relays, best first; pay links name the first three in force.',
    }),
    merchantNpub: optional('PAY_MERCHANT_NPUB', as.publicKey, {
      about: 'Recipient of PAY_NOTIFY_MERCHANT_DM, npub or hex.',
    }),
    notifyMerchant: given('PAY_NOTIFY_MERCHANT_DM', 'off', as.onOff, {
      about: 'on: notify PAY_MERCHANT_NPUB of every payment.',
    }),
    notifyPayer: given('PAY_NOTIFY_PAYER_RECEIPT', 'off', as.onOff, { about: 'on: send the payer a receipt.' }),
  }),
  ...grouped('grin1 rail', {
    grin1Rail: given('PAY_GRIN1_RAIL', 'off', as.onOff, { about: 'on: take payments to the grin1 address over Tor.' }),
    grin1ForeignPort: given('PAY_GRIN1_FOREIGN_PORT', '3416', as.whole(1, 65535), {
      about: 'Loopback port behind the onion service.',
    }),
    torControl: given('PAY_TOR_CONTROL', 'unix:/run/tor/control', as.torControl, {
      about:
        "Control port of the local tor: unix:/path (default: Debian's), or host:port. off: another program runs the onion service.",
    }),
    torPassword: secret('PAY_TOR_PASSWORD', {
      about: "Password of tor's HashedControlPassword; unnecessary if the cookie file is readable.",
    }),
  }),
  ...grouped('Users', {
    rotateInterval: given('PAY_ENDPUB_ROTATE_INTERVAL', '0', as.whole(0), {
      about: 'Seconds between new receiving keys of a user; 0 = never.',
    }),
    overlapEpochs: given('PAY_ENDPUB_OVERLAP_EPOCHS', '1', as.whole(0), {
      about: 'Earlier receiving keys of a user that stay watched.',
    }),
  }),
  ...grouped('Console', {
    ...consoleSettings('PAY', '127.0.0.1:3480'),
    consoleNameauth: optional('PAY_CONSOLE_NAMEAUTH', as.path, {
      about: 'Settings file of a name authority on this machine: its names are in this console too.',
    }),
    consoleRelay: optional('PAY_CONSOLE_RELAY', as.path, {
      about: 'Settings file (TOML) of a relay on this machine: its figures and lists are in this console too.',
    }),
  }),
  ...grouped('Files', {
    dbPath: given('PAY_DB_PATH', './grinpay-pay.db', as.path, { about: 'The database.' }),
    dataDir: given('PAY_DATA_DIR', './grinpay-data', as.path, { about: 'Wallet seed and Nostr identity.' }),
  }),
  ...grouped('PostgreSQL', {
    ...databaseSettings({ prefix: 'PAY', schema: 'pay', sharers: 'instances of one till' }),
    role: given('PAY_ROLE', 'all', as.oneOf(['all', 'front']), {
      about: 'front: never do the jobs that exist once (Nostr rail, onion service, own relay).',
      aliases: [],
    }),
  }),
}

/** One member per setting, as read. */
export type PayValues = ValuesOf<typeof PAY_SETTINGS>
