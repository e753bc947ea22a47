// Settings of the relay: a TOML file and an Environment become one frozen value, or one line with everything that is wrong.
import { join } from 'node:path'
import { messageOf } from '../lib/errors.js'
import type { RelaySettings } from '../relay/index.js'
import { type DatabaseSettings, databaseOf } from './database-settings.js'
import type { Environment } from './env.js'
import { relayConfigurationError } from './errors.js'
import { type NamesConfig, readReserved } from './nameauth.js'
import { problemsAbout, type SettingNotice, type SettingProblem } from './problem.js'
import { isComplete, pick, type Reading, readTable } from './reader.js'
import type { RelayConfig, RelayFacts, RelayLogConfig, RelayPolicyConfig, RetentionConfig } from './relay-config.js'
import { layToml, type TomlFile } from './relay-file.js'
import { authorityMode, isAuthOn, RELAY_TABLE, type RelayValues } from './relay-rules.js'

export interface RelaySources {
  /** The TOML file; absent: environment and defaults alone. */
  readonly file?: TomlFile | undefined
  readonly environment: Environment
}

export interface RelayLoadOptions {
  /** Where the database lies by default. */
  readonly dataDir?: string
}

/** Where the database lies when root runs the relay and no setting names a folder. */
export const RELAY_DATA_DIR = '/var/lib/grinpay-relay'

/** Reads, checks and freezes. Throws CONFIGURATION with every problem in one line; secrets are never quoted. */
export function loadRelayConfig(
  sources: RelaySources,
  { dataDir = RELAY_DATA_DIR }: RelayLoadOptions = {},
): RelayConfig {
  const { values, problems, notices, reserved } = readRelayValues(sources)
  if (problems.length > 0 || !isComplete(RELAY_TABLE.settings, values)) throw relayConfigurationError(problems)
  return Object.freeze(configOf({ values, reserved, notices, usualDir: dataDir }))
}

/** Reads every setting and the file of reserved names, and applies the rules; for `config check`, which shows all of it. */
export function readRelayValues({
  file,
  environment,
}: RelaySources): Reading<RelayValues> & { readonly reserved: readonly string[] } {
  const layered = layToml(file, Object.values(RELAY_TABLE.settings), environment)
  const reading = readTable(layered.environment, RELAY_TABLE)
  const lines = readReserved(environment, reading.values.reservedFile, 'name_authority.reserved_file')
  const files = [...('problem' in lines ? [lines.problem] : []), ...unreadablePages(environment, reading.values)]
  const problems = [...layered.problems, ...reading.problems, ...files]
  return { ...reading, problems, reserved: 'names' in lines ? lines.names : [] }
}

/** Found out here, so that "config check" knows it. */
function unreadablePages(
  environment: Environment,
  { relayPage, favicon }: Partial<RelayValues>,
): readonly SettingProblem[] {
  const pages = { 'info.relay_page': relayPage, 'info.favicon': favicon }
  return Object.entries(pages).flatMap(([setting, path]) => {
    try {
      if (path !== undefined) environment.readFile(path)
      return []
    } catch (error) {
      return [{ setting, text: `${setting}: cannot read ${path} (${messageOf(error)})` }]
    }
  })
}

/** By key, what unset settings come to because of others or of the user who runs the relay; for `config show`. `usualDir`: of the database. */
export function derivedRelayTexts(environment: Environment, usualDir: string): Readonly<Record<string, string>> {
  const { values } = readTable(environment, RELAY_TABLE)
  const { maxEventBytes, relayUrls = [] } = values
  return {
    'limits.max_content_length': String(maxEventBytes ?? ''),
    'authorization.nip42_auth': String(isAuthOn(values)),
    'database.data_directory': usualDir,
    'authority.mode': authorityMode(values),
    'name_authority.relays': relayUrls.join(','),
  }
}

/** The environment with the file behind it; for `config show`. */
export const layeredEnvironment = ({ file, environment }: RelaySources): Environment =>
  layToml(file, Object.values(RELAY_TABLE.settings), environment).environment

interface Loaded {
  readonly values: RelayValues
  readonly reserved: readonly string[]
  readonly notices: readonly SettingNotice[]
  readonly usualDir: string
}

function configOf({ values, reserved, notices, usualDir }: Loaded): RelayConfig {
  const { torBind, trustedProxies, addressHeader, compression, metricsBind, colocated, upstream, admins = [] } = values
  const dataDir = values.dataDir ?? usualDir
  return {
    relay: settingsOf(values),
    policy: policyOf(values),
    bind: { host: values.address, port: values.port },
    ...{ torBind, trustedProxies, addressHeader, compression, dataDir, metricsBind, admins, notices },
    dbPath: join(dataDir, 'relay.db'),
    readerThreads: values.readerThreads,
    ...pick(values, ['console', 'consoleBind', 'consoleUrl']),
    pages: { landing: values.relayPage, favicon: values.favicon },
    authority: { mode: authorityMode(values), upstream, colocated },
    names: namesOf(values, reserved, dataDir),
    log: logOf(values),
    retention: retentionOf(values),
  }
}

/** Settings without which nothing can be said of a relay, as problems name them. */
const NEEDED = [
  'network.address',
  'network.port',
  'database.durability',
  'database.data_directory',
  'limits.max_ws_message_bytes',
]

