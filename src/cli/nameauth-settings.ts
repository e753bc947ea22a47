// Settings of the name authority on this machine: where they are looked for, and what `serve nameauth` is started with.
import { accessSync, constants, existsSync } from 'node:fs'
import {
  type Environment,
  effectiveSettings,
  loadNameauthConfig,
  NAMEAUTH_FILE_VARIABLES,
  type NameauthConfig,
  openEnvironment,
  settingsSummary,
} from '../config/index.js'
import type { GrinpayError } from '../lib/errors.js'
import { nameauthEnvFiles } from '../system/index.js'
import { nameauthNotConfigured } from './errors.js'

const open = (envFile: string | undefined): Environment => openEnvironment({ envFile, form: 'plain' })

/**
 * Real variables over the named env file, or over the first of the usual ones that exists (specification: names, 11).
 * Throws ENV_FILE_UNREADABLE, but not for a usual file beside a complete environment: under systemd it may be root's alone.
 */
export function nameauthEnvironment(envFile?: string, usual: readonly string[] = nameauthEnvFiles()): Environment {
  const own = open(undefined)
  // One that is not there yet is where setup writes to.
  const ofOurs = NAMEAUTH_FILE_VARIABLES.flatMap((name) => own.find(name)?.text || [])
  const named = envFile ?? (ofOurs.some((path) => existsSync(path)) ? undefined : generalFile(own))
  const found = named ?? [...ofOurs, ...usual].find((path) => existsSync(path))
  return named === undefined && found !== undefined && hasDomain(own) && !isReadable(found) ? own : open(found)
}

/** GRINPAY_ENV_FILE, but not while it names the settings of a till. */
function generalFile(own: Environment): string | undefined {
  const path = own.find('GRINPAY_ENV_FILE')?.text
  return path !== undefined && isNameauth(open(path)) ? path : undefined
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Whether anything of the authority is set there. */
export const isNameauth = (environment: Environment): boolean =>
  environment.names().some((name) => /^(NAMEAUTH|FLOONET)_/.test(name) && !NAMEAUTH_FILE_VARIABLES.includes(name))

/** Without a domain the authority counts as not configured; one that is no good is a problem of another kind. */
const hasDomain = (environment: Environment): boolean =>
  effectiveSettings(environment, 'nameauth').some(({ name, value }) => name === 'NAMEAUTH_DOMAIN' && value !== 'unset')

/** Whether `serve nameauth` would find a domain. Throws ENV_FILE_UNREADABLE. */
export const isNameauthConfigured = (envFile: string | undefined): boolean => hasDomain(nameauthEnvironment(envFile))

/** With the places that were looked at. */
export const missingNameauth = ({ envFile }: Environment): GrinpayError =>
  nameauthNotConfigured(envFile ?? `the environment, ${nameauthEnvFiles().join(', ')}`)

export interface NameauthDaemonSettings {
  readonly config: NameauthConfig
  /** For the start line: what is not a default, secrets as `set`. */
  readonly summary: Readonly<Record<string, string>>
}

/** For `serve nameauth`. Throws NAMEAUTH_NOT_CONFIGURED without a domain, CONFIGURATION. */
export function loadNameDaemonSettings(envFile: string | undefined): NameauthDaemonSettings {
  const environment = nameauthEnvironment(envFile)
  if (!hasDomain(environment)) throw missingNameauth(environment)
  const config = loadNameauthConfig(environment)
  return { config, summary: settingsSummary(environment, 'nameauth') }
}
