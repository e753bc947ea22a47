// Rules that look at more than one setting; every broken one is reported.
import { isPrivateHost, isTorHost } from '../lib/private-host.js'
import { haveCommon } from '../lib/secret-lines.js'
import { receiverSetting } from '../lib/webhooks.js'
import { consoleRemarks, consoleRules, hostOf, isLoopback } from './console-rules.js'
import { databaseRemark } from './database-settings.js'
import { configurationError } from './errors.js'
import { PAY_SETTINGS, type PayValues } from './pay-settings.js'
import type { SettingRule, SettingTable } from './reader.js'
import { FURTHER_RECEIVERS } from './webhook-receivers.js'

const isPrivate = (url: string): boolean => isPrivateHost(new URL(url).hostname)
const openHttp = (url: string): boolean => url.startsWith('http:') && !isPrivate(url)
const openTarget = (url: string | undefined, { webhookAllowHttp }: Partial<PayValues>): boolean =>
  url !== undefined && webhookAllowHttp === false && openHttp(url)
const openRelay = (url: string): boolean => url.startsWith('ws:') && !isPrivate(url)
/** One node named twice is one. */
const hostsOf = (urls: readonly string[]): number => new Set(urls.map((url) => new URL(url).host)).size

const CONSOLE = {
  on: 'PAY_CONSOLE',
  bind: 'PAY_CONSOLE_BIND',
  url: 'PAY_CONSOLE_URL',
  noProxies: 'PAY_TRUSTED_PROXIES is empty',
  listeners: 'PAY_BIND or PAY_METRICS_BIND',
  bindsOf: ({ bind, metricsBind }: Partial<PayValues>) => [bind, metricsBind],
  served: 'PAY_PUBLIC_URL',
  servedHostOf: ({ publicUrl }: Partial<PayValues>) => publicUrl && hostOf(publicUrl),
}

/** Customers come from outside. */
const isPublic = ({ publicUrl }: Partial<PayValues>): boolean => publicUrl !== undefined && !isPrivate(publicUrl)

/** Codes of the rate sources that are not three letters. */
const LONG_CURRENCIES: readonly string[] = ['bits', 'link', 'sats']
const isKnownForm = (currency: string): boolean => /^[a-z]{3}$/.test(currency) || LONG_CURRENCIES.includes(currency)

/** The first currency that no source is likely to price. A fixed rate prices its own, a source of the operator's may price all. */
const oddCurrency = ({ currencies = [], rateSources = [] }: Partial<PayValues>): string | undefined =>
  rateSources.some(({ kind }) => kind === 'url')
    ? undefined
    : currencies.find(
        (currency) =>
          !isKnownForm(currency) &&
          !rateSources.some((source) => source.kind === 'fixed' && source.rates[currency] !== undefined),
      )

/** Unlike the first, a further receiver is set by hand: half of one is a mistake either way. */
const FURTHER_RULES: readonly SettingRule<PayValues>[] = FURTHER_RECEIVERS.flatMap(
  ({ receiver, url, secrets }): SettingRule<PayValues>[] => {
    const [addressName, secretName] = [receiverSetting(receiver, 'URL'), receiverSetting(receiver, 'SECRET')]
    return [
      {
        setting: secrets,
        refusal: `${addressName} needs ${secretName}`,
        breaks: (pay) => pay[url] !== undefined && secrets in pay && pay[secrets] === undefined,
      },
      {
        setting: url,
        refusal: `${secretName} needs ${addressName}`,
        breaks: (pay) => pay[secrets] !== undefined && url in pay && pay[url] === undefined,
      },
      {
        setting: url,
        refusal: `${addressName} must be https for a public host (or set PAY_WEBHOOK_ALLOW_HTTP=on)`,
        breaks: (pay) => openTarget(pay[url], pay),
      },
    ]
  },
)

const RULES: readonly SettingRule<PayValues>[] = [
  {
    setting: 'adminTokens',
    refusal:
      'PAY_ADMIN_TOKEN is PAY_API_TOKEN: every shop could do what only the operator may (grinpay secret rotate admin --overlap 0s makes another)',
    breaks: ({ apiTokens = [], adminTokens = [] }) => haveCommon(apiTokens, adminTokens),
  },
  {
    setting: 'webhookSecrets',
    refusal: 'PAY_WEBHOOK_URL needs PAY_WEBHOOK_SECRET',
    breaks: (pay) => pay.webhookUrl !== undefined && 'webhookSecrets' in pay && pay.webhookSecrets === undefined,
  },
  {
    setting: 'webhookUrl',
    refusal: 'PAY_WEBHOOK_URL must be https for a public host (or set PAY_WEBHOOK_ALLOW_HTTP=on)',
    breaks: (pay) => openTarget(pay.webhookUrl, pay),
  },
  ...FURTHER_RULES,
  {
    setting: 'role',
    refusal: 'PAY_ROLE=front needs PAY_DATABASE_URL: another instance must do the jobs that exist once',
    breaks: (pay) => pay.role === 'front' && 'databaseUrl' in pay && pay.databaseUrl === undefined,
  },
  ...consoleRules<PayValues>(CONSOLE),
  {
    setting: 'tls',
    refusal: 'PAY_TLS=on needs PAY_TLS_CERT and PAY_TLS_KEY',
    breaks: (pay) => pay.tls === true && (pay.tlsCert === undefined || pay.tlsKey === undefined),
  },
  {
    setting: 'nsec',
    refusal: 'PAY_NSEC and PAY_NCRYPTSEC are both set',
    breaks: (pay) => pay.nsec !== undefined && pay.ncryptsec !== undefined,
  },
  {
    setting: 'relays',
    refusal: 'PAY_RELAY_MODE=external needs PAY_RELAYS',
    breaks: (pay) => pay.relayMode === 'external' && pay.relays?.length === 0,
  },
  {
    setting: 'merchantNpub',
    refusal: 'PAY_NOTIFY_MERCHANT_DM=on needs PAY_MERCHANT_NPUB',
    breaks: (pay) => pay.notifyMerchant === true && pay.merchantNpub === undefined,
  },
  {
    setting: 'confirmNodes',
    refusal: 'PAY_CONFIRM_NODES is more than the nodes that PAY_NODE_URL names: name more of them there, or lower it',
    breaks: ({ confirmNodes = 1, nodeUrls }) => nodeUrls !== undefined && confirmNodes > hostsOf(nodeUrls),
  },
  {
    setting: 'confirmNodesFrom',
    refusal:
      'PAY_CONFIRM_NODES_FROM needs two different nodes in PAY_NODE_URL: name a second one there, or leave it out',
    breaks: ({ confirmNodesFrom, nodeUrls }) =>
      confirmNodesFrom !== undefined && nodeUrls !== undefined && hostsOf(nodeUrls) < 2,
  },
  {
    setting: 'metricsBind',
    refusal: 'PAY_METRICS_BIND and PAY_BIND are the same port',
    breaks: ({ metricsBind, bind }) =>
      metricsBind !== undefined && metricsBind.port !== 0 && metricsBind.port === bind?.port,
  },
  {
    setting: 'rateSources',
    refusal: 'PAY_RATE_SOURCE has no fixed rate for every currency of PAY_RATE_CURRENCIES',
    breaks: ({ rateSources = [], currencies = [] }) =>
      rateSources.length > 0 &&
      rateSources.every(
        (source) => source.kind === 'fixed' && currencies.some((currency) => source.rates[currency] === undefined),
      ),
  },
]

