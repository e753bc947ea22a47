// Settings of the till: from an Environment to one frozen value, or one line with everything that is wrong.
import { join } from 'node:path'
import { presentable, type SecretLine } from '../lib/secret-lines.js'
import { hostPort } from '../lib/url.js'
import { type DatabaseSettings, databaseOf } from './database-settings.js'
import type { Environment } from './env.js'
import { PAY_TABLE } from './pay-rules.js'
import { PAY_SETTINGS, type PayValues } from './pay-settings.js'
import type { SettingProblem } from './problem.js'
import { type Reading, readTable, requireAll } from './reader.js'
import { loadRelayConfig, type RelayConfig } from './relay.js'
import { resolveSetting } from './resolve.js'
import type { EffectiveSetting } from './setting.js'
import type { Bind } from './values.js'
import { FURTHER_RECEIVERS } from './webhook-receivers.js'

/** What the daemon is composed from: the values, with defaults that depend on others filled in. */
export type PayConfig = ReturnType<typeof loadPayConfig>

/** The secrets that can be replaced while the till runs. Empty lists: not set. */
export interface RotatingSecrets {
  readonly apiTokens: readonly SecretLine[]
  readonly adminTokens: readonly SecretLine[]
  /** Of receiver 1. */
  readonly webhookSecrets: readonly SecretLine[]
  /** Of the further receivers, by their numbers. */
  readonly receiverSecrets: ReadonlyMap<number, readonly SecretLine[]>
}

export interface LoadOptions {
  /** Only `grinpay sandbox` may run on a made-up chain. */
  readonly allowSandbox?: boolean
}

/** Reads, checks and freezes. Throws CONFIGURATION with every problem in one line; secrets are never quoted. */
export function loadPayConfig(environment: Environment, { allowSandbox = false }: LoadOptions = {}) {
  const reading = readPayValues(environment)
  if (reading.values.chain === 'sandbox' && !allowSandbox)
    reading.problems.push({
      setting: 'PAY_CHAIN',
      text: 'PAY_CHAIN=sandbox is for "grinpay sandbox" only; use mainnet, testnet or usernet',
    })
  const values = requireAll(PAY_TABLE, reading)
  const ownRelay = ownRelayOf(environment, values)
  return Object.freeze({
    ...configOf(values),
    /** The relay that runs beside the till in its process; undefined: none does. */
    ownRelay,
    /** What is accepted and signed with, and where it was read. */
    rotating: { ...secretsOf(values), files: filesOf(environment) },
    /** Things to tell the operator at start; no secret values. */
    notices: [...reading.notices, ...(ownRelay?.notices ?? [])],
  })
}

/**
 * Reads every setting and applies the rules; for `config check`, which shows all of it. With a database `dbPath` names a file beside the wallet
 * that is never made: what belongs to this machine lies beside it.
 */
export function readPayValues(environment: Environment): Reading<PayValues> {
  const reading = readTable(environment, PAY_TABLE)
  const { chain } = reading.values
  if (chain !== undefined && chain !== 'mainnet' && chain !== 'sandbox')
    if (resolveSetting(environment, PAY_SETTINGS.nodeUrls).outcome === 'unset')
      reading.problems.push({ setting: 'PAY_NODE_URL', text: `PAY_CHAIN=${chain} needs PAY_NODE_URL` })
  if (resolveSetting(environment, PAY_SETTINGS.databaseUrl).outcome === 'unset') return reading
  if (resolveSetting(environment, PAY_SETTINGS.dbPath).outcome !== 'unset')
    reading.problems.push({ setting: 'PAY_DATABASE_URL', text: TWO_PLACES })
  const { dataDir } = reading.values
  return dataDir === undefined
    ? reading
    : { ...reading, values: { ...reading.values, dbPath: join(dataDir, 'pay.db') } }
}

const TWO_PLACES = 'PAY_DATABASE_URL and PAY_DB_PATH are both set: the till is either in PostgreSQL or in a file'

/** Where the till is, when it is in PostgreSQL. */
export const payDatabaseOf = (values: Partial<PayValues>): DatabaseSettings | undefined => databaseOf(values, 'pay')

/**
 * What a till needs at its start although settings are valid without it: commands on a running till do not need it. `isHandedOver`: a
 * unit of this machine gives that setting to the till as a credential.
 */
export function missingAtStart(
  environment: Environment,
  isHandedOver: (setting: string) => boolean,
): readonly SettingProblem[] {
  const { walletPassword } = PAY_SETTINGS
  const { name: setting } = walletPassword
  if (resolveSetting(environment, walletPassword).outcome !== 'unset' || isHandedOver(setting)) return []
  const text = `${setting} is not set, and no unit hands it over: the till does not start without it; name its file as ${setting}_FILE`
  return [{ setting, text }]
}

