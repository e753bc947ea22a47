// Settings of the daemons on this machine: where they are found, what `config show` and `config check` say, what a daemon is started with.
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  configFileUnreadable,
  configurationError,
  DAEMONS,
  type DaemonName,
  type EffectiveSetting,
  type Environment,
  effectiveSettings,
  layeredEnvironment,
  loadNameauthConfig,
  loadPayConfig,
  loadPolicyProgramConfig,
  loadRelayConfig,
  NAMEAUTH_FILE_VARIABLES,
  type NameauthConfig,
  openEnvironment,
  type PayConfig,
  type PolicyProgramConfig,
  type RelayConfig,
  type SettingNotice,
  type SettingProblem,
  type SettingsSources,
  settingsSummary,
} from '../config/index.js'
import { causedBy, type GrinpayError, messageOf } from '../lib/errors.js'
import { noticeLine } from '../lib/notice-line.js'
import { Secret } from '../lib/secret.js'
import {
  isHandedOver,
  type LogLevel,
  nameauthEnvFiles,
  openLog,
  ownerInTheWay,
  relayConfigFiles,
  relayDataDir,
  type SystemLog,
  usualEnvFiles,
} from '../system/index.js'
import { daemonEnvironment, localTillUrl } from './api-session.js'
import { filesOfOtherUser, nameauthNotConfigured, notConfigured, usage } from './errors.js'
import { readSecretFile } from './values.js'

export { localTillUrl }

/** The settings that a command is about, and the daemon they belong to. */
export interface Located {
  readonly daemon: DaemonName
  readonly sources: SettingsSources
}

/** What a command says of the place of settings. */
export interface SettingsFlags {
  /** The file: variables, of the relay TOML. */
  readonly settings?: string | undefined
  /** Folder of a relay's database; wins over the settings. */
  readonly db?: string | undefined
}

interface Place {
  /** The settings of the named file, else of the usual places. Throws ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
  readonly find: (flags: SettingsFlags) => SettingsSources
  /** For `serve`, which needs more or looks elsewhere. */
  readonly served: (flags: SettingsFlags) => SettingsSources
  /** There are none on this machine; undefined: the daemon runs without. */
  readonly missing: ((environment: Environment) => GrinpayError) | undefined
}

const PLACES: Readonly<Record<DaemonName, Place>> = {
  pay: {
    find: ({ settings }) => ({ environment: daemonEnvironment(settings) }),
    served: ({ settings }) => ({ environment: servedEnvironment(settings) }),
    missing: ({ envFile }) => notConfigured(envFile ?? usualEnvFiles().join(', ')),
  },
  nameauth: {
    find: ({ settings }) => ({ environment: nameauthEnvironment(settings) }),
    served: ({ settings }) => ({ environment: servedNames(settings) }),
    missing: missingNameauth,
  },
  relay: { find: relaySources, served: relaySources, missing: undefined },
}

/** Throws ENV_FILE_UNREADABLE, CONFIG_FILE_UNREADABLE. */
export const findSettings = (daemon: DaemonName, flags: SettingsFlags): SettingsSources => PLACES[daemon].find(flags)

/** The daemon is the requested one, else the one whose variables are set, else the till. Throws ENV_FILE_UNREADABLE. */
function locateSettings(flags: SettingsFlags, asked?: DaemonName): Located {
  const at = (daemon: DaemonName): Located => ({ daemon, sources: findSettings(daemon, flags) })
  if (asked !== undefined) return at(asked)
  const till = at('pay')
  const { settings: envFile } = flags
  // An explicitly named file decides alone; variables of the process do not count.
  const named = envFile === undefined ? till.sources : { environment: openEnvironment({ envFile, variables: {} }) }
  if (DAEMONS.pay.isSetUp(named)) return till
  const names = at('nameauth')
  return DAEMONS.nameauth.isSetUp(names.sources) ? names : till
}

