// What the errors of the server mean (PostgreSQL, appendix A: error codes).
import { messageOf } from '../../lib/errors.js'

/** SQLSTATE, or empty for what did not come from the server. */
export function sqlStateOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? code : ''
}

const CANCELED = '57014'
/** The transaction was undone because of others: serialization failure, deadlock, or a statement that was cancelled. */
const REPEATABLE = new Set(['40001', '40P01', CANCELED])
const UNIQUE_VIOLATION = '23505'

/** The server is going away, or is no primary any more; nothing is expected of this connection. */
const LOST = /^(?:08|57P0|25006|25P03)/

/** The login was refused: the same everywhere and always, until a setting changes. */
const REFUSED = /^(?:28|3D000|42501)/

/** No table or no schema of this name. */
const ABSENT = /^(?:42P01|3F000)/

/** A statement, not a commit: by an operator, or because it took too long. */
export const isCancelled = (thrown: unknown): boolean => sqlStateOf(thrown) === CANCELED
export const isRepeatable = (thrown: unknown): boolean => REPEATABLE.has(sqlStateOf(thrown))
/** Another process inserted the row first: a repeat finds it by its own checks. */
export const isDuplicate = (thrown: unknown): boolean => sqlStateOf(thrown) === UNIQUE_VIOLATION
export const isRefusal = (thrown: unknown): boolean => REFUSED.test(sqlStateOf(thrown))
export const isAbsence = (thrown: unknown): boolean => ABSENT.test(sqlStateOf(thrown))

/** The socket failed, or the server ended the session; what was under way may or may not have been done. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

export const isConnectionLoss = (thrown: unknown): boolean =>
  thrown instanceof ConnectionLost || LOST.test(sqlStateOf(thrown))

/** For the log and the operator. */
export const reasonOf = (thrown: unknown): string => {
  const state = sqlStateOf(thrown)
  return state === '' ? messageOf(thrown) : `${messageOf(thrown)} (${state})`
}
