// The secrets of a paid authority: where they come from, and the files they are kept in.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NO_TOKEN_YET } from '../../config/index.js'
import { Secret } from '../../lib/secret.js'
import type { Places } from '../../system/index.js'
import { answersUnreadable, answersWrong } from '../errors.js'
import { readSecret } from '../inputs.js'
import { rowsOf, type SecretAnswer, type Texts } from '../question.js'
import { isPaid, NAMEAUTH_QUESTIONS, type NameauthAnswers, type NameauthKey } from './questions.js'

/** The questions whose answers are secrets. */
export const SECRETS: readonly (readonly [NameauthKey, SecretAnswer])[] = rowsOf(NAMEAUTH_QUESTIONS).flatMap(
  ([key, { secret }]) => (secret ? [[key, secret] as const] : []),
)

export type SaidSecrets = ReadonlyMap<NameauthKey, Secret>
type SecretPlaces = Pick<Places, 'secretsDir'>

/** Readable by its owner only, one line. */
export const secretFile = ({ secretsDir }: SecretPlaces, { file }: SecretAnswer): string => join(secretsDir, file)

/** Typed ones, else those in the files that the answers name. Throws ANSWERS_UNREADABLE, ANSWERS_WRONG. */
export function gatherNameauthSecrets(answers: NameauthAnswers, typed: SaidSecrets): SaidSecrets {
  const keys = SECRETS.map(([key]) => key)
  if (keys.every((key) => answers[key] === '-')) throw answersWrong([`"${keys.join('" and "')}" cannot both be stdin`])
  const said = keys.flatMap((key) => {
    const file = answers[key]
    const secret = typed.get(key) ?? (file === undefined ? undefined : oneLine(file))
    return secret === undefined ? [] : [[key, secret] as const]
  })
  return new Map(said)
}

/** Where the token is to come later, its file holds a line that says so: the authority starts, and sells nothing until then. */
export function withPlaceholder(
  said: SaidSecrets,
  { answers, kept, places }: { answers: NameauthAnswers; kept: ReadonlySet<NameauthKey>; places: SecretPlaces },
): SaidSecrets {
  if (!isPaid(answers) || kept.has('pay_token_file') || said.has('pay_token_file')) return said
  if (existsSync(secretFile(places, NAMEAUTH_QUESTIONS.pay_token_file.secret))) return said
  return new Map([...said, ['pay_token_file', new Secret(NO_TOKEN_YET)]])
}

/** Whether the token is still to come. */
export const isPlaceholder = (secret: Secret | undefined): boolean => secret?.reveal() === NO_TOKEN_YET

interface SecretParts {
  readonly places: SecretPlaces
  readonly answers: NameauthAnswers
  /** Secrets that are there already. */
  readonly kept: ReadonlySet<string>
  /** Secrets that are newly said. */
  readonly secrets: ReadonlyMap<string, Secret>
}

/** Only paths of files: the secrets themselves are never written among the settings. The token's file is named even before it exists. */
export const secretWrites =
  ({ places, answers, kept, secrets }: SecretParts) =>
  ([key, secret]: readonly [string, SecretAnswer], present: Texts) => {
    const [name, inFile] = [secret.setting, `${secret.setting}_FILE`]
    const isThere = kept.has(key) || present.has(inFile)
    if (!isPaid(answers)) return { [name]: undefined, [inFile]: undefined }
    const isNamed = secrets.has(key) || (key === 'pay_token_file' && !isThere)
    return isNamed ? { [name]: undefined, [inFile]: secretFile(places, secret) } : {}
  }

function oneLine(file: string): Secret {
  const text = readSecret(file).reveal().trim()
  if (text === '' || /\p{Cc}/u.test(text)) throw answersUnreadable(file, 'it must hold the secret as one line')
  return new Secret(text)
}
