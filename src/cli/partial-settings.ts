// A few settings of a daemon, for commands that need no more: units, containers, proxies, names. The other settings may be wrong. For
// units and containers the file alone counts, without the variables of this shell.
import { dirname, join, resolve } from 'node:path'
import {
  DAEMONS,
  DATABASE_PLACES,
  type DaemonName,
  type DatabaseSettings,
  derivedValues,
  type Environment,
  layeredEnvironment,
  NAME_RULES,
  NAMEAUTH_TABLE,
  nameauthConfigurationError,
  nameDatabaseOf,
  openEnvironment,
  PAY_TABLE,
  payDatabaseOf,
  problemsAbout,
  RELAY_TABLE,
  readNameauthValues,
  readPayValues,
  readRelayValues,
  relayLogOf,
  requireSome,
  type ServiceFacts,
  type SettingProblem,
  settingGroups,
} from '../config/index.js'
import { hostPort } from '../lib/url.js'
import { consoleFile, nameauthEnvFiles, relayDataDir } from '../system/index.js'
import { consoleOff, settingsNotInFile, usage } from './errors.js'
import {
  findSettings,
  loadRelaySettings,
  nameauthEnvironment,
  relaySources,
  requiredNames,
  requiredSettings,
  requireOwnFile,
  type SettingsFlags,
  tillEnvironment,
} from './settings.js'

export interface ServiceSettings extends ServiceFacts {
  readonly daemon: DaemonName
  /** The env file; of the relay its TOML file. Absolute. */
  readonly settingsFile: string
  /** Further variables. */
  readonly environmentFiles: readonly string[]
  /** The file that holds this secret setting, by its variable. */
  readonly secretFile: (variable: string) => string | undefined
}

interface ServiceFlags {
  readonly daemon: DaemonName
  readonly settings?: string | undefined
}

/** Throws SETTINGS_NOT_IN_FILE, NOT_CONFIGURED, CONFIGURATION, ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
export function readServiceSettings({ daemon, settings }: ServiceFlags): ServiceSettings {
  const { title, fileForm, service } = DAEMONS[daemon]
  const { file, environment } =
    daemon === 'pay' ? requiredSettings({ settings }, daemon).sources : findSettings(daemon, { settings })
  const { envFile } = environment
  const isToml = fileForm === 'toml'
  const settingsFile = isToml ? file?.path : envFile
  if (settingsFile === undefined) throw settingsNotInFile(`the ${title}`)
  const sources = { file, environment: openEnvironment({ envFile, variables: {} }) }
  const layered = layeredEnvironment(sources)
  return {
    daemon,
    ...service(sources, relayDataDir()),
    settingsFile: resolve(settingsFile),
    environmentFiles: isToml && envFile !== undefined ? [resolve(envFile)] : [],
    secretFile: (variable) => layered.find(`${variable}_FILE`)?.text,
  }
}

export interface ContainedSources {
  readonly daemon: readonly DaemonName[]
  readonly settings?: string | undefined
  readonly 'nameauth-settings'?: string | undefined
  readonly config?: string | undefined
}

/** Of each daemon named once or more often; `inline`: secret settings whose text stands in the file itself. */
export function readContainedSettings({ daemon: daemons, ...flags }: ContainedSources) {
  const files = { pay: flags.settings, nameauth: flags['nameauth-settings'], relay: flags.config }
  return [...new Set(daemons)].map((daemon) => {
    const settings = readServiceSettings({ daemon, settings: files[daemon] })
    return { ...settings, inline: inlineSecrets(settings) }
  })
}

/** A TOML file becomes no variables of the container. */
function inlineSecrets({ daemon, settingsFile }: ServiceSettings): readonly string[] {
  if (DAEMONS[daemon].fileForm === 'toml') return []
  const environment = openEnvironment({ envFile: settingsFile, variables: {} })
  return settingGroups(daemon)
    .flatMap(({ settings }) => settings)
    .filter(({ name, secret }) => secret && (environment.find(name)?.text.trim() ?? '') !== '')
    .map(({ name }) => name)
}

/** For a proxy in front of the name authority; other settings may be wrong. Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION. */
export function readNameauthProxySettings(envFile: string | undefined) {
  const reading = readNameauthValues(requiredNames(envFile))
  const keys = ['domain', 'baseUrl', 'bind', 'trustedProxies', 'colocated'] as const
  const { domain = '', bind, trustedProxies, colocated } = requireSome(NAMEAUTH_TABLE, reading, keys)
  const { baseUrl } = derivedValues(reading.values, domain)
  return { domain, baseUrl, bind, trustedProxies, colocated }
}

/** What a proxy in front of the till needs of its settings. Throws NOT_CONFIGURED, CONFIGURATION, ENV_FILE_UNREADABLE. */
export function readTillProxySettings(envFile: string | undefined) {
  const reading = readPayValues(tillEnvironment(envFile))
  const keys = ['bind', 'publicUrl', 'trustedProxies', 'console', 'consoleBind', 'consoleUrl'] as const
  const values = requireSome(PAY_TABLE, reading, keys)
  const { bind, publicUrl, trustedProxies, console: hasConsole, consoleBind, consoleUrl } = values
  const isBehind = hasConsole && consoleUrl?.startsWith('https:') === true
  const console = isBehind ? { bind: consoleBind, url: consoleUrl } : undefined
  return { bind, publicUrl, trustedProxies, hasTls: Boolean(reading.values.tls), console }
}

