// What people see of the settings: effective values with their origin, and the reference table.
import type { Environment } from './env.js'
import { readPayValues, relaySet } from './pay.js'
import { GROUPS, PAY_SETTINGS } from './pay-settings.js'
import { resolveSetting } from './resolve.js'
import type { Setting } from './setting.js'

/** One line of `config show`. Secrets read `set` or `unset`, never their value. */
export interface EffectiveSetting {
  readonly name: string
  readonly value: string
  readonly origin: string
}

/** One line per setting in reading order, broken ones included. */
export function effectiveSettings(environment: Environment): readonly EffectiveSetting[] {
  return Object.values<Setting<unknown>>(PAY_SETTINGS).map((setting) => {
    const { name, initial, secret } = setting
    const found = resolveSetting(environment, setting)
    if (found.outcome === 'problem') return { name, value: 'invalid', origin: found.problem }
    if (found.outcome === 'found') return { name, value: secret ? 'set' : found.text, origin: found.origin }
    return { name, value: initial ?? 'unset', origin: initial === undefined ? '' : 'default' }
  })
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
export const settingGroups = (): readonly SettingGroup[] =>
  GROUPS.map((group) => ({
    group,
    settings: Object.values<Setting<unknown>>(PAY_SETTINGS).filter((setting) => setting.group === group),
  }))

/** Why this text cannot be the value of the setting, as the end of "NAME …"; undefined when it can. */
export function refusalForSetting(name: string, text: string): string | undefined {
  const setting = Object.values<Setting<unknown>>(PAY_SETTINGS).find((candidate) => candidate.name === name)
  const read = setting?.read(text)
  if (read === undefined) return 'is not a setting'
  return read.success ? undefined : (read.error.issues[0]?.message ?? 'is not valid')
}
