// Why an operator changed something: it stays in a history or an audit.
import { plainText } from '../lib/plain-text.js'
import { usage } from './errors.js'

const LONGEST_REASON = 200

/** One line of 1 to 200 characters that is what it looks like. Throws USAGE. */
export function reasonOf(text: string | undefined): string {
  const reason = text?.trim() ?? ''
  if (reason === '') throw usage('--reason must say something')
  if (plainText(reason) !== reason) throw usage('--reason must be one line without control characters')
  if (reason.length > LONGEST_REASON) throw usage(`--reason must not be longer than ${LONGEST_REASON} characters`)
  return reason
}
