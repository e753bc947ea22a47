// What people see of the settings: effective values with their origin, and the reference table.
import { Secret } from '../lib/secret.js'
import { type Environment, openEnvironment } from './env.js'
import { derivedValues, readNameauthValues } from './nameauth.js'
import { NAMEAUTH_GROUPS, NAMEAUTH_SETTINGS } from './nameauth-settings.js'
import { readPayValues, relaySet } from './pay.js'
import { GROUPS, PAY_SETTINGS } from './pay-settings.js'
import { derivedRelayTexts, RELAY_DATA_DIR } from './relay.js'
import { RELAY_GROUPS, RELAY_SETTINGS } from './relay-settings.js'
import { aliasesOf, type Resolution, resolveSetting } from './resolve.js'
import type { Setting } from './setting.js'

/** One line of `config show`. Secrets read `set` or `unset`, never their value. */
export interface EffectiveSetting {
  readonly name: string
  readonly value: string
  readonly origin: string
}

/** Whose settings: the till's, the name authority's or the relay's. */
export type DaemonName = 'pay' | 'nameauth' | 'relay'

const TABLES: Readonly<
  Record<DaemonName, { readonly settings: readonly Setting<unknown>[]; readonly groups: readonly string[] }>
> = {
  pay: { settings: Object.values<Setting<unknown>>(PAY_SETTINGS), groups: GROUPS },
  nameauth: { settings: Object.values<Setting<unknown>>(NAMEAUTH_SETTINGS), groups: NAMEAUTH_GROUPS },
  relay: { settings: Object.values<Setting<unknown>>(RELAY_SETTINGS), groups: RELAY_GROUPS },
}

/** One line per setting in reading order, broken ones included; those of the relay are called as in its file. `relayDir`: where its database lies unless told. */
export function effectiveSettings(
  environment: Environment,
  daemon: DaemonName = 'pay',
  relayDir: string = RELAY_DATA_DIR,
): readonly EffectiveSetting[] {
  const derived = derivedTexts(environment, daemon, relayDir)
  return TABLES[daemon].settings.map((setting) => {
    const { name: variable, key: name = variable, secret } = setting
    const found = resolveSetting(environment, setting)
    if (found.outcome === 'problem') return { name, value: 'invalid', origin: found.problem }
    if (found.outcome === 'found') return { name, value: secret ? 'set' : found.text, origin: found.origin }
    const initial = setting.initial ?? (derived[name] || undefined)
    return { name, value: initial ?? 'unset', origin: initial === undefined ? '' : 'default' }
  })
}

/** Those that somebody set: no defaults, and nothing that is unset. */
export const statedSettings = (environment: Environment, daemon: DaemonName = 'pay'): readonly EffectiveSetting[] =>
  effectiveSettings(environment, daemon).filter(({ origin }) => origin !== '' && origin !== 'default')

/** A secret that somebody set. */
export interface FoundSecret {
  readonly name: string
  readonly text: Secret
  /** The env file, another file, or `environment`. */
  readonly origin: string
}

/** Secrets as they are set; broken ones are left out. */
export const foundSecrets = (environment: Environment, daemon: DaemonName): readonly FoundSecret[] =>
  TABLES[daemon].settings.flatMap((setting) => {
    const found = setting.secret ? resolveSetting(environment, setting) : undefined
    return found?.outcome === 'found'
      ? [{ name: setting.name, text: new Secret(found.text), origin: found.origin }]
      : []
  })

/** Every name under which a secret of any daemon may stand in a settings file. */
export const secretNames = (): ReadonlySet<string> =>
  new Set(
    Object.values(TABLES)
      .flatMap(({ settings }) => settings)
      .filter(({ secret }) => secret)
      .flatMap((setting) => [setting.name, ...aliasesOf(setting)]),
  )

/** The same for the line that a daemon logs at its start: name and value, secrets as `set`. */
export const settingsSummary = (environment: Environment, daemon: DaemonName): Readonly<Record<string, string>> =>
  Object.fromEntries(statedSettings(environment, daemon).map(({ name, value }) => [name, value]))

function derivedTexts(
  environment: Environment,
  daemon: DaemonName,
  relayDir: string,
): Readonly<Record<string, string>> {
  if (daemon === 'relay') return derivedRelayTexts(environment, relayDir)
  return daemon === 'nameauth' ? derivedNameTexts(environment) : {}
}

/** What unset settings of the authority come to because of others. */
function derivedNameTexts(environment: Environment): Readonly<Record<string, string>> {
  const { values } = readNameauthValues(environment)
  if (values.domain === undefined) return {}
  const { baseUrl, relays, dbPath } = derivedValues(values, values.domain)
  return { NAMEAUTH_BASE_URL: baseUrl, NAMEAUTH_RELAYS: relays.join(','), NAMEAUTH_NAMES_DB: dbPath }
}

/** So many relays of the set stand in pay links and in the till's own relay list (specification: invoicing, 4.2 and 4.8). */
const ADVERTISED = 3

/**
 * What the relay settings come to together: `relay-set.1`, `relay-set.2` … with what each relay is used for. Lower-case names are
 * nothing that can be set. Empty while one of the settings is broken.
 */
export function effectiveRelays(environment: Environment): readonly EffectiveSetting[] {
  const { relayMode, bundledRelayUrl, relays } = readPayValues(environment).values
  if (relayMode === undefined || bundledRelayUrl === undefined || relays === undefined) return []
  return relaySet({ relayMode, bundledRelayUrl, relays }).map((value, at) => ({
    name: `relay-set.${at + 1}`,
    value,
    origin: `${relayMode === 'bundled' && at === 0 ? 'own relay, ' : ''}${at < ADVERTISED ? 'advertised' : 'only listened to'}`,
  }))
}

export interface SettingGroup {
  readonly group: string
  readonly settings: readonly Setting<unknown>[]
}

/** All settings in reading order; the docs page and the env file are printed from it. */
export const settingGroups = (daemon: DaemonName = 'pay'): readonly SettingGroup[] =>
  TABLES[daemon].groups.map((group) => ({
    group,
    settings: TABLES[daemon].settings.filter((setting) => setting.group === group),
  }))

/** What is set under the name of a setting, and where. Throws RangeError for a name that is none. */
export function findSetting(environment: Environment, name: string): Resolution {
  const setting = Object.values(TABLES).flatMap(({ settings }) => settings.filter((one) => one.name === name))[0]
  if (!setting) throw new RangeError(`no setting ${name}`)
  return resolveSetting(environment, setting)
}

/** Why this text cannot be the value of the setting, as the end of "NAME …"; undefined when it can. */
export function refusalForSetting(name: string, text: string): string | undefined {
  const settings = [...TABLES.pay.settings, ...TABLES.nameauth.settings, ...TABLES.relay.settings]
  const read = settings.find((candidate) => candidate.name === name)?.read(text)
  if (read === undefined) return 'is not a setting'
  return read.success ? undefined : read.problem
}

/** What `config check` remarks about this text of a till's setting, others at their defaults, as the end of "NAME …"; undefined: nothing. */
export function remarkForSetting(name: string, text: string): string | undefined {
  const { notices } = readPayValues(openEnvironment({ variables: { [name]: text } }))
  return notices.find(({ setting }) => setting === name)?.text.replace(`${name} `, '')
}
