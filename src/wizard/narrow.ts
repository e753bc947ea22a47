// Questions on a narrow terminal: the prompt breaks lines at the last column, so they are broken between words before it sees them.
import { wrapText } from '../lib/wrap-text.js'

/** `? ` or `✔ ` before a question. */
const LEAD = 2
/** ` (` and `) ` around a default. */
const BRACKETS = 4
/** Columns that are left for what is typed where there is no default. */
const TYPED = 8

/** The question in lines that fit, the last of them with room for the default in brackets, and for the answer. */
export function fitQuestion(message: string, initial: string | undefined, columns: number | undefined): string {
  if (columns === undefined) return message
  const tail = initial === undefined ? TYPED : initial.length + BRACKETS
  // The tail goes with the last word, so that a line that has no room for both ends before that word.
  const glue = '\u2060'.repeat(tail < columns - LEAD ? tail : 0)
  return wrapText(`${message}${glue}`, columns - LEAD).replaceAll('\u2060', '')
}
