// Settings of the relay: a TOML file and an Environment become one frozen value, or one line with everything that is wrong.
import { join } from 'node:path'
import { messageOf } from '../lib/errors.js'
import type { RelaySettings } from '../relay/index.js'
import { type DatabaseSettings, databaseOf } from './database-settings.js'
import type { Environment } from './env.js'
import { type NamesConfig, namesOf, readReserved } from './nameauth.js'
import type { SettingNotice, SettingProblem } from './problem.js'
import { keysOf, pick, type Reading, readTable, requireAll, requireSome } from './reader.js'
import { layToml, type TomlFile } from './relay-file.js'
import { authorityMode, isAuthOn, RELAY_TABLE, type RelayValues } from './relay-rules.js'
import { INFO_SETTINGS, LIMIT_SETTINGS } from './relay-settings.js'

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

/** What the daemon is composed from. */
export type RelayConfig = ReturnType<typeof loadRelayConfig>

/** Reads, checks and freezes. Throws CONFIGURATION with every problem in one line; secrets are never quoted. */
export function loadRelayConfig(sources: RelaySources, { dataDir: usualDir = RELAY_DATA_DIR }: RelayLoadOptions = {}) {
  const reading = readRelayValues(sources)
  const values = requireAll(RELAY_TABLE, reading)
  const { dataDir = usualDir, admins = [], logDays: days, logPatience } = values
  const log = relayLogOf(values)
  return Object.freeze({
    relay: settingsOf(values),
    policy: { ...policyOf(values), plugin: pluginOf(values) },
    bind: { host: values.address, port: values.port },
    ...pick(values, ['torBind', 'trustedProxies', 'addressHeader', 'compression', 'readerThreads']),
    ...pick(values, ['metricsBind', 'console', 'consoleBind', 'consoleUrl']),
    dataDir,
    dbPath: join(dataDir, 'relay.db'),
    /** Files of the operator, served instead of what is built in. */
    pages: { landing: values.relayPage, favicon: values.favicon },
    authority: { mode: authorityMode(values), ...pick(values, ['upstream', 'colocated']) },
    /** Undefined: no authority runs in this process. */
    names: namesInside(values, reading.reserved, dataDir),
    /** The log of several front ends; undefined: the relay runs alone. */
    log: log && { ...log, days, patienceMs: logPatience * 1000 },
    retention: retentionOf(values),
    /** Who may manage the relay (NIP-86); 64 lower-case hex. */
    admins,
    /** Things to tell the operator at start; no secret values. */
    notices: reading.notices,
  })
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

const FACTS = ['address', 'port', 'durability', 'dataDir', 'maxMessageBytes'] as const

/** What the console of another daemon needs of a relay. */
export type RelayFacts = ReturnType<typeof readRelayFacts>

/** Other settings may be wrong. `usualDir`: of the database. Throws CONFIGURATION. */
export function readRelayFacts(sources: RelaySources, usualDir: string) {
  const reading = readRelayValues(sources)
  const { address: host, port, dataDir = usualDir, ...sizes } = requireSome(RELAY_TABLE, reading, FACTS)
  const { name, relayUrls = [], metricsBind } = reading.values
  const facts = { name, relayUrls, metricsBind, ...sizes, retention: retentionOf(reading.values) }
  return { ...facts, bind: { host, port }, dbPath: join(dataDir, 'relay.db') }
}

/** Undefined: the relay runs alone. */
export function relayLogOf({
  logUrl,
  logSchema = 'relay',
  logUnsafe,
}: Partial<RelayValues>): DatabaseSettings | undefined {
  return databaseOf({ databaseUrl: logUrl, databaseSchema: logSchema, databaseUnsafe: logUnsafe }, 'relay')
}

/** What is removed again; gift wraps never are. Undefined: everything stays. */
function retentionOf(values: Partial<RelayValues>) {
  const { retentionMaxEvents: maxEvents, retentionMaxBytes: maxBytes, retentionDays: days, retentionKinds } = values
  if (maxEvents === undefined && maxBytes === undefined && days === undefined) return undefined
  const { retentionKeepAuthors: keepAuthors = [] } = values
  return { maxEvents, maxBytes, days, keepAuthors, ...(retentionKinds && { kinds: retentionKinds }) }
}

/** Characters of a subscription's id (specification: relay, 4). */
const SUBSCRIPTION_ID_LENGTH = 64

const settingsOf = (values: RelayValues): RelaySettings => ({
  info: { ...pick(values, keysOf(INFO_SETTINGS)), relayUrls: values.relayUrls ?? [] },
  limits: {
    ...pick(values, keysOf(LIMIT_SETTINGS)),
    ...pick(values, ['rejectFutureSeconds', 'giftWrapRecipientDelete', 'pingSeconds', 'maxKeys']),
    maxContentLength: values.maxContentLength ?? values.maxEventBytes,
    maxSubscriptionIdLength: SUBSCRIPTION_ID_LENGTH,
    rejectPastSeconds: values.rejectPastSeconds === 0 ? undefined : values.rejectPastSeconds,
  },
  auth: { enabled: isAuthOn(values), giftWrapsToRecipient: values.giftWrapsToRecipient },
  negentropy: { enabled: values.negentropy, maxSyncEvents: values.maxSyncEvents },
  searchKinds: values.search ? [...new Set(values.searchKinds)] : [],
  ...pick(values, ['countMax', 'durability']),
})

type PolicyValues = Pick<
  RelayValues,
  | ('allowedKinds' | 'blockedKinds' | 'publicNoteAuthors' | 'pubkeyWhitelist')
  | ('requireAuth' | 'requireName' | 'payMode' | 'paidCacheSeconds')
>

/** Who may write what; also for the policy as a program of another relay. Keys are 64 lower-case hex. */
export const policyOf = (values: PolicyValues) => ({
  kinds: values.allowedKinds,
  blockedKinds: values.blockedKinds ?? [],
  /** Of public notes. */
  authors: values.publicNoteAuthors?.authors ?? [],
  whitelist: values.pubkeyWhitelist,
  ...pick(values, ['requireAuth', 'requireName']),
  payMode: values.payMode === 'write' ? ('write' as const) : ('off' as const),
  verdictSeconds: values.paidCacheSeconds,
})

const pluginOf = ({ plugin: command, pluginTimeoutSeconds: timeoutSeconds }: RelayValues) =>
  command === undefined ? undefined : { command, timeoutSeconds }

/** Transfers never exist inside a relay (specification: names, 1). */
function namesInside(values: RelayValues, lines: readonly string[], dataDir: string): NamesConfig | undefined {
  const { domain, baseUrl, relayUrls = [], nameRelays = relayUrls, reserved = [], payMode, payUrl } = values
  if (authorityMode(values) !== 'in-process' || domain === undefined || baseUrl === undefined) return undefined
  return namesOf(
    { ...values, payUrl: payMode === 'off' ? undefined : payUrl },
    {
      ...{ domain, baseUrl, dataDir, relays: nameRelays, dbPath: join(dataDir, 'names.db') },
      reserved: [...new Set([...reserved.map((name) => name.toLowerCase()), ...lines])],
      ...{ transfers: undefined, database: undefined },
    },
  )
}

/** For `config check`: why notes would be refused, and the settings of a relay that is open to all. None where any author may publish them. */
export function closedToNotes(sources: RelaySources): readonly SettingNotice[] {
  const { publicNoteAuthors } = readRelayValues(sources).values
  if ((publicNoteAuthors?.authors ?? []).length > 0) return []
  const text =
    'notes (kinds 1 and 30023) are refused from everyone; a relay that is open to all, as nostr-rs-relay is by default, needs limits.event_kind_allowlist = "all", authorization.public_note_authors = "everyone" and options.reject_past_seconds = 0'
  return [{ setting: 'authorization.public_note_authors', text }]
}