/** With the places that were looked at. */
function missingNameauth({ envFile }: Environment): GrinpayError {
  return nameauthNotConfigured(envFile ?? `the environment, ${nameauthEnvFiles().join(', ')}`)
}

/** Throws NOT_CONFIGURED, NAMEAUTH_NOT_CONFIGURED when there are none on this machine, and what finding them throws. */
export function requiredSettings(flags: SettingsFlags, asked?: DaemonName): Located {
  const located = locateSettings(flags, asked)
  const { daemon, sources } = located
  const { missing } = PLACES[daemon]
  if (missing && !DAEMONS[daemon].isSetUp(sources)) throw missing(sources.environment)
  return located
}

/** The till's settings; undefined when none are on this machine. Throws ENV_FILE_UNREADABLE. */
export function tillEnvironmentIfAny(envFile: string | undefined): Environment | undefined {
  const sources = findSettings('pay', { settings: envFile })
  return DAEMONS.pay.isSetUp(sources) ? sources.environment : undefined
}

/** Of the till. Throws NOT_CONFIGURED, ENV_FILE_UNREADABLE. */
export const tillEnvironment = (settings: string | undefined): Environment =>
  requiredSettings({ settings }, 'pay').sources.environment

/** Of the name authority. Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE. */
export const requiredNames = (settings: string | undefined): Environment =>
  requiredSettings({ settings }, 'nameauth').sources.environment

/** Every setting with its value and origin, then what several of them come to together; secrets read `set` or `unset`. */
export function shownSettings(file: string | undefined, asked?: DaemonName): readonly EffectiveSetting[] {
  const { daemon, sources } = locateSettings({ settings: file }, asked)
  const environment = layeredEnvironment(sources)
  return [...effectiveSettings(environment, daemon, relayDataDir()), ...DAEMONS[daemon].combined(environment)]
}

/** What is wrong with the files that the start reads. */
type FileProblems = (daemon: DaemonName, sources: SettingsSources) => readonly SettingProblem[]

interface SettingsCheck {
  readonly file: string | undefined
  readonly asked: DaemonName | undefined
  /** Gets the notices, also before something is thrown. */
  readonly note: (text: string) => void
  readonly fileProblems: FileProblems
}

/** Throws CONFIGURATION with every problem. */
export function checkSettings({ file, asked, note, fileProblems }: SettingsCheck): {
  readonly daemon: DaemonName
  readonly file: string | null
  readonly notices: readonly string[]
} {
  const { daemon, sources } = requiredSettings({ settings: file }, asked)
  const remarks = DAEMONS[daemon].remarks(sources)
  for (const notice of [...DAEMONS[daemon].read(sources).notices, ...remarks]) note(noticeLine(notice))
  requireStartable(daemon, sources, fileProblems)
  const { notices } = DAEMONS[daemon].load(sources, relayDataDir())
  const toml = DAEMONS[daemon].fileForm === 'toml'
  return {
    daemon,
    file: (toml ? sources.file?.path : sources.environment.envFile) ?? null,
    notices: [...notices, ...remarks].map(noticeLine),
  }
}

/** Throws CONFIGURATION for what only the start needs, with every other problem. */
function requireStartable(daemon: DaemonName, sources: SettingsSources, fileProblems: FileProblems): void {
  const { envFile } = sources.environment
  const isGiven = (setting: string) => envFile !== undefined && isHandedOver(resolve(envFile), setting)
  const problems = [...DAEMONS[daemon].missingAtStart(sources.environment, isGiven), ...fileProblems(daemon, sources)]
  if (problems.length > 0) throw configurationError([...DAEMONS[daemon].read(sources).problems, ...problems])
}

/** A configuration, and for the start line every setting that is not a default, secrets as `set`. */
export interface Loaded<Config> {
  readonly config: Config
  readonly summary: Readonly<Record<string, string>>
}

