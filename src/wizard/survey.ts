// Where a setup goes, and what is set up on the machine already. Looking changes nothing.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Bind, type Environment, openEnvironment, readNameauthValues, readPayValues } from '../config/index.js'
import { localHostPort } from '../lib/url.js'
import { nameauthEnvFiles, type Places, usualEnvFiles } from '../system/index.js'
import type { Texts } from './question.js'

/** What decides where a setup goes. */
export interface SetupSources {
  /** Everything under this folder. */
  readonly prefix?: string | undefined
  /** The variables of this process. */
  readonly surroundings: Environment
}

/** Where the files of a daemon go. */
export interface SetupTarget {
  /** Of the relay `envFile` is the TOML file. */
  readonly places: Places
  /** Whether systemd's own places are used. */
  readonly machineWide: boolean
  /** Whether a unit (and of the relay a proxy) belongs to it: not beside a settings file that was named. */
  readonly isService: boolean
}

/** One env file, without the variables of this process. */
export interface EnvFile {
  readonly hasFile: boolean
  readonly hasFolder: boolean
  readonly environment: Environment
  /** Its settings, as text. */
  readonly inForce: Texts
}

/** Throws ENV_FILE_UNREADABLE. */
export function readEnvFile(path: string): EnvFile {
  const hasFile = existsSync(path)
  const environment = openEnvironment({ envFile: hasFile ? path : undefined, variables: {} })
  const inForce = new Map(environment.names().map((name) => [name, environment.find(name)?.text ?? '']))
  return { hasFile, hasFolder: existsSync(dirname(path)), environment, inForce }
}

/** Where the till of this machine is reached; the usual address of the originals when there is none. */
export const tillAddress = (files = usualEnvFiles()): string =>
  addressIn(files, (environment) => readPayValues(environment).values.bind) ?? 'http://127.0.0.1:8192'

/** Where the name authority of this machine is reached; undefined when there is none. */
export const namesAddress = (files = nameauthEnvFiles()): string | undefined =>
  addressIn(files, (environment) => {
    const { domain, bind } = readNameauthValues(environment).values
    return domain === undefined ? undefined : bind
  })

function addressIn(
  files: readonly string[],
  bindIn: (environment: Environment) => Bind | undefined,
): string | undefined {
  const envFile = files.find((path) => existsSync(path))
  if (envFile === undefined) return undefined
  try {
    const bind = bindIn(openEnvironment({ envFile, variables: {} }))
    return bind && `http://${localHostPort(bind.host, bind.port)}`
  } catch {
    return undefined // not for our eyes: then it is as if there were none
  }
}
