// Hands out what is due in a file, unless it is handed out already; in PostgreSQL: postgres/till/claims.ts.
import { LONGEST_WAIT_MS, NOTICE_HOLD_MS } from '../../lib/due-times.js'
import type { TillStore } from '../../till/index.js'
import { runVerb } from '../sqlite/run-verb.js'
import type { Row, Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { PUSH_COLUMNS, readPush } from './invoice-slates.js'
import type { Leases, TillLeases } from './leases.js'
import { MESSAGE_HELD_BACK, messageKey } from './messages.js'
import { deliveryKey } from './outbox.js'
import { HELD_BACK } from './outbox-rows.js'
import { findPayment } from './rows.js'
import { DELIVERY, MESSAGE, PAYMENT } from './tables.js'

export type ClaimVerbs = Pick<
  TillStore,
  'claimChecks' | 'releaseChecks' | 'claimDeliveries' | 'claimMessages' | 'claimPushes'
>

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
function createDueSearch({ select, column, and = '', order = '', longestWaitMs }: DueSearch) {
  const rest = `${and} ORDER BY ${column}${order === '' ? '' : `, ${order}`} LIMIT ?`
  const [ahead, due] = [`${select} WHERE ${column} > ? ${rest}`, `${select} WHERE ${column} <= ? ${rest}`]
  return (db: Sqlite, now: number, limit: number, values: readonly SqlValue[] = []): readonly Row[] => {
    const first = db.all(ahead, [now + longestWaitMs, ...values, limit])
    return first.length < limit ? [...first, ...db.all(due, [now, ...values, limit - first.length])] : first
  }
}

const checksDue = createDueSearch({
  select: `SELECT ${PAYMENT.columns} FROM payment`,
  column: 'next_check_at',
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.payment,
})
const deliveriesDue = createDueSearch({
  select: `SELECT ${DELIVERY.columns} FROM event INDEXED BY event_due`,
  column: 'next_attempt_at',
  and: `AND receiver = ? AND state = 'pending' AND NOT ${HELD_BACK}`,
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.webhook,
})
const messagesDue = createDueSearch({
  select: `SELECT ${MESSAGE.columns} FROM letter INDEXED BY letter_due`,
  column: 'next_attempt_at',
  and: `AND state = 'pending' AND NOT ${MESSAGE_HELD_BACK}`,
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.message,
})
const pushesDue = createDueSearch({
  select: `SELECT ${PUSH_COLUMNS} FROM push`,
  column: 'next_push_at',
  longestWaitMs: LONGEST_WAIT_MS.push,
})

/** The claims on one connection. */
export const claimVerbs = (db: Sqlite, { checks, deliveries, messages, pushes }: TillLeases<Leases>): ClaimVerbs => ({
  claimChecks: async (claim) =>
    checks.claim(
      claim,
      (limit) => checksDue(db, claim.now, limit).map(PAYMENT.read),
      ({ id }) => id,
    ),
  async releaseChecks(ids, by) {
    for (const id of ids) if (checks.isMine(id, by)) checks.end(id)
  },
  claimDeliveries: async (receiver, claim) =>
    deliveries.claim(claim, (limit) => deliveriesDue(db, claim.now, limit, [receiver]).map(DELIVERY.read), deliveryKey),
  async claimMessages(claim) {
    const { now } = claim
    const due = (limit: number) => messagesDue(db, now, limit, [now - NOTICE_HOLD_MS]).map(MESSAGE.read)
    return messages.claim(claim, due, messageKey).flatMap((message) => {
      const payment = runVerb(db, findPayment(message.paymentId))
      return payment ? [{ ...message, payment }] : []
    })
  },
  claimPushes: async (claim) =>
    pushes.claim(
      claim,
      (limit) => pushesDue(db, claim.now, limit).map(readPush),
      ({ paymentId }) => paymentId,
    ),
})
