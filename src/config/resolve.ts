// From raw variables to one text per setting: `_FILE` variants, systemd credentials, the original's GP_ names.
import { join } from 'node:path'
import { messageOf } from '../lib/errors.js'
import type { Environment, Found } from './env.js'

/** What resolving needs to know of a setting. */
export interface Resolvable {
  readonly name: string
  readonly secret?: boolean | undefined
}

export type Resolution =
  | { readonly outcome: 'found'; readonly text: string; readonly origin: string; readonly alias?: string }
  | { readonly outcome: 'unset' }
  | { readonly outcome: 'problem'; readonly problem: string }

const UNSET: Resolution = { outcome: 'unset' }
const problem = (text: string): Resolution => ({ outcome: 'problem', problem: text })

/** `PAY_X`, else `PAY_X_FILE`, else the credential `pay_x`, else the same two of `GP_X`. */
export function resolveSetting(environment: Environment, setting: Resolvable): Resolution {
  const own = direct(environment, setting, setting.name)
  if (own.outcome !== 'unset') return own
  const credential = setting.secret ? credentialOf(environment, setting.name) : UNSET
  if (credential.outcome !== 'unset') return credential
  const alias = setting.name.replace(/^PAY_/, 'GP_')
  const old = direct(environment, setting, alias)
  return old.outcome === 'found' ? { ...old, alias } : old
}

/** An empty text counts as unset: that is how env files switch a setting off. */
function direct(environment: Environment, setting: Resolvable, name: string): Resolution {
  const inline = filled(environment.find(name))
  const file = setting.secret ? filled(environment.find(`${name}_FILE`)) : undefined
  if (inline && file) return problem(`${name} and ${name}_FILE are both set`)
  if (file) return fromFile(environment, `${name}_FILE`, file.text.trim())
  return inline ? { outcome: 'found', text: inline.text, origin: inline.origin } : UNSET
}

const filled = (found: Found | undefined): Found | undefined => (found?.text.trim() === '' ? undefined : found)

function fromFile(environment: Environment, label: string, path: string): Resolution {
  try {
    const text = environment.readFile(path).replace(/[\r\n]+$/, '')
    return text === '' ? problem(`${label}: ${path} is empty`) : { outcome: 'found', text, origin: path }
  } catch (error) {
    return problem(`${label}: cannot read ${path} (${messageOf(error)})`)
  }
}

function credentialOf(environment: Environment, name: string): Resolution {
  if (environment.credentialsDirectory === undefined) return UNSET
  const path = join(environment.credentialsDirectory, name.toLowerCase())
  try {
    environment.readFile(path)
  } catch {
    return UNSET // a unit hands over only the credentials it was given; absence is the usual case
  }
  return fromFile(environment, `credential ${name.toLowerCase()}`, path)
}
