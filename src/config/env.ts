// The only reader of the process environment. Everything else gets an Environment.
import { readFileSync, statSync } from 'node:fs'
import { parse } from 'dotenv'
import { causedBy, messageOf } from '../lib/errors.js'
import { envFileUnreadable } from './errors.js'

// The plain form of env files, as systemd and the original authority read them (specification: names, 11).
const LINE = /^([^=\s][^=]*?)\s*=(.*)$/s

/** `KEY=VALUE` lines: no escapes, no remarks behind a value. Lines that are none are skipped; of repeated keys the last counts. */
export function parsePlain(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\n').flatMap((raw): readonly (readonly [string, string])[] => {
    const line = raw.trim().replace(/^export\s+/, '')
    const [, key, value = ''] = line.startsWith('#') ? [] : (LINE.exec(line) ?? [])
    return key === undefined ? [] : [[key, unquoted(value.trim())]]
  })
  return Object.fromEntries(pairs)
}

/** Without one pair of matching quotes. */
function unquoted(value: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(value) ?? []
  return inner ?? value
}

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
}

type Variables = Readonly<Record<string, string | undefined>>

/** What `openEnvironment` may be given instead of the real surroundings. */
export interface EnvironmentParts {
  /** Real variables win over it, as with systemd and Docker. */
  readonly envFile?: string | undefined
  /** How the env file is read: with dotenv's rules by default. */
  readonly form?: 'dotenv' | 'plain'
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
  const { envFile, form = 'dotenv', variables = process.env, readFile = readText, modeOf = permissionsOf } = parts
  const filed = envFile === undefined ? {} : readEnvFile(envFile, READERS[form], readFile)

  function find(name: string): Found | undefined {
    const real = variables[name]
    if (real !== undefined) return { text: real, origin: 'environment' }
    const text = filed[name]
    return text === undefined ? undefined : { text, origin: envFile ?? '' }
  }

  return {
    find,
    names: () => [...new Set([...Object.keys(variables), ...Object.keys(filed)])],
    readFile,
    modeOf,
    credentialsDirectory: find('CREDENTIALS_DIRECTORY')?.text,
    envFile,
  }
}

type ValueReader = (text: string) => Variables
const READERS: Readonly<Record<'dotenv' | 'plain', ValueReader>> = { dotenv: parse, plain: parsePlain }

function readEnvFile(path: string, parseText: ValueReader, readFile: (path: string) => string): Variables {
  try {
    return parseText(readFile(path))
  } catch (error) {
    throw causedBy(envFileUnreadable(path, messageOf(error)), error)
  }
}
