// From raw variables to one text per setting: `_FILE` variants, systemd credentials, the names of the originals.
import { join } from 'node:path'
import { messageOf } from '../lib/errors.js'
import type { Environment, Found } from './env.js'

/** What resolving needs to know of a setting. */
export interface Resolvable {
  readonly name: string
  readonly secret?: boolean | undefined
  readonly aliases?: readonly string[] | undefined
  readonly fileWins?: boolean | undefined
  readonly mayBeEmpty?: boolean | undefined
  readonly neverEmpty?: boolean | undefined
}

/** What the originals call it: GP_ and FLOONET_ stand for our prefixes. */
export const aliasesOf = ({ name, aliases }: Resolvable): readonly string[] =>
  aliases ?? [name.replace(/^PAY_/, 'GP_').replace(/^NAMEAUTH_/, 'FLOONET_')]

export type Resolution =
  | {
      readonly outcome: 'found'
      readonly text: string
      readonly origin: string
      readonly key?: string
      readonly alias?: string
      /** The file that holds nothing else. */
      readonly file?: string
    }
  | { readonly outcome: 'unset' }
  | { readonly outcome: 'problem'; readonly problem: string }

const UNSET: Resolution = { outcome: 'unset' }
const problem = (text: string): Resolution => ({ outcome: 'problem', problem: text })

/**
 * `PAY_X`, else `PAY_X_FILE`, else the credential `pay_x`, else the first two of each alias. A credential stands for a `PAY_X_FILE` of the
 * settings file: a unit hands it over because the daemon's user cannot read that path.
 */
export function resolveSetting(environment: Environment, setting: Resolvable): Resolution {
  const own = direct(environment, setting, setting.name)
  if (own.outcome !== 'unset') return own
  const credential = setting.secret ? credentialOf(environment, setting) : UNSET
  if (credential.outcome !== 'unset') return credential
  for (const alias of aliasesOf(setting)) {
    const old = direct(environment, setting, alias)
    if (old.outcome !== 'unset') return old.outcome === 'found' ? { ...old, alias } : old
  }
  return setting.neverEmpty ? unlessEmptied(environment, setting) : UNSET
}

/** An empty list is meant to close something; the default would open it. */
function unlessEmptied(environment: Environment, setting: Resolvable): Resolution {
  const isNamed = [setting.name, ...aliasesOf(setting)].some((name) => environment.find(name) !== undefined)
  return isNamed ? problem(`${setting.name} must not be empty`) : UNSET
}

/** An empty text counts as unset: that is how env files switch a setting off. */
function direct(environment: Environment, setting: Resolvable, name: string): Resolution {
  const inline = filled(environment.find(name))
  const file = setting.secret ? filled(environment.find(`${name}_FILE`)) : undefined
  if (inline && file && !setting.fileWins)
    return problem(`${inline.key ?? name} and ${file.key ?? `${name}_FILE`} are both set`)
  if (file) {
    const handed = file.origin === environment.envFile ? credentialOf(environment, setting) : UNSET
    if (handed.outcome !== 'unset') return handed
    return fromFile(environment, setting, file.key ?? `${name}_FILE`, file.text.trim())
  }
  return inline ? { outcome: 'found', ...inline } : UNSET
}

const filled = (found: Found | undefined): Found | undefined => (found?.text.trim() === '' ? undefined : found)

function fromFile(environment: Environment, { mayBeEmpty }: Resolvable, label: string, path: string): Resolution {
  try {
    const text = environment.readFile(path).replace(/[\r\n]+$/, '')
    if (mayBeEmpty && text.trim() === '') return UNSET
    return text === '' ? problem(`${label}: ${path} is empty`) : { outcome: 'found', text, origin: path, file: path }
  } catch (error) {
    return problem(`${label}: cannot read ${path} (${messageOf(error)})`)
  }
}

function credentialOf(environment: Environment, setting: Resolvable): Resolution {
  if (environment.credentialsDirectory === undefined) return UNSET
  const name = setting.name.toLowerCase()
  const path = join(environment.credentialsDirectory, name)
  try {
    environment.readFile(path)
  } catch {
    return UNSET // a unit hands over only the credentials it was given; absence is the usual case
  }
  return fromFile(environment, setting, `credential ${name}`, path)
}
