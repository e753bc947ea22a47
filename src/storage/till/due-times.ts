// Work that is put off, and times so far ahead that only a clock that ran ahead can have written them.
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import { RECEIVERS } from '../../lib/webhooks.js'
import type { SqlValue } from '../sqlite/sqlite.js'

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
  ['letter', 'next_attempt_at', LONGEST_WAIT_MS.message, "AND state = 'pending'"],
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
