// Where a till's secret is kept now, and so what a rotation has to change.
import { resolve } from 'node:path'
import { aliasesOf, configurationError, type Environment, findSetting, readPayValues } from '../../config/index.js'
import { secretElsewhere, secretNotSet } from '../errors.js'
import { type Rotated, secretFileIn, settingOf } from './kinds.js'

export interface Place {
  /** What is in force, as it is written. */
  readonly text: string
  /** The file that holds it from now on. */
  readonly file: string
  /** The env file that holds it now, and the names that it has there; undefined: it is in `file` already. */
  readonly inline: { readonly envFile: string; readonly names: readonly string[] } | undefined
  /** The env file, wherever the secret is kept. */
  readonly settingsFile: string | undefined
}

/** Throws SECRET_NOT_SET, SECRET_ELSEWHERE, CONFIGURATION. */
export function placeOf(environment: Environment, which: Rotated): Place {
  const name = settingOf(which)
  const { envFile, credentialsDirectory } = environment
  const found = findSetting(environment, name)
  if (found.outcome === 'problem') throw configurationError([{ setting: name, text: found.problem }])
  if (found.outcome === 'unset') throw secretNotSet(name, envFile ?? 'the environment')
  const { origin, text } = found
  if (origin === 'environment') throw secretElsewhere(name, 'the environment of this process')
  if (credentialsDirectory !== undefined && origin.startsWith(`${credentialsDirectory}/`))
    throw secretElsewhere(name, 'a systemd credential')
  if (origin.endsWith('.cred')) throw secretElsewhere(name, `${origin}, which systemd-creds has sealed`)
  if (origin !== envFile) return { text, file: resolve(origin), inline: undefined, settingsFile: envFile }
  const { values, problems } = readPayValues(environment)
  if (values.dataDir === undefined) throw configurationError(problems)
  const names = [name, ...aliasesOf({ name })].flatMap((one) => [one, `${one}_FILE`])
  return { text, file: secretFileIn(resolve(values.dataDir), which), inline: { envFile, names }, settingsFile: envFile }
}
