// Notices about names in the environment that look like settings and are none, or no longer. Each says what to do.
import { nearest } from '../lib/nearest.js'
import type { Environment } from './env.js'
import type { SettingNotice } from './problem.js'
import { aliasesOf, type Resolvable } from './resolve.js'

interface Names {
  readonly prefix: string
  readonly foreign?: readonly string[]
  readonly retired?: Readonly<Record<string, string>>
}

/** Of legacy daemons. Relay and authority share one: each knows the names of the other as foreign. */
const OLD_PREFIX: Readonly<Record<string, string>> = { PAY_: 'GP_', NAMEAUTH_: 'FLOONET_', RELAY_: 'FLOONET_' }

/** In the order of the environment. */
export function unknownSettings(
  environment: Environment,
  settings: readonly Resolvable[],
  { prefix, foreign = [], retired = {} }: Names,
): readonly SettingNotice[] {
  const own = settings.flatMap(({ name }) => [name, `${name}_FILE`])
  const old = settings.flatMap((setting) => aliasesOf(setting).flatMap((name) => [name, `${name}_FILE`]))
  const known = new Set([...own, ...old, ...foreign])
  const looksOurs = (name: string): boolean => name.startsWith(prefix) || name.startsWith(OLD_PREFIX[prefix] ?? prefix)
  const notices = environment.names().flatMap((name) => {
    if (name in retired) return [{ setting: name, text: `${name} means nothing here any more: ${retired[name]}` }]
    return looksOurs(name) && !known.has(name) ? [{ setting: name, text: unknown(name, settings, prefix) }] : []
  })
  return [...notices, ...shadowedOf(environment, settings)]
}

function unknown(name: string, settings: readonly Resolvable[], prefix: string): string {
  const ours = name.startsWith(prefix) ? name : `${prefix}${name.slice(name.indexOf('_') + 1)}`
  const rest = (text: string): string => text.slice(prefix.length) // alike by the prefix is not alike
  const guess = nearest(
    rest(ours),
    settings.map((setting) => rest(setting.name)),
  )
  const advice = guess === undefined ? '' : ` (did you mean ${prefix}${guess}?)`
  return `${name} is not a setting of grinpay and is ignored${advice}`
}

/** A name of the originals beside ours: ours counts, and the notice says why the other does not. */
function shadowedOf(environment: Environment, settings: readonly Resolvable[]): readonly SettingNotice[] {
  const isSet = (name: string): boolean => (environment.find(name)?.text.trim() ?? '') !== ''
  return settings.flatMap((setting) => {
    if (!isSet(setting.name) && !isSet(`${setting.name}_FILE`)) return []
    return aliasesOf(setting)
      .flatMap((name) => [name, `${name}_FILE`])
      .filter(isSet)
      .map((name) => ({ setting: name, text: `${name} is ignored: ${setting.name} is set, too` }))
  })
}
