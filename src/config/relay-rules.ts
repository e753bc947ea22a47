// Rules of the relay that look at more than one setting; every broken one is reported.

import { consoleRemarks, consoleRules, hostOf as hostNameOf } from './console-rules.js'
import { relayConfigurationError } from './errors.js'
import { nameRules } from './name-rules.js'
import { AUTHORITY_OLD_NAMES } from './nameauth-settings.js'
import type { SettingRule, SettingTable, ValuesOf } from './reader.js'
import { RETIRED_VARIABLES } from './relay-retired.js'
import { RELAY_FILE_VARIABLES, RELAY_SETTINGS } from './relay-settings.js'

/** One member per setting, as read. */
export type RelayValues = ValuesOf<typeof RELAY_SETTINGS>
type Some = Partial<RelayValues>

/** Where the authority runs: `authority.mode`, else what the section of the names says. */
export const authorityMode = ({ authorityMode: mode, namesOn }: Some) => mode ?? (namesOn ? 'in-process' : 'off')

const hasNames = (values: Some): boolean => authorityMode(values) === 'in-process'

/** What cannot work without clients that say who they are. */
const NEEDS_AUTH: readonly { readonly name: string; readonly is: (values: Some) => boolean | undefined }[] = [
  { name: 'authorization.require_auth_to_write', is: ({ requireAuth }) => requireAuth },
  { name: 'authorization.gift_wraps_to_recipient', is: ({ giftWrapsToRecipient }) => giftWrapsToRecipient },
  { name: 'authorization.require_name', is: ({ requireName }) => requireName },
  { name: 'pay.pay_mode = "write"', is: ({ payMode }) => payMode === 'write' },
]

const needingAuth = (values: Some): readonly string[] =>
  NEEDS_AUTH.filter(({ is }) => is(values)).map(({ name }) => name)

/** Whether clients are asked who they are (NIP-42). */
export const isAuthOn = (values: Some): boolean => values.auth ?? needingAuth(values).length > 0

const CONSOLE = {
  on: 'console.enabled',
  bind: 'console.bind',
  url: 'console.url',
  noProxies: 'network.trusted_proxies is none',
  listeners: 'network.port, network.tor_bind or metrics.bind',
  bindsOf: ({ address: host, port, torBind, metricsBind }: Some) => [
    ...(host === undefined || port === undefined ? [] : [{ host, port }]),
    torBind,
    metricsBind,
  ],
  served: 'info.relay_url',
  servedHostOf: ({ relayUrls = [], consoleUrl }: Some) =>
    relayUrls.map(hostNameOf).find((host) => consoleUrl !== undefined && host === hostNameOf(consoleUrl)),
}

const RULES: readonly SettingRule<RelayValues>[] = [
  {
    setting: 'auth',
    refusal: (values) => `${needingAuth(values)[0]} needs authorization.nip42_auth, which is false`,
    breaks: (values) => values.auth === false && needingAuth(values).length > 0,
  },
  {
    setting: 'relayUrls',
    refusal: (values) =>
      `${needingAuth(values)[0] ?? 'authorization.nip42_auth'} needs info.relay_url: clients sign the address of the relay`,
    breaks: (values) => isAuthOn(values) && 'relayUrls' in values && (values.relayUrls ?? []).length === 0,
  },
  {
    setting: 'maxEventBytes',
    refusal: 'limits.max_event_bytes is more than limits.max_ws_message_bytes',
    breaks: ({ maxEventBytes = 0, maxMessageBytes = Number.POSITIVE_INFINITY }) => maxEventBytes > maxMessageBytes,
  },
  {
    setting: 'defaultLimit',
    refusal: 'limits.default_limit is more than limits.max_limit',
    breaks: ({ defaultLimit = 0, maxLimit = Number.POSITIVE_INFINITY }) => defaultLimit > maxLimit,
  },
  {
    setting: 'namesOn',
    refusal: ({ namesOn, authorityMode: mode }) =>
      `name_authority.enabled = ${namesOn} and authority.mode = "${mode}" contradict each other`,
    breaks: ({ namesOn, authorityMode: mode }) =>
      namesOn !== undefined && mode !== undefined && namesOn !== (mode === 'in-process'),
  },
  {
    setting: 'domain',
    refusal: 'name_authority.domain is not set: name the host behind the @',
    breaks: (values) => hasNames(values) && 'domain' in values && values.domain === undefined,
  },
  {
    setting: 'baseUrl',
    refusal: 'name_authority.base_url is not set: it is https:// and the domain',
    breaks: (values) => hasNames(values) && 'baseUrl' in values && values.baseUrl === undefined,
  },
  ...nameRules<RelayValues>(RELAY_SETTINGS, {
    payToken: 'pay.api_token_file or pay.api_token',
    saleOf: (mode) => `pay.pay_mode = "${mode}"`,
    isOn: hasNames,
  }),
  ...consoleRules<RelayValues>(CONSOLE),
]

