// What people and scripts see of a failure. The exit codes are a promise: docs/cli.md prints this table.
import { stripVTControlCharacters } from 'node:util'
import { GrinpayError, messageOf } from '../lib/errors.js'
import { nearest } from '../lib/nearest.js'
import { plainText } from '../lib/plain-text.js'

export const EXIT = {
  ok: 0,
  unexpected: 1,
  usage: 2,
  notConfigured: 3,
  notFound: 4,
  timedOut: 5,
  negative: 6,
  notAuthorised: 7,
  unreachable: 8,
  interrupted: 130,
} as const

/** @public The page of the command line is made from it. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  ok: 'done',
  unexpected: 'unexpected failure',
  usage: 'wrong usage, invalid input or invalid settings',
  notConfigured: 'not configured; the message names the command that fixes it',
  notFound: 'not found',
  timedOut: 'timed out',
  negative: 'a negative final state: expired, abandoned, check failed',
  notAuthorised: 'not authorised',
  unreachable: 'the daemon does not answer',
  interrupted: 'interrupted',
}

/** Codes that say more than their HTTP status. */
const BY_CODE: Readonly<Record<string, number>> = {
  CONFIGURATION: EXIT.usage,
  ENV_FILE_UNREADABLE: EXIT.usage,
  CONFIG_FILE_UNREADABLE: EXIT.usage,
  // A daemon that cannot start with these settings: systemd must not try again and again.
  WALLET_PASSWORD_MISSING: EXIT.usage,
  WALLET_PASSWORD_SHORT: EXIT.usage,
  WALLET_MISSING: EXIT.usage,
  MNEMONIC_OTHER: EXIT.usage,
  IDENTITY_CONFLICT: EXIT.usage,
  IDENTITY_PASSWORD_MISSING: EXIT.usage,
  IDENTITY_WRONG_PASSWORD: EXIT.usage,
  IDENTITY_DAMAGED: EXIT.usage,
  DATABASE_LOST: EXIT.usage,
  DATABASE_OTHER_CHAIN: EXIT.usage,
  DATABASE_OTHER_SEED: EXIT.usage,
  DATABASE_FOREIGN: EXIT.usage,
  DATABASE_NEWER: EXIT.usage,
  DATABASE_MOVED: EXIT.usage,
  DATABASE_REFUSED: EXIT.usage,
  DATABASE_WENT_BACK: EXIT.usage,
  RELAY_FOLLOWS_LOG: EXIT.usage,
  RELAY_DIVERGED: EXIT.usage,
  RELAY_LOG_CUT: EXIT.usage,
  RELAY_NOT_JOINED: EXIT.usage,
  RELAY_OTHER_LOG: EXIT.usage,
  RELAY_COPY_UNFIT: EXIT.negative,
  RELAY_HAS_EVENTS: EXIT.usage,
  RELAY_LISTS_MISSING: EXIT.usage,
  RELAY_LOG_NEWER: EXIT.usage,
  DATABASE_SERVER_OLD: EXIT.usage,
  DATABASE_POOLED: EXIT.usage,
  DATABASE_SESSION: EXIT.usage,
  SCHEMA_FOREIGN: EXIT.usage,
  SCHEMA_MOVED: EXIT.notConfigured,
  DATABASE_ADDRESS_WRONG: EXIT.usage,
  SCHEMA_MISSING: EXIT.notConfigured,
  SCHEMA_OLDER: EXIT.notConfigured,
  DATABASE_URL_NOT_SET: EXIT.notConfigured,
  NOT_FOR_SHARED_TILL: EXIT.usage,
  DATABASE_UNREACHABLE: EXIT.unreachable,
  DATABASE_IN_USE: EXIT.negative,
  BACKUP_SEALED: EXIT.usage,
  RELAY_UNREACHABLE: EXIT.unreachable,
  NOT_CONFIGURED: EXIT.notConfigured,
  SETTINGS_NOT_IN_FILE: EXIT.notConfigured,
  DATABASE_MISSING: EXIT.notConfigured,
  CONSOLE_OFF: EXIT.notConfigured,
  RELAY_FOLDER_MISSING: EXIT.notConfigured,
  SECRET_NOT_SET: EXIT.notConfigured,
  RETENTION_NOT_SET: EXIT.notConfigured,
  NAMEAUTH_NOT_CONFIGURED: EXIT.notConfigured,
  NOTHING_TO_RECONFIGURE: EXIT.notConfigured,
  TOKEN_MISSING: EXIT.notConfigured,
  TOKEN_NOT_CONFIGURED: EXIT.notConfigured,
  WEBHOOK_NOT_CONFIGURED: EXIT.notConfigured,
  DAEMON_UNREACHABLE: EXIT.unreachable,
  DAEMON_TIMEOUT: EXIT.timedOut,
  WAIT_TIMED_OUT: EXIT.timedOut,
}

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.usage,
  401: EXIT.notAuthorised,
  403: EXIT.notAuthorised,
  404: EXIT.notFound,
  409: EXIT.negative,
  410: EXIT.negative,
  413: EXIT.usage,
  415: EXIT.usage,
  422: EXIT.usage,
  504: EXIT.timedOut,
}

