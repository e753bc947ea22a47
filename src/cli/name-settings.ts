// What commands need of the authority's settings: where the database is, and the rules of the names. The rest may be wrong.
import { join } from 'node:path'
import {
  type Environment,
  nameauthConfigurationError,
  openEnvironment,
  problemsAbout,
  readNameauthValues,
  type SettingProblem,
} from '../config/index.js'
import { nameauthEnvFiles, ownerInTheWay } from '../system/index.js'
import { filesOfOtherUser } from './errors.js'
import { isNameauth, missingNameauth, nameauthEnvironment } from './nameauth-settings.js'

export interface NameSettings {
  /** Of the database. */
  readonly path: string
  /** Empty when nobody told it. */
  readonly domain: string
  readonly nameMin: number
  readonly nameMax: number
  /** The operator's file, lower-case. */
  readonly reserved: readonly string[]
  /** Where the chain of the prices can be asked: the till, and the nodes of sales. */
  readonly payUrl: string | undefined
  readonly nodeUrls: readonly string[]
  /** What may make the answers less than complete. */
  readonly notices: readonly string[]
}

/** Which database and which settings, as a command was told. */
export interface NameFlags {
  readonly settings?: string | undefined
  readonly db?: string | undefined
}

/** Throws NAMEAUTH_NOT_CONFIGURED, ENV_FILE_UNREADABLE, CONFIGURATION, FILES_OF_OTHER_USER. */
export function readNameSettings(flags: NameFlags): NameSettings {
  const environment = environmentOf(flags)
  const { values, problems, reserved } = readNameauthValues(environment)
  const path =
    flags.db ?? values.dbPath ?? (values.dataDir === undefined ? undefined : join(values.dataDir, 'names.db'))
  if (path === undefined) throw nameauthConfigurationError(problems)
  refuseForeign(path, 'write')
  const { domain = '', nameMin = 3, nameMax = 20, payUrl, transfersOn = false, nodeUrls = [] } = values
  const asked = { payUrl, nodeUrls: transfersOn ? nodeUrls : [] }
  return { path, domain, nameMin, nameMax, ...asked, reserved, notices: noticesOf(environment, problems) }
}

/** Only these change what is told about names. */
const RULES = ['NAMEAUTH_DOMAIN', 'NAMEAUTH_NAME_MIN', 'NAMEAUTH_NAME_MAX', 'NAMEAUTH_RESERVED_FILE']

const noticesOf = (environment: Environment, problems: readonly SettingProblem[]): readonly string[] =>
  isNameauth(environment)
    ? problemsAbout(problems, RULES).map(({ text }) => `settings: ${text}`)
    : ['no settings found: 3 to 20 characters, and only the built-in names count as reserved']

/** A database that was named makes do without settings. Else who may read them is told, also when a folder hides them. */
function environmentOf({ settings: envFile, db }: NameFlags): Environment {
  try {
    const environment = nameauthEnvironment(envFile)
    if (db === undefined && !isNameauth(environment)) throw missingNameauth(environment)
    return environment
  } catch (error) {
    const own = openEnvironment()
    if (db !== undefined && envFile === undefined) return own
    const named = envFile ?? own.find('NAMEAUTH_ENV_FILE')?.text ?? own.find('GRINPAY_ENV_FILE')?.text
    for (const path of named === undefined ? nameauthEnvFiles() : [named]) refuseForeign(path, 'read')
    throw error
  }
}

/** Throws FILES_OF_OTHER_USER. */
function refuseForeign(path: string, want: 'read' | 'write'): void {
  const owner = ownerInTheWay(path, want)
  if (owner !== undefined) throw filesOfOtherUser(path, owner)
}
