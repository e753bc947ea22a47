// What people see of the settings: effective values with their origin, and the reference table.
import type { DaemonName } from '../lib/daemon-names.js'
import { Secret } from '../lib/secret.js'
import { DAEMONS } from './daemons.js'
import { type Environment, openEnvironment } from './env.js'
import { readPayValues } from './pay.js'
import { RELAY_DATA_DIR } from './relay.js'
import { aliasesOf, type Resolution, resolveSetting } from './resolve.js'
import type { EffectiveSetting, Setting } from './setting.js'

/** One line per setting in reading order, broken ones included; those of the relay are called as in its file. `relayDir`: where its database lies by default. */
export function effectiveSettings(
  environment: Environment,
  daemon: DaemonName = 'pay',
  relayDir: string = RELAY_DATA_DIR,
): readonly EffectiveSetting[] {
  const derived = DAEMONS[daemon].derived(environment, relayDir)
  return DAEMONS[daemon].settings.map((setting) => {
    const { name: variable, key: name = variable, secret } = setting
    const found = resolveSetting(environment, setting)
    if (found.outcome === 'problem') return { name, value: 'invalid', origin: found.problem }
    if (found.outcome === 'found') return { name, value: secret ? 'set' : found.text, origin: found.origin }
    const initial = setting.initial ?? (derived[name] || undefined)
    return { name, value: initial ?? 'unset', origin: initial === undefined ? '' : 'default' }
  })
}

/** Settings that are set: no defaults, and nothing that is unset. */
export const statedSettings = (environment: Environment, daemon: DaemonName = 'pay'): readonly EffectiveSetting[] =>
  effectiveSettings(environment, daemon).filter(({ origin }) => origin !== '' && origin !== 'default')

/** A secret that is set. */
export interface FoundSecret {
  readonly name: string
  readonly text: Secret
  /** The env file, another file, or `environment`. */
  readonly origin: string
}

/** Secrets as they are set; broken ones are left out. */
export const foundSecrets = (environment: Environment, daemon: DaemonName): readonly FoundSecret[] =>
  DAEMONS[daemon].settings.flatMap((setting) => {
    const found = setting.secret ? resolveSetting(environment, setting) : undefined
    return found?.outcome === 'found'
      ? [{ name: setting.name, text: new Secret(found.text), origin: found.origin }]
      : []
  })

/** Every name under which a secret of a daemon may stand in a settings file. */
export const secretNames = (): ReadonlySet<string> =>
  new Set(
    Object.values(DAEMONS)
      .flatMap(({ settings }) => settings)
      .filter(({ secret }) => secret)
      .flatMap((setting) => [setting.name, ...aliasesOf(setting)]),
  )

/** Lists with more characters are logged as their number of values: a list of authors may have hundreds of kilobytes. */
const MOST_LOGGED = 200

/** The same for the line that a daemon logs at its start: name and value, secrets as `set`. */
export function settingsSummary(environment: Environment, daemon: DaemonName): Readonly<Record<string, string>> {
  const lists = new Set(DAEMONS[daemon].settings.filter(isList).map(({ name, key = name }) => key))
  const logged = ({ name, value }: EffectiveSetting): string =>
    lists.has(name) && value.length > MOST_LOGGED ? `${value.split(',').length} values` : value
  return Object.fromEntries(statedSettings(environment, daemon).map((one) => [one.name, logged(one)]))
}

const isList = ({ form }: Setting<unknown>): boolean => form === 'texts' || form === 'wholes'

interface SettingGroup {
  readonly group: string
  readonly settings: readonly Setting<unknown>[]
}

/** All settings in reading order; the docs page and the env file are printed from it. */
export function settingGroups(daemon: DaemonName = 'pay'): readonly SettingGroup[] {
  const { settings } = DAEMONS[daemon]
  const groups = [...new Set(settings.map(({ group }) => group))]
  return groups.map((group) => ({ group, settings: settings.filter((setting) => setting.group === group) }))
}

/** What is set under the name of a setting, and where. Throws RangeError for a name that is none. */
export function findSetting(environment: Environment, name: string): Resolution {
  const setting = Object.values(DAEMONS).flatMap(({ settings }) => settings.filter((one) => one.name === name))[0]
  if (!setting) throw new RangeError(`no setting ${name}`)
  return resolveSetting(environment, setting)
}

/** Why this text cannot be the value of the setting, as the end of "NAME …"; undefined when it can. `name`: of the relay its key will do. */
export function refusalForSetting(name: string, text: string): string | undefined {
  const settings = Object.values(DAEMONS).flatMap((daemon) => daemon.settings)
  const read = settings.find((candidate) => candidate.name === name || candidate.key === name)?.read(text)
  if (read === undefined) return 'is not a setting'
  return read.success ? undefined : read.problem
}

/** What `config check` remarks about this text of a till's setting alone, others at their defaults, as the end of "NAME …"; undefined: nothing. */
export function remarkForSetting(name: string, text: string): string | undefined {
  const { notices } = readPayValues(openEnvironment({ variables: { [name]: text } }))
  return notices.find(({ setting, predicate }) => setting === name && predicate !== undefined)?.predicate
}