export const exitCodeOf = (error: GrinpayError): number =>
  BY_CODE[error.code] ?? BY_STATUS[error.status] ?? EXIT.unexpected

// Turns anything thrown into the failure that people and scripts see.

/** The `error` member of a `--json` answer. */
interface Failure {
  readonly code: string
  readonly message: string
  readonly hint: string | null
  readonly docs: string
  readonly exit: number
}

const failure = (code: string, message: string, exit: number, hint?: string): Failure => ({
  code,
  message,
  hint: hint ?? null,
  docs: `docs/errors.md#${code.toLowerCase()}`,
  exit,
})

/** Unexpected failures keep their text; the stack is shown with --verbose only. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof GrinpayError)
    return failure(thrown.code, thrown.message, exitCodeOf(thrown), shellAdviceFor(thrown.code) ?? thrown.hint)
  if (isInterrupt(thrown)) return failure('INTERRUPTED', 'interrupted', EXIT.interrupted)
  if (isParseError(thrown))
    return failure(
      'USAGE',
      `${usageText(thrown.message)}${flagAdvice(thrown)}`,
      EXIT.usage,
      'repeat the command with --help',
    )
  return failure('UNEXPECTED', messageOf(thrown), EXIT.unexpected, 'repeat the command with --verbose')
}

/** What Ctrl-C at a prompt throws. */
const isInterrupt = (thrown: unknown): boolean =>
  thrown instanceof Error && (thrown.name === 'ExitPromptError' || thrown.name === 'AbortPromptError')

/** Only oclif's parser throws oclif's errors here. They carry its whole input; only the text is fit to print. */
const isParseError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error && ('parse' in thrown || 'oclif' in thrown)

/** What was meant by the first flag that there is not. */
function flagAdvice(thrown: Error): string {
  const { flags, parse } = thrown as Error & { flags?: unknown; parse?: { input?: { flags?: object } } }
  const [typed] = Array.isArray(flags) ? flags.filter((flag) => typeof flag === 'string' && flag.startsWith('--')) : []
  if (typed === undefined || !/^Nonexistent flag/m.test(thrown.message)) return ''
  const guess = nearest(typed.slice(2), Object.keys(parse?.input?.flags ?? {}))
  return guess === undefined ? '' : `; did you mean --${guess}?`
}

/** oclif writes paragraphs; we say it in one line. */
const usageText = (text: string): string =>
  stripVTControlCharacters(text)
    .replace('\nSee more help with --help', '')
    .replace(/^The following errors? occurred:\s*/, '')
    .split('\n')
    .map((line) => line.trim().replace(/\s{2,}/g, ': '))
    .filter((line) => line !== '')
    .join('; ')
    .replace(/:;/g, ':')

/** For people: one line, and the hint on a second one. Control characters in a server's error text are removed. */
export const failureLine = ({ message, hint }: Failure): string =>
  [`grinpay: ${message}`, ...(hint === null ? [] : [`hint: ${hint}`])].map(plainText).join('\n')

const ADVICE: Readonly<Record<string, string>> = {
  DAEMON_UNREACHABLE: 'start it with "grinpay serve pay", or name another with --url',
  DAEMON_TIMEOUT: 'grinpay status shows what it waits for',
  NOT_A_TILL: 'check --url: it must be the address of the daemon, mount path included',
  TOKEN_MISSING: 'name a file that holds it with --token-file, or the settings of the daemon with --settings',
  UNAUTHORIZED:
    'the token does not fit: "invoice create", "show" and "wait" take the API token, all others the admin token (--token-file)',
}

/** The remedy at a shell; undefined where the error's own hint suffices. */
const shellAdviceFor = (code: string): string | undefined => ADVICE[code]
