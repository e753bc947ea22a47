// The one reader of settings files in KEY=VALUE form, for daemons, commands, units and containers (specification: names, 11). It also finds
// the lines that dotenv, systemd's EnvironmentFile= or a compose file's env_file: would read differently.

import { parse } from 'dotenv'

/** Why other readers make something else of a line; `env-file-notices.ts` says it in words. */
export type EnvFault =
  | 'byte-order-mark'
  | 'no-setting'
  | 'open-comment'
  | 'export'
  | 'quotes'
  | 'hash'
  | 'backslash'
  | 'dollar'
  | 'backtick'
  | 'hidden-character'
  | 'swallowed'

/** How a value is written so that every reader takes it alike; `none`: it cannot be. */
export type EnvSpelling = 'bare' | 'double-quoted' | 'single-quoted' | 'none'

/** A line that other readers take differently. Never quotes the value, which may be a secret. */
export interface EnvRemark {
  /** From 1. */
  readonly line: number
  /** Undefined: the line sets nothing. */
  readonly name: string | undefined
  readonly fault: EnvFault
  /** For the value as it is read here. */
  readonly spelling: EnvSpelling
}

export interface EnvText {
  /** Of repeated names the last counts. */
  readonly values: ReadonlyMap<string, string>
  /** In the order of the lines. */
  readonly remarks: readonly EnvRemark[]
}

const MARK = '\uFEFF'
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
/** Only blanks and tabs are blank to every reader; what is not UTF-8 arrives as U+FFFD, and systemd drops its line. */
const HIDDEN = /(?!\t)[\p{Cc}\u2028\u2029\uFEFF\uFFFD]|(?! )\p{Zs}/u
const SEPARATORS = /[\r\0\u2028\u2029]/

/**
 * `NAME=VALUE` lines. Blanks around name and value do not count, nor does `export` before the name, nor one pair of matching quotes around the
 * value. Nothing else is special in a value: no escapes, no variables, no remark behind it. Lines that begin with # and those that are no
 * setting are skipped.
 */
export function parseEnvText(text: string): EnvText {
  const values = new Map<string, string>()
  const lines = new Map<string, number>()
  const remarks: EnvRemark[] = []
  const hasMark = text.startsWith(MARK)
  if (hasMark) remarks.push({ line: 1, name: undefined, fault: 'byte-order-mark', spelling: 'none' })
  for (const [at, raw] of (hasMark ? text.slice(1) : text).split('\n').entries()) {
    const { name, value, faults } = readLine(raw.replace(/\r$/, ''))
    if (name !== undefined) {
      values.set(name, value)
      lines.set(name, at + 1)
    }
    const spelling = spellingOf(value)
    remarks.push(...faults.map((fault) => ({ line: at + 1, name, fault, spelling })))
  }
  const named = new Set(remarks.map(({ line }) => line))
  const read = parse(text)
  for (const [name, line] of lines)
    if (read[name] !== values.get(name) && !named.has(line))
      remarks.push({ line, name, fault: 'swallowed', spelling: 'none' })
  return { values, remarks: remarks.toSorted((a, b) => a.line - b.line) }
}

interface Line {
  readonly name: string | undefined
  readonly value: string
  readonly faults: readonly EnvFault[]
}

const nothing = (faults: readonly EnvFault[]): Line => ({ name: undefined, value: '', faults })

function readLine(raw: string): Line {
  const line = raw.trim()
  if (line === '' || line.startsWith('#')) return nothing(commentFaults(raw))
  const assignment = line.replace(/^export\s+/, '')
  const at = assignment.indexOf('=')
  const name = assignment.slice(0, Math.max(at, 0)).trim()
  if (!NAME.test(name)) return nothing(['no-setting'])
  const written = assignment.slice(at + 1).trim()
  const faults: readonly EnvFault[] = [
    ...(assignment === line ? [] : (['export'] as const)),
    ...valueFaults(written),
    ...(HIDDEN.test(raw) ? (['hidden-character'] as const) : []),
  ]
  return { name, value: unquoted(written), faults }
}

const commentFaults = (raw: string): readonly EnvFault[] => {
  if (SEPARATORS.test(raw)) return ['hidden-character']
  return raw.endsWith('\\') ? ['open-comment'] : []
}

/** Without one pair of matching quotes. */
function unquoted(written: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(written) ?? []
  return inner ?? written
}

function valueFaults(written: string): readonly EnvFault[] {
  const quote = written.charAt(0)
  if (quote === '`') return ['backtick']
  if (quote !== '"' && quote !== "'")
    return [...(written.includes('#') ? (['hash'] as const) : []), ...specialIn(written, /\\/)]
  const isWhole = written.length > 1 && written.endsWith(quote)
  const inner = written.slice(1, -1)
  if (!isWhole || inner.includes(quote)) return ['quotes']
  if (quote === '"') return specialIn(inner, ESCAPE)
  return inner.endsWith('\\') ? ['backslash'] : []
}

/** Inside of double quotes; before other characters a backslash is one to every reader. */
const ESCAPE = /\\(?:[abcfnrtv0$"`\\]|$)/

/** systemd and compose take a backslash for an escape, and compose puts variables in. */
const specialIn = (text: string, escapes: RegExp): readonly EnvFault[] => [
  ...(escapes.test(text) ? (['backslash'] as const) : []),
  ...(text.includes('$') ? (['dollar'] as const) : []),
]

/** The first that all readers agree on. */
function spellingOf(value: string): EnvSpelling {
  if (HIDDEN.test(value)) return 'none'
  if (value === value.trim() && valueFaults(value).length === 0 && !/^["']/.test(value)) return 'bare'
  if (!/["\\$]/.test(value)) return 'double-quoted'
  return value.includes("'") || value.endsWith('\\') ? 'none' : 'single-quoted'
}
