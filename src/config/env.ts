// The only reader of the process environment. Everything else gets an Environment.
import { readFileSync, statSync } from 'node:fs'
import { causedBy, messageOf } from '../lib/errors.js'
import { type EnvRemark, type EnvText, parseEnvText } from './env-lines.js'
import { envFileUnreadable } from './errors.js'

/** One variable as found: its text, and where it stood ("environment" or the file's path). */
export interface Found {
  readonly text: string
  readonly origin: string
  /** Its name there, when that is not the variable's. */
  readonly key?: string
}

/** Raw variables plus the two things settings may point at: files and systemd's credentials directory. */
export interface Environment {
  find(name: string): Found | undefined
  /** Names that are present, unordered. */
  names(): readonly string[]
  readFile(path: string): string
  /** The permission bits of a file; undefined when they cannot be read. */
  modeOf?(path: string): number | undefined
  readonly credentialsDirectory: string | undefined
  /** The env file that was read; undefined: none. */
  readonly envFile: string | undefined
  /** What stands in the env file; undefined: none was read. */
  readonly filed?: { readonly names: readonly string[]; readonly remarks: readonly EnvRemark[] } | undefined
}

type Variables = Readonly<Record<string, string | undefined>>

/** What `openEnvironment` may be given instead of the real surroundings. */
export interface EnvironmentParts {
  /** Real variables win over it, as with systemd and Docker. */
  readonly envFile?: string | undefined
  readonly variables?: Variables
  readonly readFile?: (path: string) => string
  readonly modeOf?: (path: string) => number | undefined
}

const readText = (path: string): string => readFileSync(path, 'utf8')

function permissionsOf(path: string): number | undefined {
  try {
    return statSync(path).mode & 0o777
  } catch {
    return undefined // the reader of the file reports why
  }
}

/** Throws ENV_FILE_UNREADABLE. */
export function openEnvironment(parts: EnvironmentParts = {}): Environment {
  const { envFile, variables = process.env, readFile = readText, modeOf = permissionsOf } = parts
  const filed = envFile === undefined ? undefined : readEnvFile(envFile, readFile)

  function find(name: string): Found | undefined {
    const real = variables[name]
    if (real !== undefined) return { text: real, origin: 'environment' }
    const text = filed?.values.get(name)
    return text === undefined ? undefined : { text, origin: envFile ?? '' }
  }

  return {
    find,
    names: () => [...new Set([...Object.keys(variables), ...(filed?.values.keys() ?? [])])],
    readFile,
    modeOf,
    credentialsDirectory: find('CREDENTIALS_DIRECTORY')?.text,
    envFile,
    filed: filed && { names: [...filed.values.keys()], remarks: filed.remarks },
  }
}

function readEnvFile(path: string, readFile: (path: string) => string): EnvText {
  try {
    return parseEnvText(readFile(path))
  } catch (error) {
    throw causedBy(envFileUnreadable(path, messageOf(error)), error)
  }
}
