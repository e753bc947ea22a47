// Settings of the relay on this machine: which file they are in, and what `serve relay` is started with.
import { existsSync, readFileSync } from 'node:fs'
import {
  configFileUnreadable,
  type Environment,
  loadRelayConfig,
  openEnvironment,
  type RelayConfig,
  type RelaySources,
  relayEnvironment,
  settingsSummary,
  statedSettings,
} from '../config/index.js'
import { causedBy, messageOf } from '../lib/errors.js'
import { relayConfigFiles, relayDataDir } from '../system/index.js'

/** Which file and which folder, as a command was told. */
export interface RelayFlags {
  readonly config?: string | undefined
  /** Of the database; wins over the settings. */
  readonly db?: string | undefined
}

/** Variables that name a file with more of them, best first. */
const ENV_FILES = ['RELAY_ENV_FILE', 'FLOONET_ENV_FILE'] as const

/**
 * The named TOML file, else that of RELAY_CONFIG_FILE, else the first of the usual ones; none is needed.
 * Throws CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE.
 */
export function relaySources({ config, db }: RelayFlags): RelaySources {
  const own = openEnvironment()
  const envFile = ENV_FILES.map((name) => own.find(name)?.text).find((path) => path !== undefined && path !== '')
  const environment = withFolder(openEnvironment({ envFile, form: 'plain' }), db)
  const named = config ?? (own.find('RELAY_CONFIG_FILE')?.text || undefined)
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
export function isRelayConfigured(flags: RelayFlags): boolean {
  const named = openEnvironment().find('RELAY_CONFIG_FILE')?.text || undefined
  if (flags.config === undefined && named !== undefined && !existsSync(named)) return false
  const sources = relaySources(flags)
  return sources.file !== undefined || statedSettings(sources.environment, 'relay').length > 0
}

export interface RelayDaemonSettings {
  readonly config: RelayConfig
  /** The file they were read from. */
  readonly file: string | undefined
  /** For the start line: what is not a default, secrets as `set`. */
  readonly summary: Readonly<Record<string, string>>
}

/** For `serve relay`. Throws CONFIGURATION, CONFIG_FILE_UNREADABLE, ENV_FILE_UNREADABLE. */
export function loadRelayDaemonSettings(flags: RelayFlags): RelayDaemonSettings {
  const sources = relaySources(flags)
  const config = loadRelayConfig(sources, { dataDir: relayDataDir() })
  return { config, file: sources.file?.path, summary: settingsSummary(relayEnvironment(sources), 'relay') }
}
