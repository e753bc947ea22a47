// Settings for commands: what `config show` and `config check` tell, and what the daemon is started with.
import { resolve } from 'node:path'
import {
  configurationError,
  type DaemonName,
  type EffectiveSetting,
  type Environment,
  effectiveRelays,
  effectiveSettings,
  loadNameauthConfig,
  loadPayConfig,
  missingAtStart,
  openEnvironment,
  type PayConfig,
  readNameauthValues,
  readPayValues,
  relayEnvironment,
  settingsSummary,
} from '../config/index.js'
import { noticeLine } from '../lib/notice-line.js'
import { isHandedOver, type Log, type LogLevel, openLog, relayDataDir, usualEnvFiles } from '../system/index.js'
import { daemonEnvironment, localAddressOf } from './api-session.js'
import { notConfigured } from './errors.js'
import { isNameauth, missingNameauth, nameauthEnvironment } from './nameauth-settings.js'
import { loadRelayDaemonSettings, relaySources } from './relay-settings.js'

/** The settings that a command was asked about, and whose they are. */
export interface Located {
  readonly daemon: DaemonName
  readonly environment: Environment
}

/** Whose settings are meant: as asked, else as the names in them tell, else the till's. Throws ENV_FILE_UNREADABLE. */
function locateSettings(envFile: string | undefined, asked?: DaemonName): Located {
  if (asked === 'relay') return { daemon: 'relay', environment: relayEnvironment(relaySources({ config: envFile })) }
  if (asked === 'nameauth') return { daemon: 'nameauth', environment: nameauthEnvironment(envFile) }
  const till: Located = { daemon: 'pay', environment: daemonEnvironment(envFile) }
  // A file that was named speaks for itself, whatever else is set here.
  const telling = envFile === undefined ? till.environment : openEnvironment({ envFile, variables: {} })
  if (asked === 'pay' || telling.names().some(isOurs)) return till
  const environment = nameauthEnvironment(envFile)
  return isNameauth(environment) ? { daemon: 'nameauth', environment } : till
}

/** Every setting with its value and where it comes from, then what the relays of a till come to; secrets read `set` or `unset`. */
export function shownSettings(envFile: string | undefined, asked?: DaemonName): readonly EffectiveSetting[] {
  const { daemon, environment } = locateSettings(envFile, asked)
  return [
    ...effectiveSettings(environment, daemon, relayDataDir()),
    ...(daemon === 'pay' ? effectiveRelays(environment) : []),
  ]
}

/** Throws CONFIGURATION with everything that is wrong; `note` gets what is merely worth a word, also before it throws. */
export function checkSettings(
  envFile: string | undefined,
  asked: DaemonName | undefined,
  note: (text: string) => void,
): { readonly daemon: DaemonName; readonly file: string | null; readonly notices: readonly string[] } {
  if (asked === 'relay') {
    const { config, file = null } = loadRelayDaemonSettings({ config: envFile })
    const notices = config.notices.map(noticeLine)
    for (const notice of notices) note(notice)
    return { daemon: 'relay', file, notices }
  }
  const { daemon, environment } = requiredSettings(envFile, asked)
  const read = daemon === 'pay' ? readPayValues(environment) : readNameauthValues(environment)
  for (const notice of read.notices) note(noticeLine(notice))
  const { notices } = daemon === 'pay' ? startableTill(environment) : loadNameauthConfig(environment)
  return { daemon, file: environment.envFile ?? null, notices: notices.map(noticeLine) }
}

/** Throws CONFIGURATION also for what only the start needs. */
function startableTill(environment: Environment): PayConfig {
  const { envFile } = environment
  const missing = missingAtStart(
    environment,
    (setting) => envFile !== undefined && isHandedOver(resolve(envFile), setting),
  )
  if (missing.length > 0) throw configurationError([...readPayValues(environment).problems, ...missing])
  return loadPayConfig(environment)
}

/** Throws NOT_CONFIGURED, NAMEAUTH_NOT_CONFIGURED. */
function requireSettings(daemon: DaemonName, environment: Environment): void {
  if (daemon === 'nameauth' && !isNameauth(environment)) throw missingNameauth(environment)
  if (daemon === 'pay' && !environment.names().some(isOurs))
    throw notConfigured(environment.envFile ?? usualEnvFiles().join(', '))
}

/** The environment of a daemon on this machine. Throws NOT_CONFIGURED, NAMEAUTH_NOT_CONFIGURED when there is none. */
export function requiredSettings(envFile: string | undefined, asked?: DaemonName): Located {
  const located = locateSettings(envFile, asked)
  requireSettings(located.daemon, located.environment)
  return located
}

/** The same of the till. */
export const settingsFor = (envFile: string | undefined): Environment => requiredSettings(envFile, 'pay').environment

/** The till's settings; undefined when none are on this machine. Throws ENV_FILE_UNREADABLE. */
export function settingsIfAny(envFile: string | undefined): Environment | undefined {
  const { environment } = locateSettings(envFile, 'pay')
  return environment.names().some(isOurs) ? environment : undefined
}

const isOurs = (name: string): boolean => /^(PAY|GP)_/.test(name)

export { isNameauthConfigured, loadNameDaemonSettings } from './nameauth-settings.js'
export { isRelayConfigured, loadRelayDaemonSettings, relaySources } from './relay-settings.js'
export { localAddressOf }

export interface DaemonSettings {
  readonly config: PayConfig
  /** For the start line: what is not a default, secrets as `set`. */
  readonly summary: Readonly<Record<string, string>>
}

/**
 * For `serve pay`. Under systemd and in containers the environment is complete, and a file beside it may not even be
 * readable: usual files are looked for only when nothing is set. Throws CONFIGURATION, NOT_CONFIGURED.
 */
export function loadDaemonSettings(envFile: string | undefined): DaemonSettings {
  const environment = servedEnvironment(envFile)
  const config = loadPayConfig(environment)
  return { config, summary: settingsSummary(environment, 'pay') }
}

/** For `serve pay --check`: with what the daemon needs at its start. Throws CONFIGURATION, NOT_CONFIGURED. */
export const loadStartableTill = (envFile: string | undefined): PayConfig => startableTill(servedEnvironment(envFile))

function servedEnvironment(envFile: string | undefined): Environment {
  const own = openEnvironment()
  const named = envFile ?? own.find('GRINPAY_ENV_FILE')?.text
  return named === undefined && own.names().some(isOurs) ? own : settingsFor(named)
}

export const openDaemonLog = (level: LogLevel): Promise<Log> => openLog({ level })