/** What deserves a word at start although it is allowed. */
const REMARKS: readonly SettingRule<PayValues>[] = [
  {
    // Customers type nothing secret there, but an attacker on the way could change whom they pay.
    setting: 'publicUrl',
    isPredicate: true,
    refusal: 'must begin with https://; http:// is for this machine, its own network and .onion addresses',
    breaks: ({ publicUrl }) =>
      publicUrl !== undefined && openHttp(publicUrl) && !isTorHost(new URL(publicUrl).hostname),
  },
  {
    setting: 'currencies',
    isPredicate: true,
    refusal: (pay) =>
      `must be currency codes of three letters, such as usd or eur: ${JSON.stringify(oddCurrency(pay))} is none, and has no fixed rate in PAY_RATE_SOURCE`,
    breaks: (pay) => oddCurrency(pay) !== undefined,
  },
  {
    setting: 'trustedProxies',
    refusal:
      'PAY_TRUSTED_PROXIES is empty: behind a proxy all customers share the request limits of one, and a single one of them can use them up',
    breaks: (pay) => pay.rateLimits === true && pay.trustedProxies?.length === 0 && pay.tls === false && isPublic(pay),
  },
  {
    setting: 'webhookSecrets',
    refusal: 'PAY_WEBHOOK_SECRET is set but PAY_WEBHOOK_URL is not: no events are sent',
    breaks: (pay) => pay.webhookSecrets !== undefined && pay.webhookUrl === undefined,
  },
  {
    setting: 'relays',
    refusal:
      'PAY_RELAYS or PAY_BUNDLED_RELAY_URL names a ws:// relay on a public host: the connection to it is not encrypted; use wss://',
    breaks: (pay) =>
      (pay.relays ?? []).some(openRelay) ||
      (pay.relayMode === 'bundled' && pay.bundledRelayUrl !== undefined && openRelay(pay.bundledRelayUrl)),
  },
  {
    setting: 'bundledRelayUrl',
    refusal:
      'PAY_RELAY_MODE=bundled with PAY_BUNDLED_RELAY_URL on this machine: pay links name a relay that no customer reaches; set its public address, or PAY_RELAY_MODE=external with PAY_RELAYS',
    breaks: (pay) =>
      isPublic(pay) &&
      pay.ingest === true &&
      pay.relayMode === 'bundled' &&
      pay.bundledRelayUrl !== undefined &&
      isLoopback(new URL(pay.bundledRelayUrl).hostname),
  },
  {
    setting: 'metricsBind',
    refusal:
      'PAY_METRICS_BIND is not an address of this machine only: everyone who reaches it can read the metrics of the till',
    breaks: ({ metricsBind }) => metricsBind !== undefined && !isLoopback(metricsBind.host),
  },
  databaseRemark<PayValues>('PAY'),
  ...consoleRemarks<PayValues>(CONSOLE),
  {
    setting: 'consoleNameauth',
    refusal: 'PAY_CONSOLE_NAMEAUTH is set but PAY_CONSOLE is off: there is no console',
    breaks: ({ console, consoleNameauth }) => console === false && consoleNameauth !== undefined,
  },
  {
    setting: 'consoleRelay',
    refusal: 'PAY_CONSOLE_RELAY is set but PAY_CONSOLE is off: there is no console',
    breaks: ({ console, consoleRelay }) => console === false && consoleRelay !== undefined,
  },
]

const NO_MARK = 'QR codes carry no mark; PAY_SHOP_LOGO puts the logo of the shop on the page'

export const PAY_TABLE: SettingTable<PayValues> = {
  settings: PAY_SETTINGS,
  rules: RULES,
  remarks: REMARKS,
  prefix: 'PAY_',
  retired: { PAY_QR_LOGO: NO_MARK, GP_QR_LOGO: NO_MARK },
  refuse: configurationError,
}