/** Other settings may be wrong. `usualDir`: of the database. Throws CONFIGURATION. */
export function readRelayFacts(sources: RelaySources, usualDir: string): RelayFacts {
  const { values, problems } = readRelayValues(sources)
  const { address: host, port, durability, name, relayUrls = [], metricsBind, dataDir = usualDir } = values
  const { maxMessageBytes } = values
  const wrong = problemsAbout(problems, NEEDED)
  if (wrong.length > 0 || host === undefined || port === undefined || !durability || maxMessageBytes === undefined)
    throw relayConfigurationError(wrong.length > 0 ? wrong : problems)
  const facts = { name, relayUrls, metricsBind, durability, maxMessageBytes, retention: retentionOf(values) }
  return { ...facts, bind: { host, port }, dbPath: join(dataDir, 'relay.db') }
}

/** Where the log of several relays is, as problems name it. */
export const LOG_PLACES = ['log.url', 'log.schema', 'log.unsafe']

/** Undefined: the relay runs alone. */
export function relayLogOf({
  logUrl,
  logSchema = 'relay',
  logUnsafe,
}: Partial<RelayValues>): DatabaseSettings | undefined {
  return databaseOf({ databaseUrl: logUrl, databaseSchema: logSchema, databaseUnsafe: logUnsafe }, 'relay')
}

function logOf(values: RelayValues): RelayLogConfig | undefined {
  const place = relayLogOf(values)
  return place && { ...place, days: values.logDays, patienceMs: values.logPatience * 1000 }
}

function retentionOf(values: Partial<RelayValues>): RetentionConfig | undefined {
  const { retentionMaxEvents: maxEvents, retentionMaxBytes: maxBytes, retentionDays: days, retentionKinds } = values
  if (maxEvents === undefined && maxBytes === undefined && days === undefined) return undefined
  const { retentionKeepAuthors: keepAuthors = [] } = values
  return { maxEvents, maxBytes, days, keepAuthors, ...(retentionKinds && { kinds: retentionKinds }) }
}

function settingsOf(values: RelayValues): RelaySettings {
  const { giftWrapsToRecipient, negentropy, maxSyncEvents } = values
  return {
    info: {
      relayUrls: values.relayUrls ?? [],
      ...pick(values, ['name', 'description', 'pubkey', 'self', 'contact', 'icon', 'banner']),
      ...pick(values, ['privacyPolicy', 'termsOfService']),
    },
    limits: limitsOf(values),
    auth: { enabled: isAuthOn(values), giftWrapsToRecipient },
    negentropy: { enabled: negentropy, maxSyncEvents },
    searchKinds: values.search ? [...new Set(values.searchKinds)] : [],
    ...pick(values, ['countMax', 'durability']),
  }
}

/** Characters of a subscription's id (specification: relay, 4). */
const SUBSCRIPTION_ID_LENGTH = 64

const limitsOf = (values: RelayValues): RelaySettings['limits'] => ({
  ...pick(values, ['maxEventBytes', 'maxMessageBytes', 'maxTags', 'maxTagValueBytes']),
  maxContentLength: values.maxContentLength ?? values.maxEventBytes,
  ...pick(values, ['maxSubscriptions', 'maxFilters', 'maxFilterValues']),
  ...pick(values, ['maxFiltersPerConnection', 'maxLimit', 'defaultLimit']),
  maxSubscriptionIdLength: SUBSCRIPTION_ID_LENGTH,
  ...pick(values, ['maxPendingBytes', 'maxClientBytes', 'eventsPerMinute', 'subscriptionsPerMinute']),
  ...pick(values, ['maxConnections', 'maxConnectionsPerAddress', 'maxKeys', 'pingSeconds']),
  rejectPastSeconds: values.rejectPastSeconds === 0 ? undefined : values.rejectPastSeconds,
  ...pick(values, ['rejectFutureSeconds', 'giftWrapRecipientDelete']),
})

function policyOf(values: RelayValues): RelayPolicyConfig {
  const {
    allowedKinds: kinds,
    blockedKinds = [],
    publicNoteAuthors,
    pubkeyWhitelist,
    requireAuth,
    requireName,
  } = values
  const { payMode, paidCacheSeconds: verdictSeconds, plugin, pluginTimeoutSeconds: timeoutSeconds } = values
  return {
    ...{ kinds, blockedKinds, requireAuth, requireName, verdictSeconds },
    authors: publicNoteAuthors?.authors ?? [],
    whitelist: pubkeyWhitelist,
    payMode: payMode === 'write' ? 'write' : 'off',
    plugin: plugin === undefined ? undefined : { command: plugin, timeoutSeconds },
  }
}

/** Transfers never exist inside a relay (specification: names, 1). */
function namesOf(values: RelayValues, lines: readonly string[], dataDir: string): NamesConfig | undefined {
  const { domain, baseUrl, payMode, payUrl, payToken, webhookSecret, relayUrls = [] } = values
  if (authorityMode(values) !== 'in-process' || domain === undefined || baseUrl === undefined) return undefined
  const { nameRelays = relayUrls, reserved = [] } = values
  return {
    ...{ domain, baseUrl, dataDir, webhookSecret },
    ...pick(values, ['cooldownSeconds', 'authMaxAgeSeconds', 'nameMin', 'nameMax', 'pollIntervalSeconds']),
    relays: nameRelays,
    dbPath: join(dataDir, 'names.db'),
    readRate: { max: values.readRateMax, windowSeconds: values.readRateWindow },
    writeRate: { max: values.writeRateMax, windowSeconds: values.writeRateWindow },
    reserved: [...new Set([...reserved.map((name) => name.toLowerCase()), ...lines])],
    sale:
      payMode === 'off'
        ? undefined
        : { resource: payMode, priceGrin: payMode === 'name' ? values.namePrice : values.writePrice },
    pay:
      payMode !== 'off' && payUrl !== undefined && payToken !== undefined
        ? { url: payUrl, token: payToken }
        : undefined,
    transfers: undefined,
    database: undefined,
  }
}