/** Below these the wallet does not use a relay (specification: relay, 2). */
const GATE = { messageBytes: 131_072, pastSeconds: 172_800 } as const

const ONION = /^wss?:\/\/[^/:]+\.onion(?=[/:]|$)/i

const REMARKS: readonly SettingRule<RelayValues>[] = [
  {
    setting: 'logUnsafe',
    refusal: 'log.unsafe=single: what is acknowledged may be lost with one machine',
    breaks: ({ logUnsafe }) => logUnsafe !== undefined,
  },
  {
    setting: 'maxMessageBytes',
    refusal: `limits.max_ws_message_bytes is below ${GATE.messageBytes}: wallets will not use this relay`,
    breaks: ({ maxMessageBytes }) => maxMessageBytes !== undefined && maxMessageBytes < GATE.messageBytes,
  },
  {
    setting: 'rejectPastSeconds',
    refusal: `options.reject_past_seconds is below ${GATE.pastSeconds}: wallets will not use this relay`,
    breaks: ({ rejectPastSeconds: seconds = 0 }) => seconds > 0 && seconds < GATE.pastSeconds,
  },
  {
    setting: 'maxFiltersPerConnection',
    refusal:
      'limits.max_filters_per_connection is less than limits.max_filters: a subscription never gets as many filters as it may have',
    breaks: ({ maxFilters = 0, maxFiltersPerConnection = Number.POSITIVE_INFINITY }) =>
      maxFiltersPerConnection < maxFilters,
  },
  {
    setting: 'requireAuth',
    refusal: 'not everybody may publish here: wallets will not use this relay',
    breaks: ({ requireAuth, pubkeyWhitelist, payMode, requireName }) =>
      requireAuth === true || requireName === true || payMode === 'write' || pubkeyWhitelist !== undefined,
  },
  {
    setting: 'publicNoteAuthors',
    refusal: ({ publicNoteAuthors }) =>
      `authorization.public_note_authors: skipped what is no key: ${publicNoteAuthors?.invalid.join(', ')}`,
    breaks: ({ publicNoteAuthors }) => (publicNoteAuthors?.invalid ?? []).length > 0,
  },
  {
    setting: 'publicNoteAuthors',
    refusal:
      'authorization.public_note_authors is "everyone" and limits.events_per_min_per_connection is not set: one client can fill the disk',
    breaks: ({ publicNoteAuthors, eventsPerMinute }) =>
      publicNoteAuthors?.authors === 'everyone' && eventsPerMinute === undefined,
  },
  {
    setting: 'payMode',
    refusal: 'pay.pay_mode = "name" says nothing here: names are sold by the authority, which is not in this relay',
    breaks: (values) => values.payMode === 'name' && !hasNames(values),
  },
  {
    setting: 'colocated',
    refusal: 'authority.colocated = false says nothing while the authority is in-process',
    breaks: (values) => hasNames(values) && values.colocated === false,
  },
  {
    setting: 'admins',
    refusal: 'management.admins says nothing without info.relay_url: managers sign the address of the relay',
    breaks: ({ admins = [], relayUrls = [] }) => admins.length > 0 && relayUrls.length === 0,
  },
  {
    setting: 'torBind',
    refusal:
      'info.relay_url has an onion address and network.tor_bind is not set: behind tor clients could write X-Real-IP themselves; let the onion service connect to network.tor_bind',
    breaks: ({ relayUrls = [], torBind, trustedProxies = [] }) =>
      torBind === undefined && trustedProxies.length > 0 && relayUrls.some((url) => ONION.test(url)),
  },
  {
    setting: 'trustedProxies',
    refusal: 'network.trusted_proxies is none: behind a proxy all clients have its address',
    breaks: ({ trustedProxies }) => trustedProxies?.length === 0,
  },
  ...consoleRemarks<RelayValues>(CONSOLE),
]

export const RELAY_TABLE: SettingTable<RelayValues> = {
  settings: RELAY_SETTINGS,
  rules: RULES,
  remarks: REMARKS,
  prefix: 'RELAY_',
  foreign: [...RELAY_FILE_VARIABLES, ...AUTHORITY_OLD_NAMES],
  retired: RETIRED_VARIABLES,
  refuse: relayConfigurationError,
}
