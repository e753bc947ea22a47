// Settings for commands: what `config show` and `config check` tell, and what the daemon is started with.
import {
  type EffectiveSetting,
  type Environment,
  effectiveRelays,
  effectiveSettings,
  loadPayConfig,
  openEnvironment,
  type PayConfig,
} from '../config/index.js'
import { type Log, type LogLevel, openLog, usualEnvFiles } from '../system/index.js'
import { daemonEnvironment, localAddressOf } from './api-session.js'
import { notConfigured } from './errors.js'

/** Every setting with its value and where it comes from, then the relays they come to; secrets read `set` or `unset`. */
export function shownSettings(envFile: string | undefined): readonly EffectiveSetting[] {
  const environment = daemonEnvironment(envFile)
  return [...effectiveSettings(environment), ...effectiveRelays(environment)]
}

/** Throws CONFIGURATION with everything that is wrong; answers what is merely worth a word. */
export function checkSettings(envFile: string | undefined): {
  readonly file: string | null
  readonly notices: readonly string[]
} {
  const environment = settingsFor(envFile)
  return { file: environment.envFile ?? null, notices: loadPayConfig(environment).notices }
}

/** The environment of the daemon on this machine. Throws NOT_CONFIGURED when there is none. */
export function settingsFor(envFile: string | undefined): Environment {
  const environment = daemonEnvironment(envFile)
  if (!environment.names().some(isOurs)) throw notConfigured(environment.envFile ?? usualEnvFiles().join(', '))
  return environment
}

const isOurs = (name: string): boolean => /^(PAY|GP)_/.test(name)

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
  const own = openEnvironment()
  const named = envFile ?? own.find('GRINPAY_ENV_FILE')?.text
  const environment = named === undefined && own.names().some(isOurs) ? own : settingsFor(named)
  const config = loadPayConfig(environment)
  const stated = effectiveSettings(environment).filter(({ origin }) => origin !== '' && origin !== 'default')
  return { config, summary: Object.fromEntries(stated.map(({ name, value }) => [name, value])) }
}

export const openDaemonLog = (level: LogLevel): Promise<Log> => openLog({ level })
