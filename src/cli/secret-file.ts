// Secrets on the command line come in through files: arguments are public.
import { readFileSync, statSync } from 'node:fs'
import { causedBy, messageOf } from '../lib/errors.js'
import { Secret } from '../lib/secret.js'
import { tokenFileUnreadable } from './errors.js'

/** The content of a file, or of stdin for `-`, without its last line break. Throws TOKEN_FILE_UNREADABLE, also for an empty one. */
export function readSecretFile(path: string): Secret {
  const text = textOf(path).replace(/[\r\n]+$/, '')
  if (text.trim() === '') throw tokenFileUnreadable(path, 'it is empty')
  return new Secret(text)
}

function textOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw causedBy(tokenFileUnreadable(path, messageOf(error)), error)
  }
}

/** Who besides the owner can read the file; undefined: only the owner, or stdin. */
export function readableByOthers(path: string): string | undefined {
  const mode = path === '-' ? 0 : (statSync(path, { throwIfNoEntry: false })?.mode ?? 0)
  if ((mode & 0o004) !== 0) return 'everybody on this machine'
  return (mode & 0o040) === 0 ? undefined : 'the group of its owner'
}
