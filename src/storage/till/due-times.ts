// What is due: times up to now, and those so far ahead that only a clock that ran ahead can have written them.
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import { RECEIVERS } from '../../lib/receiver-settings.js'
import type { Row, Sqlite, SqlValue } from '../sqlite/sqlite.js'

interface DueSearch {
  /** `SELECT … FROM …`, with a column that an index serves. */
  readonly select: string
  readonly column: string
  /** What a row must fulfil besides, beginning with `AND`; its marks are bound to `values` of the search. */
  readonly and?: string
  /** Breaks ties. */
  readonly order?: string
  readonly longestWaitMs: number
}

/** Rows due at `now`, at most `limit`: those too far ahead to be true, then the longest overdue. Two searches, each along the index. */
export function createDueSearch({ select, column, and = '', order = '', longestWaitMs }: DueSearch) {
  const rest = `${and} ORDER BY ${column}${order === '' ? '' : `, ${order}`} LIMIT ?`
  const [ahead, due] = [`${select} WHERE ${column} > ? ${rest}`, `${select} WHERE ${column} <= ? ${rest}`]
  return (db: Sqlite, now: number, limit: number, values: readonly SqlValue[] = []): readonly Row[] => {
    const first = db.all(ahead, [now + longestWaitMs, ...values, limit])
    return first.length < limit ? [...first, ...db.all(due, [now, ...values, limit - first.length])] : first
  }
}

/** Table, column and the longest wait of everything that is put off, and what the index of its due times says besides. */
const PUT_OFF: readonly (readonly [table: string, column: string, longestWaitMs: number, and: string])[] = [
  ['payment', 'next_check_at', LONGEST_WAIT_MS.payment, ''],
  ...RECEIVERS.map(
    (receiver) =>
      [
        'event',
        'next_attempt_at',
        LONGEST_WAIT_MS.webhook,
        `AND receiver = ${receiver} AND state = 'pending'`,
      ] as const,
  ),
  ['letter', 'next_attempt_at', LONGEST_WAIT_MS.letter, "AND state = 'pending'"],
  ['push', 'next_push_at', LONGEST_WAIT_MS.push, ''],
]

/**
 * At the start of a till: makes work due now whose stored time lies further ahead than its schedule allows. Bound to the time now, and to
 * the latest time that is believed.
 */
export const pullBacks = (now: number): readonly { readonly sql: string; readonly values: readonly SqlValue[] }[] =>
  PUT_OFF.map(([table, column, longestWaitMs, and]) => ({
    sql: `UPDATE ${table} SET ${column} = ? WHERE ${column} > ? ${and}`,
    values: [now, now + longestWaitMs],
  }))
