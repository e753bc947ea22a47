// Rules of the name authority that look at more than one setting; every broken one is reported.
import { isPrivateHost } from '../lib/private-host.js'
import { consoleRemarks, consoleRules } from './console-rules.js'
import { databaseRemark } from './database-settings.js'
import { nameauthConfigurationError } from './errors.js'
import { nameRules } from './name-rules.js'
import { NAMEAUTH_FILE_VARIABLES, NAMEAUTH_SETTINGS, RELAY_OLD_NAMES } from './nameauth-settings.js'
import type { SettingRule, SettingTable, ValuesOf } from './reader.js'

/** One member per setting, as read. */
export type NameauthValues = ValuesOf<typeof NAMEAUTH_SETTINGS>
type Some = Partial<NameauthValues>

const isForeignNode = (url: string): boolean => !/\/v2\/foreign\/?$/.test(url)

const CONSOLE = {
  on: 'NAMEAUTH_CONSOLE',
  bind: 'NAMEAUTH_CONSOLE_BIND',
  url: 'NAMEAUTH_CONSOLE_URL',
  noProxies: 'NAMEAUTH_TRUSTED_PROXIES is none',
  listeners: 'NAMEAUTH_NAMES_BIND, NAMEAUTH_TOR_BIND or NAMEAUTH_METRICS_BIND',
  bindsOf: ({ bind, torBind, metricsBind }: Some) => [bind, torBind, metricsBind],
  served: 'NAMEAUTH_DOMAIN',
  servedHostOf: ({ domain }: Some) => domain?.toLowerCase(),
}

const RULES: readonly SettingRule<NameauthValues>[] = [
  {
    setting: 'domain',
    refusal: 'NAMEAUTH_DOMAIN is not set: name the host behind the @, or run "grinpay setup nameauth"',
    breaks: (names) => 'domain' in names && names.domain === undefined,
  },
  ...nameRules<NameauthValues>(NAMEAUTH_SETTINGS, {
    payToken: 'NAMEAUTH_PAY_TOKEN_FILE or NAMEAUTH_PAY_TOKEN, the API token of the till',
    saleOf: (mode) => `NAMEAUTH_PAY_MODE=${mode}`,
    isOn: () => true,
  }),
  {
    setting: 'nodeUrls',
    refusal: 'NAMEAUTH_TRANSFERS=on needs NAMEAUTH_GRIN_NODE_URL',
    breaks: (names) => names.transfersOn === true && 'nodeUrls' in names && (names.nodeUrls ?? []).length === 0,
  },
  {
    setting: 'databaseUrl',
    refusal: 'NAMEAUTH_DATABASE_URL and NAMEAUTH_NAMES_DB are both set: names are either in PostgreSQL or in a file',
    breaks: ({ databaseUrl, dbPath }) => databaseUrl !== undefined && dbPath !== undefined,
  },
  ...consoleRules<NameauthValues>(CONSOLE),
]

/** No till makes an invoice of more, in GRIN (specification: invoicing, 2.3). */
const MOST_PRICE = 9_007_199.254740991

const REMARKS: readonly SettingRule<NameauthValues>[] = [
  {
    setting: 'payMode',
    refusal: `the price is more than a till takes for one invoice, ${MOST_PRICE} GRIN: it cannot be paid`,
    breaks: ({ payMode, namePrice, writePrice }) =>
      payMode !== 'off' && Number(payMode === 'name' ? namePrice : writePrice) > MOST_PRICE,
  },
  {
    setting: 'payUrl',
    refusal: 'NAMEAUTH_PAY_URL is plain http to a public host: the API token travels unencrypted; use https',
    breaks: ({ payUrl }) => payUrl?.startsWith('http:') === true && !isPrivateHost(new URL(payUrl).hostname),
  },
  {
    setting: 'webhookSecret',
    refusal: 'NAMEAUTH_PAY_WEBHOOK_SECRET is set but NAMEAUTH_PAY_MODE is off: there are no payments to hear of',
    breaks: ({ webhookSecret, payMode }) => webhookSecret !== undefined && payMode === 'off',
  },
  {
    setting: 'nodeUrls',
    refusal: 'NAMEAUTH_GRIN_NODE_URL is used as it stands, and does not end in /v2/foreign as Grin nodes expect',
    breaks: ({ nodeUrls, transfersOn }) => transfersOn === true && (nodeUrls ?? []).some(isForeignNode),
  },
  {
    setting: 'trustedProxies',
    refusal: 'NAMEAUTH_TRUSTED_PROXIES is none: behind a proxy all clients share the request limits of one',
    breaks: ({ trustedProxies }) => trustedProxies?.length === 0,
  },
  databaseRemark<NameauthValues>('NAMEAUTH'),
  ...consoleRemarks<NameauthValues>(CONSOLE),
]

export const NAMEAUTH_TABLE: SettingTable<NameauthValues> = {
  settings: NAMEAUTH_SETTINGS,
  rules: RULES,
  remarks: REMARKS,
  prefix: 'NAMEAUTH_',
  foreign: [...NAMEAUTH_FILE_VARIABLES, ...RELAY_OLD_NAMES],
  refuse: nameauthConfigurationError,
}
