// Generated files end with the checksum of their text, which tells a file that was changed by hand from one that is older.
import { createHash } from 'node:crypto'

const LINE = /# As written: ([0-9a-f]{64})\n$/

const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The text, a whole number of lines, with its sum as a remark at the end. All our formats begin remarks with #. */
export const stamped = (text: string): string => `${text}# As written: ${sumOf(text)}\n`

/** Whether a text is one of ours that carries its sum. */
export const isStamped = (text: string): boolean => LINE.test(text)

/** Of a file that is there, against the text that is wanted. */
export type Standing = 'new' | 'same' | 'older' | 'changed'

export function standingOf(present: string | undefined, wanted: string): Standing {
  if (present === undefined) return 'new'
  if (present === wanted) return 'same'
  const sum = LINE.exec(present)?.[1]
  return sum !== undefined && sumOf(present.replace(LINE, '')) === sum ? 'older' : 'changed'
}
