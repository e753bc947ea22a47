// Turns anything thrown into the failure that people and scripts see.
import { stripVTControlCharacters } from 'node:util'
import { GrinpayError, messageOf } from '../lib/errors.js'
import { nearest } from '../lib/nearest.js'
import { plainText } from '../lib/plain-text.js'
import { EXIT, exitCodeOf } from './exit-codes.js'

/** The `error` member of a `--json` answer. */
export interface Failure {
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
