// Hands out rows to several processes: each row to one of them, until its lease ends. The lease stands in the row.
import { LONGEST_WAIT_MS, NOTICE_HOLD_MS } from '../../../lib/due-times.js'
import type { MessageStore, WorkClaim } from '../../../till/index.js'
import { byPosition } from '../../paging.js'
import type { Row, SqlValue } from '../../sqlite/sqlite.js'
import type { ClaimVerbs } from '../../till/claims.js'
import { PUSH_COLUMNS, readPush } from '../../till/invoice-slates.js'
import { MESSAGE_HELD_BACK } from '../../till/messages.js'
import { HELD_BACK } from '../../till/outbox-rows.js'
import { findPayment } from '../../till/rows.js'
import { DELIVERY, MESSAGE, PAYMENT } from '../../till/tables.js'
import { all, type Runner, run, type Verb } from '../../verbs.js'

interface Work {
  readonly table: string
  /** What is answered of each row. */
  readonly columns: string
  /** When it is due; an index holds it with `seq`. */
  readonly due: string
  /** What a row must fulfil besides, beginning with `AND`; its marks are bound to `values` of the claim. */
  readonly and?: string
  readonly longestWaitMs: number
}

/** One that has ended, or that only a wrong clock wrote: the time now, and the latest end that is believed. */
const IS_FREE = '(leased_until IS NULL OR leased_until <= ? OR leased_until > ?)'

/**
 * Rows due, at most `limit`, each followed by its due time and `seq`: those too far ahead to be true, then the longest overdue. What another
 * claim holds at this moment is passed over. A claim that is repeated after its answer was lost finds its rows handed out already.
 */
function createClaims({ table, columns, due, and = '', longestWaitMs }: Work) {
  const claim = (when: string): string => `WITH work AS (
      SELECT seq AS number FROM ${table} WHERE ${due} ${when} ? AND ${IS_FREE} ${and} ORDER BY ${due}, seq LIMIT ? FOR UPDATE SKIP LOCKED
    ) UPDATE ${table} SET leased_until = ?, leased_by = ? FROM work WHERE seq = number RETURNING ${columns}, ${due}, seq`
  const [ahead, overdue] = [claim('>'), claim('<=')]

  return function* ({ now, leaseMs, by, limit }: WorkClaim, values: readonly SqlValue[] = []): Verb<readonly Row[]> {
    function* take(sql: string, bound: number, most: number): Verb<readonly Row[]> {
      const rows = yield* all(sql, [bound, now, now + 2 * leaseMs, ...values, most, now + leaseMs, by])
      return rows.toSorted(byPosition)
    }
    const first = yield* take(ahead, now + longestWaitMs, limit)
    return first.length < limit ? [...first, ...(yield* take(overdue, now, limit - first.length))] : first
  }
}

const claimChecks = createClaims({
  table: 'payment',
  columns: PAYMENT.columns,
  due: 'next_check_at',
  longestWaitMs: LONGEST_WAIT_MS.payment,
})
const claimDeliveries = createClaims({
  table: 'event',
  due: 'next_attempt_at',
  columns: DELIVERY.columns,
  and: `AND receiver = ? AND state = 'pending' AND NOT ${HELD_BACK}`,
  longestWaitMs: LONGEST_WAIT_MS.webhook,
})
const claimMessages = createClaims({
  table: 'letter',
  due: 'next_attempt_at',
  columns: MESSAGE.columns,
  and: `AND state = 'pending' AND NOT ${MESSAGE_HELD_BACK}`,
  longestWaitMs: LONGEST_WAIT_MS.message,
})
const claimPushes = createClaims({
  table: 'push',
  columns: PUSH_COLUMNS,
  due: 'next_push_at',
  longestWaitMs: LONGEST_WAIT_MS.push,
})
const RELEASE = `UPDATE payment SET leased_until = NULL, leased_by = NULL
  WHERE id IN (SELECT json_array_elements_text(?::json)) AND leased_by = ?`

export const claimVerbs = ({ repeatable }: Runner): ClaimVerbs => ({
  claimChecks: (claim) => repeatable(() => reading(claimChecks(claim), PAYMENT.read)),
  releaseChecks: (ids, by) => repeatable(() => releaseChecks(ids, by)),
  claimDeliveries: (receiver, claim) => repeatable(() => reading(claimDeliveries(claim, [receiver]), DELIVERY.read)),
  claimMessages: (claim) => repeatable(() => messagesWithPayments(claim)),
  claimPushes: (claim) => repeatable(() => reading(claimPushes(claim), readPush)),
})

function* reading<T>(rows: Verb<readonly Row[]>, read: (row: Row) => T): Verb<readonly T[]> {
  return (yield* rows).map(read)
}

function* releaseChecks(ids: readonly string[], by: string): Verb<void> {
  yield* run(RELEASE, [JSON.stringify(ids), by])
}

function* messagesWithPayments(claim: WorkClaim): Verb<Awaited<ReturnType<MessageStore['claimMessages']>>> {
  const messages = []
  for (const row of yield* claimMessages(claim, [claim.now - NOTICE_HOLD_MS])) {
    const message = MESSAGE.read(row)
    const payment = yield* findPayment(message.paymentId)
    if (payment) messages.push({ ...message, payment })
  }
  return messages
}
