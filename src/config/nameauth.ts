// Settings of the name authority: from an Environment to one frozen value, or one line with everything that is wrong.
import { dirname, join } from 'node:path'
import { messageOf } from '../lib/errors.js'
import { type DatabaseSettings, databaseOf } from './database-settings.js'
import type { Environment } from './env.js'
import { nameauthConfigurationError } from './errors.js'
import { NAMEAUTH_TABLE, type NameauthValues } from './nameauth-rules.js'
import type { SettingProblem } from './problem.js'
import { pick, type Reading, readTable, requireAll, requireSome } from './reader.js'

/** What the daemon is composed from. */
export type NameauthConfig = ReturnType<typeof loadNameauthConfig>

/** The part of it that does not depend on where the authority runs. */
export type NamesConfig = ReturnType<typeof namesOf>

/** Reads, checks and freezes. Throws CONFIGURATION with every problem in one line; secrets are never quoted. */
export function loadNameauthConfig(environment: Environment) {
  const reading = readNameauthValues(environment)
  const values = requireAll(NAMEAUTH_TABLE, reading)
  const { domain, dbPath, dataDir, transfersOn, nodeUrls = [] } = values
  if (domain === undefined) throw nameauthConfigurationError(reading.problems)
  const terms = pick(values, ['minConfirmations', 'maxOfferSeconds', 'claimGraceSeconds'])
  const places = {
    domain,
    ...derivedValues(values, domain),
    dataDir: dbPath === undefined ? dataDir : dirname(dbPath),
    reserved: reading.reserved,
    database: nameDatabaseOf(values),
    transfers: transfersOn ? { nodeUrls, ...terms } : undefined,
  }
  return Object.freeze({
    ...namesOf(values, places),
    ...pick(values, ['bind', 'torBind', 'metricsBind', 'console', 'consoleBind', 'consoleUrl', 'trustedProxies']),
    /** Things to tell the operator at start; no secret values. */
    notices: reading.notices,
  })
}

/** What an authority does not read alike in a daemon of its own and inside a relay. */
interface NamePlaces {
  readonly domain: string
  /** Without trailing slash. */
  readonly baseUrl: string
  readonly relays: readonly string[]
  /** Lines of the operator's file, lower-case. */
  readonly reserved: readonly string[]
  /** Of the file; not used with `database`. */
  readonly dbPath: string
  readonly dataDir: string
  /** Undefined: names are in the file. */
  readonly database: DatabaseSettings | undefined
  /** Undefined: transfers are off. */
  readonly transfers:
    | ({ readonly nodeUrls: readonly string[] } & Pick<
        NameauthValues,
        'minConfirmations' | 'maxOfferSeconds' | 'claimGraceSeconds'
      >)
    | undefined
}

const AS_READ = [
  ...(['nameMin', 'nameMax', 'cooldownSeconds', 'authMaxAgeSeconds'] as const),
  ...(['pollIntervalSeconds', 'webhookSecret'] as const),
] as const

type SharedValues = Pick<
  NameauthValues,
  | (typeof AS_READ)[number]
  | ('readRateMax' | 'readRateWindow' | 'writeRateMax' | 'writeRateWindow')
  | ('payMode' | 'namePrice' | 'writePrice' | 'payUrl' | 'payToken')
>

/** An authority, in a daemon of its own or inside a relay. */
export function namesOf(values: SharedValues, places: NamePlaces) {
  const { payMode, namePrice, writePrice, payUrl, payToken } = values
  const priceGrin = payMode === 'name' ? namePrice : writePrice
  return {
    ...places,
    ...pick(values, AS_READ),
    readRate: { max: values.readRateMax, windowSeconds: values.readRateWindow },
    writeRate: { max: values.writeRateMax, windowSeconds: values.writeRateWindow },
    /** The price in decimal GRIN, plain form, above 0. Undefined: nothing is for sale. */
    sale: payMode === 'off' ? undefined : { resource: payMode, priceGrin },
    /** Always there with a sale. */
    pay: payUrl !== undefined && payToken !== undefined ? { url: payUrl, token: payToken } : undefined,
  }
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

const RULE_KEYS = ['domain', 'nameMin', 'nameMax', 'reservedFile'] as const
const PLACE_KEYS = ['databaseUrl', 'databaseSchema', 'databaseUnsafe'] as const

const namesIn = (keys: readonly (keyof NameauthValues)[]): readonly string[] =>
  keys.map((key) => NAMEAUTH_TABLE.settings[key].name)

/** Settings that decide which names are free, as problems name them. */
export const NAME_RULES = namesIn(RULE_KEYS)

/** Whether and where names are in PostgreSQL: a broken one must not lead to a file. */
export const DATABASE_PLACES = namesIn(PLACE_KEYS)

const FACTS = [...RULE_KEYS, ...PLACE_KEYS, 'dbPath', 'dataDir'] as const

/** Which names are free, and where the others are stored; other settings may be wrong. Throws CONFIGURATION. */
export function readNameFacts(environment: Environment) {
  const reading = readNameauthValues(environment)
  const { domain, nameMin, nameMax } = requireSome(NAMEAUTH_TABLE, reading, FACTS)
  if (domain === undefined) throw nameauthConfigurationError(reading.problems)
  const { dbPath } = derivedValues(reading.values, domain)
  return { domain, nameMin, nameMax, reserved: reading.reserved, dbPath, database: nameDatabaseOf(reading.values) }
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
