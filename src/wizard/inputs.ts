// Answers that come in through files or stdin; secrets never come through arguments.
import { readFileSync } from 'node:fs'
import { weakPassword } from '../grin/seedfile/index.js'
import { causedBy, messageOf } from '../lib/errors.js'
import { Secret } from '../lib/secret.js'
import { parseAnswers } from './answers.js'
import { answersUnreadable, passwordShort } from './errors.js'
import type { AnswersOf, Questions } from './question.js'

/** The text of a file, or of stdin for `-`. Throws ANSWERS_UNREADABLE. */
export function readInput(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw causedBy(answersUnreadable(path === '-' ? 'stdin' : path, messageOf(error)), error)
  }
}

/** Answers given before anybody is asked: `said` over those in a file, `-` for stdin. Throws ANSWERS_UNREADABLE, ANSWERS_WRONG. */
export const givenAnswers = <Key extends string>(
  questions: Questions<Key>,
  file: string | undefined,
  said: Readonly<Record<string, string>>,
): AnswersOf<Key> => ({ ...(file !== undefined && parseAnswers(questions, readInput(file))), ...said })

/** The content without its last line break. Throws ANSWERS_UNREADABLE, also for an empty one. */
export function readSecret(path: string): Secret {
  const secret = readPassword(path)
  if (secret.reveal() === '') throw answersUnreadable(path === '-' ? 'stdin' : path, 'it is empty')
  return secret
}

/** The password that a new wallet gets. Throws ANSWERS_UNREADABLE, PASSWORD_SHORT. */
export const readNewPassword = (path: string): Secret => strongPassword(readSecret(path), path === '-' ? 'stdin' : path)

/** The password itself; `source`: where it stands. Throws PASSWORD_SHORT. */
export function strongPassword(password: Secret, source: string): Secret {
  const weak = weakPassword(password.reveal())
  if (weak !== undefined) throw passwordShort(source, weak)
  return password
}

/** The same; of a file that another program sealed, whose password may be empty. */
export const readPassword = (path: string): Secret => new Secret(readInput(path).replace(/[\r\n]+$/, ''))