/**
 * For `serve pay`. Under systemd and in containers the environment is complete, and a file beside it may not even be
 * readable: usual files are looked for only when nothing is set. Throws CONFIGURATION, NOT_CONFIGURED.
 */
export function loadTillSettings(envFile: string | undefined): Loaded<PayConfig> {
  const environment = servedEnvironment(envFile)
  return { config: loadPayConfig(environment), summary: settingsSummary(environment, 'pay') }
}

/** For `serve --check`: with what the daemon needs at its start. Throws CONFIGURATION, NOT_CONFIGURED, NAMEAUTH_NOT_CONFIGURED. */
export function startableNotices(
  daemon: DaemonName,
  flags: SettingsFlags,
  fileProblems: FileProblems,
): readonly SettingNotice[] {
  const sources = PLACES[daemon].served(flags)
  requireStartable(daemon, sources, fileProblems)
  return DAEMONS[daemon].load(sources, relayDataDir()).notices
}

function servedEnvironment(envFile: string | undefined): Environment {
  const own = openEnvironment()
  const named = envFile ?? own.find('GRINPAY_ENV_FILE')?.text
  return named === undefined && DAEMONS.pay.isSetUp({ environment: own }) ? own : tillEnvironment(named)
}

/** For `serve nameauth`. Throws NAMEAUTH_NOT_CONFIGURED without a domain, CONFIGURATION. */
export function loadNameauthSettings(envFile: string | undefined): Loaded<NameauthConfig> {
  const environment = servedNames(envFile)
  return { config: loadNameauthConfig(environment), summary: settingsSummary(environment, 'nameauth') }
}

function servedNames(envFile: string | undefined): Environment {
  const environment = nameauthEnvironment(envFile)
  if (!hasDomain(environment)) throw missingNameauth(environment)
  return environment
}

/** For `serve relay`, with the file of the settings. Throws CONFIGURATION, CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE. */
export function loadRelaySettings(flags: SettingsFlags): Loaded<RelayConfig> & { readonly file: string | undefined } {
  const sources = relaySources(flags)
  const config = loadRelayConfig(sources, { dataDir: relayDataDir() })
  return { config, file: sources.file?.path, summary: settingsSummary(layeredEnvironment(sources), 'relay') }
}

/**
 * For `relay policy`: the environment of the relay that starts it, and a file behind that. Throws CONFIGURATION, ENV_FILE_UNREADABLE: a
 * program that is not sure what it is to allow does not run.
 */
export function loadPolicySettings(named: string | undefined): PolicyProgramConfig {
  const own = openEnvironment()
  const envFile = [named, ...RELAY_ENV_FILES.map((name) => own.find(name)?.text)].find(
    (path) => path !== undefined && path.trim() !== '',
  )
  return loadPolicyProgramConfig(envFile === undefined ? own : openEnvironment({ envFile }))
}

export const openDaemonLog = (level: LogLevel): Promise<SystemLog> => openLog({ level })

/** Settings that can be loaded. Throws USAGE, NOT_CONFIGURED, NAMEAUTH_NOT_CONFIGURED, CONFIGURATION and the like. */
export function backupSettings(flags: SettingsFlags & { readonly daemon?: DaemonName | undefined }): Located {
  const { daemon, db } = flags
  if (db !== undefined && daemon !== 'relay') throw usage('--db belongs to --daemon relay')
  const located = requiredSettings(flags, daemon)
  if (daemon === 'relay') DAEMONS[daemon].load(located.sources, relayDataDir())
  return located
}

/** Throws FILES_OF_OTHER_USER: what may not be opened cannot be used. */
export function requireOwnFile(path: string, want: 'read' | 'write' = 'write'): void {
  const owner = ownerInTheWay(path, want)
  if (owner !== undefined) throw filesOfOtherUser(path, owner)
}

/**
 * Real variables over the named env file, or over the first of the usual ones that exists (specification: names, 11).
 * Throws ENV_FILE_UNREADABLE, but not for a usual file beside a complete environment: under systemd it may be root's alone.
 */
