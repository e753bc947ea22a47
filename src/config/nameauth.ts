// Settings of the name authority: from an Environment to one frozen value, or one line with everything that is wrong.
import { dirname, join } from 'node:path'
import { messageOf } from '../lib/errors.js'
import type { Secret } from '../lib/secret.js'
import { type DatabaseSettings, databaseOf, databasePlaces } from './database-settings.js'
import type { Environment } from './env.js'
import { nameauthConfigurationError } from './errors.js'
import { NAMEAUTH_TABLE, type NameauthValues } from './nameauth-rules.js'
import { problemsAbout, type SettingNotice, type SettingProblem } from './problem.js'
import { isComplete, pick, type Reading, readTable } from './reader.js'
import type { Bind } from './values.js'

/** At most `max` requests in each stretch of `windowSeconds`. */
interface RateWindow {
  readonly max: number
  readonly windowSeconds: number
}

/** What the daemon is composed from. */
export interface NameauthConfig {
  readonly domain: string
  /** Without trailing slash. */
  readonly baseUrl: string
  readonly relays: readonly string[]
  readonly bind: Bind
  /** Of the listener for tor, which believes no header. Undefined: there is none. */
  readonly torBind: Bind | undefined
  /** Undefined: figures are served nowhere. */
  readonly metricsBind: Bind | undefined
  /** Whether there are pages for operators, where they listen, and their public address. */
  readonly console: boolean
  readonly consoleBind: Bind
  readonly consoleUrl: string | undefined
  /** Of the file; not used with `database`. */
  readonly dbPath: string
  readonly dataDir: string
  /** Undefined: names are in the file. */
  readonly database: DatabaseSettings | undefined
  readonly cooldownSeconds: number
  readonly authMaxAgeSeconds: number
  /** In characters. */
  readonly nameMin: number
  readonly nameMax: number
  readonly readRate: RateWindow
  readonly writeRate: RateWindow
  /** Lines of the operator's file, lower-case. */
  readonly reserved: readonly string[]
  /** The price in decimal GRIN, plain form, above 0. Undefined: nothing is for sale. */
  readonly sale: { readonly resource: 'name' | 'write'; readonly priceGrin: string } | undefined
  /** Always there with a sale. */
  readonly pay: { readonly url: string; readonly token: Secret } | undefined
  readonly webhookSecret: Secret | undefined
  readonly pollIntervalSeconds: number
  /** Undefined: transfers are off. */
  readonly transfers:
    | {
        readonly nodeUrls: readonly string[]
        readonly minConfirmations: number
        readonly maxOfferSeconds: number
        readonly claimGraceSeconds: number
      }
    | undefined
  /** Addresses or ranges whose X-Real-IP is believed. */
  readonly trustedProxies: readonly string[]
  /** Things to tell the operator at start; no secret values. */
  readonly notices: readonly SettingNotice[]
}

/** The part of it that does not depend on where the authority runs. */
export type NamesConfig = Omit<
  NameauthConfig,
  'bind' | 'torBind' | 'metricsBind' | 'console' | 'consoleBind' | 'consoleUrl' | 'trustedProxies' | 'notices'
>

/** Reads, checks and freezes. Throws CONFIGURATION with every problem in one line; secrets are never quoted. */
export function loadNameauthConfig(environment: Environment): NameauthConfig {
  const { values, problems, notices, reserved } = readNameauthValues(environment)
  if (problems.length > 0 || !isComplete(NAMEAUTH_TABLE.settings, values) || values.domain === undefined)
    throw nameauthConfigurationError(problems)
  return Object.freeze({ ...configOf(values, values.domain), reserved, notices })
}

/** Reads every setting and the file of reserved names, and applies the rules; for `config check`, which shows all of it. */
export function readNameauthValues(
  environment: Environment,
): Reading<NameauthValues> & { readonly reserved: readonly string[] } {
  const reading = readTable(environment, NAMEAUTH_TABLE)
  const lines = readReserved(environment, reading.values.reservedFile, 'NAMEAUTH_RESERVED_FILE')
  if ('problem' in lines) reading.problems.push(lines.problem)
  return { ...reading, reserved: 'names' in lines ? lines.names : [] }
}

/** Settings that decide which names are free, as problems name them. */
export const NAME_RULES: readonly string[] = [
  'NAMEAUTH_DOMAIN',
  'NAMEAUTH_NAME_MIN',
  'NAMEAUTH_NAME_MAX',
  'NAMEAUTH_RESERVED_FILE',
]

/** Whether and where names are in PostgreSQL: a broken one must not lead to a file. */
export const DATABASE_PLACES = databasePlaces('NAMEAUTH')

