// Secrets that come in through files or stdin, never through arguments.
import { readFileSync } from 'node:fs'
import { causedBy, messageOf } from '../lib/errors.js'
import { Secret } from '../lib/secret.js'
import { answersUnreadable } from './errors.js'

/** The text of a file, or of stdin for `-`. Throws ANSWERS_UNREADABLE. */
export function readInput(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw causedBy(answersUnreadable(path === '-' ? 'stdin' : path, messageOf(error)), error)
  }
}

/** The content without its last line break. Throws ANSWERS_UNREADABLE, also for an empty one. */
export function readSecret(path: string): Secret {
  const secret = readPassword(path)
  if (secret.reveal() === '') throw answersUnreadable(path === '-' ? 'stdin' : path, 'it is empty')
  return secret
}

/** The same; of a file that another program sealed, whose password may be empty. */
export const readPassword = (path: string): Secret => new Secret(readInput(path).replace(/[\r\n]+$/, ''))