export function nameauthEnvironment(envFile?: string): Environment {
  const own = openEnvironment()
  // A file that is not there yet is where setup writes to.
  const ofOurs = NAMEAUTH_FILE_VARIABLES.flatMap((name) => own.find(name)?.text || [])
  const named = envFile ?? (ofOurs.some((path) => existsSync(path)) ? undefined : generalFile(own))
  const path = named ?? [...ofOurs, ...nameauthEnvFiles()].find((candidate) => existsSync(candidate))
  return named === undefined && path !== undefined && hasDomain(own) && !isReadable(path)
    ? own
    : openEnvironment({ envFile: path })
}

/** GRINPAY_ENV_FILE, but not while it names the settings of a till. */
function generalFile(own: Environment): string | undefined {
  const path = own.find('GRINPAY_ENV_FILE')?.text
  return path !== undefined && DAEMONS.nameauth.isSetUp({ environment: openEnvironment({ envFile: path }) })
    ? path
    : undefined
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Without a domain the authority counts as not configured; an invalid one is a problem of another kind. */
const hasDomain = (environment: Environment): boolean =>
  effectiveSettings(environment, 'nameauth').some(({ name, value }) => name === 'NAMEAUTH_DOMAIN' && value !== 'unset')

/** Whether `serve nameauth` would find a domain. Throws ENV_FILE_UNREADABLE. */
export const isNameauthConfigured = (envFile: string | undefined): boolean => hasDomain(nameauthEnvironment(envFile))

/** The key that `relay sync` proves: of the named file, else of RELAY_SYNC_KEY_FILE, else RELAY_SYNC_KEY. Throws TOKEN_FILE_UNREADABLE. */
export function relaySyncKey(file: string | undefined): Secret | undefined {
  const own = openEnvironment()
  const path = file ?? (own.find('RELAY_SYNC_KEY_FILE')?.text || undefined)
  if (path !== undefined) return readSecretFile(path)
  const text = own.find('RELAY_SYNC_KEY')?.text.trim()
  return text ? new Secret(text) : undefined
}

/** Variables that name a file with more of them, best first. */
const RELAY_ENV_FILES = ['RELAY_ENV_FILE', 'FLOONET_ENV_FILE'] as const

/**
 * The named TOML file, else that of RELAY_CONFIG_FILE, else the first of the usual ones; none is needed.
 * Throws CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE.
 */
export function relaySources({ settings, db }: SettingsFlags): SettingsSources {
  const own = openEnvironment()
  const envFile = RELAY_ENV_FILES.map((name) => own.find(name)?.text).find((path) => path !== undefined && path !== '')
  const environment = withFolder(openEnvironment({ envFile }), db)
  const named = settings ?? (own.find('RELAY_CONFIG_FILE')?.text || undefined)
  const path = named ?? relayConfigFiles().find((usual) => existsSync(usual))
  return { environment, file: path === undefined ? undefined : { path, text: readText(path) } }
}

/** `--db` stands for the variable. */
const withFolder = (environment: Environment, db: string | undefined): Environment =>
  db === undefined
    ? environment
    : {
        ...environment,
        find: (name) =>
          name === 'RELAY_DATABASE_DATA_DIRECTORY' ? { text: db, origin: '--db' } : environment.find(name),
      }

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw causedBy(configFileUnreadable(path, messageOf(error)), error)
  }
}

/**
 * Whether anything is set for the relay, in a file or the environment; a file of RELAY_CONFIG_FILE that is not there yet is where setup
 * writes to. Throws CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE.
 */
export function isRelayConfigured(flags: SettingsFlags): boolean {
  const named = openEnvironment().find('RELAY_CONFIG_FILE')?.text || undefined
  if (flags.settings === undefined && named !== undefined && !existsSync(named)) return false
  return DAEMONS.relay.isSetUp(relaySources(flags))
}
