// A few settings of a daemon, for commands that need no more: units, containers, proxies, names. The other settings may be wrong. For
// units and containers the file alone counts, without the variables of this shell.
import { dirname, join, resolve } from 'node:path'
import {
  type Bind,
  configurationError,
  DAEMONS,
  DATABASE_PLACES,
  type DaemonName,
  type DatabaseSettings,
  derivedValues,
  type Environment,
  LOG_PLACES,
  layeredEnvironment,
  NAME_RULES,
  nameauthConfigurationError,
  nameDatabaseOf,
  openEnvironment,
  PAY_DATABASE_PLACES,
  type PayConfig,
  payDatabaseOf,
  problemsAbout,
  readNameauthValues,
  readPayValues,
  readRelayValues,
  relayConfigurationError,
  relayLogOf,
  type ServiceFacts,
  type SettingProblem,
  type SettingsSources,
  settingGroups,
} from '../config/index.js'
import { hostPort } from '../lib/url.js'
import { consoleFile, nameauthEnvFiles, relayDataDir } from '../system/index.js'
import { consoleOff, settingsNotInFile, usage } from './errors.js'
import {
  loadRelaySettings,
  nameauthEnvironment,
  relaySources,
  requiredNames,
  requiredSettings,
  requireOwnFile,
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

export interface ServiceSources {
  readonly daemon: DaemonName
  readonly settings?: string | undefined
  readonly config?: string | undefined
}

/** Where the flags of a command say that settings are. */
const NAMED: Readonly<Record<DaemonName, (flags: ServiceSources) => SettingsSources>> = {
  pay: ({ settings }) => ({ environment: tillEnvironment(settings) }),
  nameauth: ({ settings }) => ({ environment: nameauthEnvironment(settings) }),
  relay: ({ config }) => relaySources({ config }),
}

/** Throws SETTINGS_NOT_IN_FILE, NOT_CONFIGURED, CONFIGURATION, ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
export function readServiceSettings(flags: ServiceSources): ServiceSettings {
  const { daemon } = flags
  const { title, fileForm, service } = DAEMONS[daemon]
  const { file, environment } = NAMED[daemon](flags)
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
export function readContainedSettings({ daemon: daemons, config, ...flags }: ContainedSources) {
  const envFiles: Partial<Record<DaemonName, string | undefined>> = {
    pay: flags.settings,
    nameauth: flags['nameauth-settings'],
  }
  return [...new Set(daemons)].map((daemon) => {
    const settings = readServiceSettings({ daemon, settings: envFiles[daemon], config })
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

const NAMEAUTH_PROXY = [
  'NAMEAUTH_DOMAIN',
  'NAMEAUTH_BASE_URL',
  'NAMEAUTH_NAMES_BIND',
  'NAMEAUTH_TRUSTED_PROXIES',
  'NAMEAUTH_AUTHORITY_COLOCATED',
]
const PAY_PROXY = [
  'PAY_BIND',
  'PAY_PUBLIC_URL',
  'PAY_TRUSTED_PROXIES',
  'PAY_CONSOLE',
  'PAY_CONSOLE_BIND',
  'PAY_CONSOLE_URL',
]

/** For a proxy in front of the name authority; other settings may be wrong. Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION. */
export function readNameauthProxySettings(envFile: string | undefined) {
  const { values, problems } = readNameauthValues(requiredNames(envFile))
  const wrong = problemsAbout(problems, NAMEAUTH_PROXY)
  const { domain, bind, trustedProxies, colocated } = values
  if (wrong.length > 0 || domain === undefined || bind === undefined || trustedProxies === undefined)
    throw nameauthConfigurationError(wrong)
  const { baseUrl } = derivedValues(values, domain)
  return { domain, baseUrl, bind, trustedProxies, colocated: colocated !== false }
}

/** What a proxy in front of the till needs of its settings. Throws NOT_CONFIGURED, CONFIGURATION, ENV_FILE_UNREADABLE. */
export function readTillProxySettings(envFile: string | undefined) {
  const { values, problems } = readPayValues(tillEnvironment(envFile))
  const { bind, publicUrl, trustedProxies, tls, console: hasConsole, consoleBind, consoleUrl } = values
  const wrong = problemsAbout(problems, PAY_PROXY)
  if (wrong.length > 0 || bind === undefined || trustedProxies === undefined) throw configurationError(wrong)
  const isBehind = hasConsole === true && consoleBind !== undefined && consoleUrl?.startsWith('https:') === true
  const console = isBehind ? { bind: consoleBind, url: consoleUrl } : undefined
  return { bind, publicUrl, trustedProxies, hasTls: Boolean(tls), console }
}

/** Of the relay. Throws CONFIGURATION, CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE. */
export function readRelayProxySettings(file: string | undefined) {
  const { bind, trustedProxies, addressHeader, relay } = loadRelaySettings({ config: file }).config
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

/** What is read of the settings of one daemon. `dbPath`: undefined where the settings do not say it. */
interface ReadConsole {
  readonly problems: readonly SettingProblem[]
  readonly console?: boolean | undefined
  readonly consoleBind?: Bind | undefined
  readonly consoleUrl?: string | undefined
  readonly dbPath: string | undefined
}

interface ConsoleOf {
  /** The setting that switches it on. */
  readonly setting: string
  /** Settings that say where it listens and where the database is. */
  readonly places: readonly string[]
  readonly read: (sources: SettingsSources) => ReadConsole
  readonly refusal: (problems: readonly SettingProblem[]) => Error
}

const CONSOLES: Readonly<Record<DaemonName, ConsoleOf>> = {
  pay: {
    setting: 'PAY_CONSOLE',
    places: ['PAY_CONSOLE_BIND', 'PAY_CONSOLE_URL', 'PAY_DB_PATH', 'PAY_DATABASE_URL'],
    read({ environment }) {
      const { values, problems } = readPayValues(environment)
      return { ...values, dbPath: values.dbPath, problems }
    },
    refusal: configurationError,
  },
  nameauth: {
    setting: 'NAMEAUTH_CONSOLE',
    places: ['NAMEAUTH_CONSOLE_BIND', 'NAMEAUTH_CONSOLE_URL', 'NAMEAUTH_NAMES_DB', 'NAMEAUTH_DATA_DIR'],
    read({ environment }) {
      const { values, problems } = readNameauthValues(environment)
      return { ...values, dbPath: derivedValues(values, values.domain ?? '').dbPath, problems }
    },
    refusal: nameauthConfigurationError,
  },
  relay: {
    setting: 'console.enabled',
    places: ['console.bind', 'console.url', 'database.data_directory'],
    read(sources) {
      const { values, problems } = readRelayValues(sources)
      return { ...values, dbPath: join(values.dataDir ?? relayDataDir(), 'relay.db'), problems }
    },
    refusal: relayConfigurationError,
  },
}

export interface ConsoleFlags {
  readonly settings?: string | undefined
  readonly daemon?: DaemonName | undefined
  /** Folder of a relay's database. */
  readonly db?: string | undefined
}

/** Of the daemon with the console; its other settings may be wrong. Throws CONSOLE_OFF, USAGE, NOT_CONFIGURED, CONFIGURATION, FILES_OF_OTHER_USER. */
export function readConsoleSettings({ settings, daemon: asked, db }: ConsoleFlags): ConsoleSettings {
  if (db !== undefined && asked !== 'relay') throw usage('--db belongs to --daemon relay')
  const { daemon, sources } =
    asked === 'relay'
      ? { daemon: asked, sources: relaySources({ config: settings, db }) }
      : requiredSettings(settings, asked)
  const { setting, places, read, refusal } = CONSOLES[daemon]
  const { problems, console, consoleBind: bind, consoleUrl, dbPath } = read(sources)
  const wrong = problemsAbout(problems, [setting, ...places])
  if (wrong.length > 0 || bind === undefined || dbPath === undefined) throw refusal(wrong)
  if (console !== true) throw consoleOff(DAEMONS[daemon].title, setting)
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

/** The database and the settings that the flags of a command name. */
export interface NameFlags {
  readonly settings?: string | undefined
  readonly db?: string | undefined
}

/** Of a till, for `grinpay store`. Throws NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION. */
export function readTillStoreSettings({ settings, db }: NameFlags): Pick<
  NameSettings,
  'path' | 'dataDir' | 'database'
> & {
  readonly chain: PayConfig['chain']
} {
  const { values, problems } = readPayValues(tillEnvironment(settings))
  const { dataDir, dbPath, chain } = values
  const wrong = problemsAbout(problems, ['PAY_DATA_DIR', 'PAY_DB_PATH', 'PAY_CHAIN', ...PAY_DATABASE_PLACES])
  if (wrong.length > 0 || dataDir === undefined || dbPath === undefined || chain === undefined)
    throw configurationError(wrong)
  return { path: db ?? dbPath, dataDir, database: payDatabaseOf(values), chain }
}

/** Of a relay, for `grinpay store`. Throws ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE, CONFIGURATION. */
export function readRelayLogSettings({ settings, db }: NameFlags): Pick<NameSettings, 'path' | 'dataDir' | 'database'> {
  const { values, problems } = readRelayValues(relaySources({ config: settings, db }))
  const wrong = problemsAbout(problems, ['database.data_directory', ...LOG_PLACES])
  if (wrong.length > 0) throw relayConfigurationError(wrong)
  const { dataDir = relayDataDir() } = values
  return { path: join(dataDir, 'relay.db'), dataDir, database: relayLogOf(values) }
}

/** Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION, FILES_OF_OTHER_USER. */
export function readNameSettings(flags: NameFlags): NameSettings {
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
function environmentOf({ settings: envFile, db }: NameFlags): Environment {
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
