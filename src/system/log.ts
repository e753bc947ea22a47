// Log lines: JSON for journald, one readable line for a person. Secrets are redacted, wherever they are logged.
import pino, { type Logger } from 'pino'
import { foreignText, plainText } from '../lib/plain-text.js'

export type SystemLog = Logger
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export interface LogParts {
  readonly level?: LogLevel
  /** People read along: no JSON. */
  readonly human?: boolean
  readonly write?: (line: string) => void
}

/** Member names that are cut wherever they stand, up to two levels deep. */
const HIDDEN = [
  'authorization',
  'token',
  'apiToken',
  'adminToken',
  'secret',
  'password',
  'walletPassword',
  'mnemonic',
  'seed',
  'words',
  'nsec',
  'ncryptsec',
  'slatepack',
  'reply',
  's2',
]
const PATHS = HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

/** Secrets by their look, for texts that carry them inside: addresses with a checkout token, keys, armor. */
const SHAPES: readonly [RegExp, string][] = [
  [/\b(pay_live_|pay_admin_|whsec_|gp_live_|gpadm_)[A-Za-z0-9+/=]+/g, '$1[secret]'],
  [/\b(nsec1|ncryptsec1)[02-9ac-hj-np-z]+/g, '$1[secret]'],
  [/(\/pay\/|\/console\/enter\/)[A-Za-z0-9_-]{43}/g, '$1[token]'],
  [/\b(Bearer\s+)[^\s"\\]+/gi, '$1[secret]'],
  [/BEGINSLATEPACK\.[\s\S]*?(?:ENDSLATEPACK\.?|(?=")|$)/g, '[slatepack]'],
]

/** Cuts everything that looks like a secret out of a text. */
export const redactText = (text: string): string =>
  SHAPES.reduce((rest, [shape, instead]) => rest.replace(shape, instead), text)

/** One line per event. Numbers, times and levels stay machine readable unless `human`. */
export function createLog(parts: LogParts = {}): SystemLog {
  const { level = 'info', human = process.stdout.isTTY === true } = parts
  const write = parts.write ?? toStandardOutput()
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: PATHS, censor: '[secret]' },
    },
    { write: (line: string) => write(redactText(human ? readable(line) : line)) },
  )
}

/** A closed terminal must not end the process in the middle of its work; oclif's listener would throw. */
function toStandardOutput(): (line: string) => void {
  const { stdout } = process
  stdout.removeAllListeners('error').on('error', () => undefined)
  return (line) => void stdout.write(line)
}

function readable(line: string): string {
  const { level, time, msg, ...rest }: Record<string, unknown> = JSON.parse(line)
  const details = Object.entries(rest).map(([name, value]) => `${name}=${detail(value)}`)
  const clock = foreignText(time).slice(11, 19)
  const text = [clock, foreignText(level).padEnd(5), msg ?? '', ...details].join(' ').trimEnd()
  return `${plainText(text)}\n`
}

const detail = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
