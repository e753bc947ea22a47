// The two secrets of a paid authority: where they come from, and the files they are kept in.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NO_TOKEN_YET } from '../../config/index.js'
import { Secret } from '../../lib/secret.js'
import type { Places } from '../../system/index.js'
import { answersUnreadable, answersWrong } from '../errors.js'
import { readSecret } from '../inputs.js'
import { isPaid, type NameauthAnswers, type NameauthKey } from './questions.js'

export type SecretKey = Extract<NameauthKey, `${string}_file`>

/** The setting that each of them is. */
export const SECRET_SETTINGS = [
  ['pay_token_file', 'NAMEAUTH_PAY_TOKEN'],
  ['pay_webhook_secret_file', 'NAMEAUTH_PAY_WEBHOOK_SECRET'],
] as const satisfies readonly (readonly [SecretKey, string])[]
const SECRET_KEYS = SECRET_SETTINGS.map(([key]) => key)

/** Readable by their owner only, one line each. */
export const secretFiles = ({ secretsDir }: Pick<Places, 'secretsDir'>): Readonly<Record<SecretKey, string>> => ({
  pay_token_file: join(secretsDir, 'pay_token'),
  pay_webhook_secret_file: join(secretsDir, 'pay_webhook_secret'),
})

/** Typed ones, else those in the files that the answers name. Throws ANSWERS_UNREADABLE, ANSWERS_WRONG. */
export function gatherNameauthSecrets(
  answers: NameauthAnswers,
  typed: ReadonlyMap<NameauthKey, Secret>,
): ReadonlyMap<SecretKey, Secret> {
  if (SECRET_KEYS.every((key) => answers[key] === '-'))
    throw answersWrong([`"${SECRET_KEYS.join('" and "')}" cannot both be stdin`])
  const said = SECRET_KEYS.flatMap((key) => {
    const file = answers[key]
    const secret = typed.get(key) ?? (file === undefined ? undefined : oneLine(file))
    return secret === undefined ? [] : [[key, secret] as const]
  })
  return new Map(said)
}

/** Where the token is to come later, its file holds a line that says so: the authority starts, and sells nothing until then. */
export function withPlaceholder(
  said: ReadonlyMap<SecretKey, Secret>,
  { answers, kept, places }: PlaceholderParts,
): ReadonlyMap<SecretKey, Secret> {
  if (!isPaid(answers) || kept.has('pay_token_file') || said.has('pay_token_file')) return said
  if (existsSync(secretFiles(places).pay_token_file)) return said
  return new Map([...said, ['pay_token_file', new Secret(NO_TOKEN_YET)]])
}

/** Whether the token is still to come. */
export const isPlaceholder = (secret: Secret | undefined): boolean => secret?.reveal() === NO_TOKEN_YET

interface PlaceholderParts {
  readonly answers: NameauthAnswers
  /** Secrets that are there already. */
  readonly kept: ReadonlySet<SecretKey>
  readonly places: Pick<Places, 'secretsDir'>
}

function oneLine(file: string): Secret {
  const text = readSecret(file).reveal().trim()
  if (text === '' || /\p{Cc}/u.test(text)) throw answersUnreadable(file, 'it must hold the secret as one line')
  return new Secret(text)
}