const secretsOf = (values: PayValues): RotatingSecrets => ({
  apiTokens: values.apiTokens ?? [],
  adminTokens: values.adminTokens ?? [],
  webhookSecrets: values.webhookSecrets ?? [],
  receiverSecrets: new Map(FURTHER_RECEIVERS.map(({ receiver, secrets }) => [receiver, values[secrets] ?? []])),
})

/** Files that name one of them or hold it. */
function filesOf(environment: Environment): readonly string[] {
  const { apiTokens, adminTokens, webhookSecrets } = PAY_SETTINGS
  const further = FURTHER_RECEIVERS.map(({ secrets }) => PAY_SETTINGS[secrets])
  const origins = [apiTokens, adminTokens, webhookSecrets, ...further].flatMap((setting) => {
    const found = resolveSetting(environment, setting)
    return found.outcome === 'found' && found.origin !== 'environment' ? [found.origin] : []
  })
  return [...new Set([...origins, ...(environment.envFile === undefined ? [] : [environment.envFile])])]
}

/** Without what only leads to others of its members. */
function configOf({ ownRelayBind: _, tls, tlsCert: cert, tlsKey: key, ...all }: PayValues) {
  const { databaseUrl: _url, databaseSchema: _schema, databaseUnsafe: _unsafe, ...others } = all
  const { apiTokens, adminTokens, webhookSecrets: _webhook, ...values } = others
  return {
    ...values,
    /** Without trailing slash, mount path included. */
    publicUrl: values.publicUrl ?? localUrl(tls, values.bind),
    /** PEM paths, or undefined behind a proxy. */
    tls: tls && cert !== undefined && key !== undefined ? { cert, key } : undefined,
    /** Undefined: the till is in the file. */
    database: payDatabaseOf(all),
    /** The resolved set: own relay first in mode `bundled`. */
    relays: relaySet(values),
    /** Those whose address and secret are set, by number. */
    webhooks: webhooksOf(all),
    /** What our own commands show; undefined also when only its hash is kept. */
    apiToken: presentable(apiTokens),
    adminToken: presentable(adminTokens),
  }
}

function webhooksOf(values: Omit<PayValues, 'ownRelayBind' | 'tls' | 'tlsCert' | 'tlsKey'>) {
  const all = [
    { receiver: 1, url: values.webhookUrl, secrets: values.webhookSecrets },
    ...FURTHER_RECEIVERS.map(({ receiver, url, secrets }) => ({
      receiver,
      url: values[url],
      secrets: values[secrets],
    })),
  ]
  return all.flatMap(({ receiver, url, secrets }) =>
    url !== undefined && secrets ? [{ receiver, url, compat: values.webhookCompat }] : [],
  )
}

/** The resolved set, in order: own relay first in mode `bundled` (specification: invoicing, 9). */
const relaySet = (values: Pick<PayValues, 'relayMode' | 'bundledRelayUrl' | 'relays'>): readonly string[] =>
  values.relayMode === 'bundled' ? [...new Set([values.bundledRelayUrl, ...values.relays])] : values.relays

/** So many relays of the set stand in pay links and in the till's own relay list (specification: invoicing, 4.2 and 4.8). */
const ADVERTISED = 3

/**
 * What the relay settings come to together: `relay-set.1`, `relay-set.2` … with what each relay is used for. Lower-case names are
 * nothing that can be set. Empty while one of the settings is broken.
 */
export function effectiveRelays(environment: Environment): readonly EffectiveSetting[] {
  const { relayMode, bundledRelayUrl, relays } = readPayValues(environment).values
  if (relayMode === undefined || bundledRelayUrl === undefined || relays === undefined) return []
  return relaySet({ relayMode, bundledRelayUrl, relays }).map((value, at) => ({
    name: `relay-set.${at + 1}`,
    value,
    origin: `${relayMode === 'bundled' && at === 0 ? 'own relay, ' : ''}${at < ADVERTISED ? 'advertised' : 'only listened to'}`,
  }))
}

/** Settings of the relay come from the same environment; address and place of its data are those of the till's. */
function ownRelayOf(environment: Environment, values: PayValues): RelayConfig | undefined {
  const { ingest, relayMode, ownRelayBind: bind, bundledRelayUrl, dataDir } = values
  if (!ingest || relayMode !== 'bundled' || bind === undefined) return undefined
  const find = (name: string) =>
    environment.find(name) ??
    (name === 'RELAY_INFO_RELAY_URL' ? { text: bundledRelayUrl, origin: 'PAY_BUNDLED_RELAY_URL' } : undefined)
  return {
    ...loadRelayConfig(
      { environment: { ...environment, find, filed: undefined } },
      { dataDir: join(dataDir, 'relay') },
    ),
    bind,
  }
}

const localUrl = (tls: boolean, { host, port }: Bind): string => `${tls ? 'https' : 'http'}://${hostPort(host, port)}`