/** Settings without which nothing can be said of names. */
const NEEDED = [...NAME_RULES, ...DATABASE_PLACES, 'NAMEAUTH_NAMES_DB', 'NAMEAUTH_DATA_DIR']

/** The names of an authority: which are free, and where the others are stored. */
export type NameFacts = Pick<NameauthConfig, 'domain' | 'nameMin' | 'nameMax' | 'reserved' | 'dbPath' | 'database'>

/** Other settings may be wrong. Throws CONFIGURATION. */
export function readNameFacts(environment: Environment): NameFacts {
  const { values, problems, reserved } = readNameauthValues(environment)
  const { domain, nameMin, nameMax } = values
  const wrong = problemsAbout(problems, NEEDED)
  if (wrong.length > 0 || domain === undefined || nameMin === undefined || nameMax === undefined)
    throw nameauthConfigurationError(wrong.length > 0 ? wrong : problems)
  return {
    domain,
    nameMin,
    nameMax,
    reserved,
    dbPath: derivedValues(values, domain).dbPath,
    database: nameDatabaseOf(values),
  }
}

/** One name per line; blank lines and those that begin with # do not count. `setting`: who named the file. */
export function readReserved(
  environment: Environment,
  path: string | undefined,
  setting: string,
): { readonly names: readonly string[] } | { readonly problem: SettingProblem } {
  if (path === undefined) return { names: [] }
  try {
    const lines = environment.readFile(path).split('\n')
    const names = lines.map((line) => line.trim().toLowerCase()).filter((line) => line !== '' && !line.startsWith('#'))
    return { names: [...new Set(names)] }
  } catch (error) {
    return { problem: { setting, text: `${setting}: cannot read ${path} (${messageOf(error)})` } }
  }
}

/** The defaults that depend on other settings. */
export const derivedValues = ({ baseUrl, relays, dbPath, dataDir = '' }: Partial<NameauthValues>, domain: string) => ({
  baseUrl: baseUrl ?? `https://${domain}`,
  relays: relays === undefined || relays.length === 0 ? [`wss://${domain}`] : relays,
  dbPath: dbPath ?? join(dataDir, 'names.db'),
})

/** Where names are, when they are in PostgreSQL. */
export const nameDatabaseOf = (values: Partial<NameauthValues>): DatabaseSettings | undefined =>
  databaseOf(values, 'names')

/** What unset settings of the authority come to because of others. */
export function derivedNameTexts(environment: Environment): Readonly<Record<string, string>> {
  const { values } = readNameauthValues(environment)
  if (values.domain === undefined) return {}
  const { baseUrl, relays, dbPath } = derivedValues(values, values.domain)
  return { NAMEAUTH_BASE_URL: baseUrl, NAMEAUTH_RELAYS: relays.join(','), NAMEAUTH_NAMES_DB: dbPath }
}

/** Settings that are used as they were read. */
const PLAIN = [
  'bind',
  'torBind',
  'metricsBind',
  'console',
  'consoleBind',
  'consoleUrl',
  'cooldownSeconds',
  'authMaxAgeSeconds',
  'nameMin',
  'nameMax',
  'pollIntervalSeconds',
  'trustedProxies',
] as const satisfies readonly (keyof NameauthValues & keyof NameauthConfig)[]

function configOf(values: NameauthValues, domain: string): Omit<NameauthConfig, 'reserved' | 'notices'> {
  return {
    domain,
    ...pick(values, PLAIN),
    ...derivedValues(values, domain),
    dataDir: values.dbPath === undefined ? values.dataDir : dirname(values.dbPath),
    readRate: { max: values.readRateMax, windowSeconds: values.readRateWindow },
    writeRate: { max: values.writeRateMax, windowSeconds: values.writeRateWindow },
    ...paidOf(values),
    database: nameDatabaseOf(values),
    transfers: transfersOf(values),
  }
}

function paidOf({ payMode, namePrice, writePrice, payUrl, payToken, webhookSecret }: NameauthValues) {
  const priceGrin = payMode === 'name' ? namePrice : writePrice
  return {
    sale: payMode === 'off' ? undefined : { resource: payMode, priceGrin },
    pay: payUrl !== undefined && payToken !== undefined ? { url: payUrl, token: payToken } : undefined,
    webhookSecret,
  }
}

const transfersOf = (values: NameauthValues): NameauthConfig['transfers'] => {
  const { transfersOn, nodeUrls = [], minConfirmations, maxOfferSeconds, claimGraceSeconds } = values
  return transfersOn ? { nodeUrls, minConfirmations, maxOfferSeconds, claimGraceSeconds } : undefined
}