/** Of the relay. Throws CONFIGURATION, CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE. */
export function readRelayProxySettings(settings: string | undefined) {
  const { bind, trustedProxies, addressHeader, relay } = loadRelaySettings({ settings }).config
  return { bind, trustedProxies, addressHeader, relayUrls: relay.info.relayUrls }
}

export interface ConsoleSettings {
  /** Of the database. */
  readonly path: string
  /** Where a browser finds the console, without a slash at the end. */
  readonly url: string
  /** A line of ssh for a console without a public address; null where there is one. */
  readonly tunnel: string | null
}

export interface ConsoleFlags extends SettingsFlags {
  readonly daemon?: DaemonName | undefined
}

/** Of the daemon with the console; its other settings may be wrong. Throws CONSOLE_OFF, USAGE, NOT_CONFIGURED, CONFIGURATION, FILES_OF_OTHER_USER. */
export function readConsoleSettings({ daemon: asked, ...flags }: ConsoleFlags): ConsoleSettings {
  if (flags.db !== undefined && asked !== 'relay') throw usage('--db belongs to --daemon relay')
  const { daemon, sources } = requiredSettings(flags, asked)
  const { setting, console, consoleBind: bind, consoleUrl, dbPath } = DAEMONS[daemon].console(sources, relayDataDir())
  if (!console) throw consoleOff(DAEMONS[daemon].title, setting)
  const path = consoleFile(dbPath)
  requireOwnFile(path, 'write')
  const tunnel = consoleUrl === undefined ? `ssh -L ${bind.port}:${hostPort(bind.host, bind.port)} THIS_MACHINE` : null
  return { path, url: consoleUrl ?? `http://localhost:${bind.port}`, tunnel }
}

export interface NameSettings {
  /** Of the file; not used with `database`. */
  readonly path: string
  /** Of files that belong to this machine. */
  readonly dataDir: string
  /** Names in PostgreSQL. */
  readonly database: DatabaseSettings | undefined
  /** Empty: not known. */
  readonly domain: string
  readonly nameMin: number
  readonly nameMax: number
  /** The operator's file, lower-case. */
  readonly reserved: readonly string[]
  /** Sources for the chain of prices: the till, and the nodes that check sales. */
  readonly payUrl: string | undefined
  readonly nodeUrls: readonly string[]
  /** Problems of settings that make answers incomplete. */
  readonly notices: readonly string[]
}

/** Of a till, for `grinpay store`; `db`: its file. Throws NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION. */
export function readTillStoreSettings({ settings, db }: SettingsFlags) {
  const reading = readPayValues(tillEnvironment(settings))
  const keys = ['dataDir', 'dbPath', 'chain', 'databaseUrl', 'databaseSchema', 'databaseUnsafe'] as const
  const { dataDir, dbPath, chain, ...database } = requireSome(PAY_TABLE, reading, keys)
  return { path: db ?? dbPath, dataDir, database: payDatabaseOf(database), chain }
}

/** Of a relay, for `grinpay store`. Throws ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE, CONFIGURATION. */
export function readRelayLogSettings(flags: SettingsFlags) {
  const keys = ['dataDir', 'logUrl', 'logSchema', 'logUnsafe'] as const
  const values = requireSome(RELAY_TABLE, readRelayValues(relaySources(flags)), keys)
  const { dataDir = relayDataDir() } = values
  return { path: join(dataDir, 'relay.db'), dataDir, database: relayLogOf(values) }
}

/** Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION, FILES_OF_OTHER_USER. */
export function readNameSettings(flags: SettingsFlags): NameSettings {
  const environment = environmentOf(flags)
  const { values, problems, reserved } = readNameauthValues(environment)
  const database = flags.db === undefined ? nameDatabaseOf(values) : undefined
  const misplaced = flags.db === undefined ? problemsAbout(problems, DATABASE_PLACES) : []
  if (misplaced.length > 0) throw nameauthConfigurationError(misplaced)
  const path =
    flags.db ?? values.dbPath ?? (values.dataDir === undefined ? undefined : join(values.dataDir, 'names.db'))
  if (path === undefined) throw nameauthConfigurationError(problems)
  if (database === undefined) requireOwnFile(path, 'write')
  const { domain = '', nameMin = 3, nameMax = 20, payUrl, transfersOn = false, nodeUrls = [] } = values
  const asked = { payUrl, nodeUrls: transfersOn ? nodeUrls : [] }
  const { dataDir = dirname(path) } = values
  return {
    path,
    dataDir,
    database,
    domain,
    nameMin,
    nameMax,
    ...asked,
    reserved,
    notices: noticesOf(environment, problems),
  }
}

const noticesOf = (environment: Environment, problems: readonly SettingProblem[]): readonly string[] =>
  DAEMONS.nameauth.isSetUp({ environment })
    ? problemsAbout(problems, NAME_RULES).map(({ text }) => `settings: ${text}`)
    : ['no settings found: 3 to 20 characters, and only the built-in names count as reserved']

/** A database that was named needs no settings. Else the error says which user may read them, also when a folder hides them. */
function environmentOf({ settings: envFile, db }: SettingsFlags): Environment {
  try {
    return db === undefined ? requiredNames(envFile) : nameauthEnvironment(envFile)
  } catch (error) {
    const own = openEnvironment()
    if (db !== undefined && envFile === undefined) return own
    const named = envFile ?? own.find('NAMEAUTH_ENV_FILE')?.text ?? own.find('GRINPAY_ENV_FILE')?.text
    for (const path of named === undefined ? nameauthEnvFiles() : [named]) requireOwnFile(path, 'read')
    throw error
  }
}
