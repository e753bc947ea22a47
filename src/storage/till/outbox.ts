// The webhook outbox: events, one row for each receiver, every try to deliver them, and which one is due.
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import type { OwnAttempt, QueuedEvent, ReceiverBacklog, WebhookOutbox } from '../../till/index.js'
import { readPage } from '../paging.js'
import { integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { createDueSearch } from './due-times.js'
import { createLeases, type Leases } from './leases.js'
import {
  backlogOf,
  backlogStatements,
  deliveriesSource,
  FAILURE,
  failureOf,
  freshDelivery,
  HELD_BACK,
  lacksOldest,
  stateAfter,
  timeOf,
} from './outbox-rows.js'
import { ATTEMPT, DELIVERY } from './tables.js'

const SELECT = `SELECT ${DELIVERY.columns} FROM event`

const deliveriesDue = createDueSearch({
  select: `${SELECT} INDEXED BY event_due`,
  column: 'next_attempt_at',
  and: `AND receiver = ? AND state = 'pending' AND NOT ${HELD_BACK}`,
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.webhook,
})

const BACKLOG = backlogStatements((index) => `INDEXED BY ${index}`)

const REPLAY = "UPDATE event SET state = 'pending', attempts = 0, next_attempt_at = ? WHERE id = ? AND receiver = ?"
const ABANDON = `UPDATE event SET state = 'abandoned', next_attempt_at = NULL, last_error = ?, failed = 1
  WHERE receiver = ? AND state = 'pending'`

const keyOf = ({ eventId, receiver }: { readonly eventId: string; readonly receiver: number }): string =>
  `${receiver} ${eventId}`

/** The verbs on one connection; `write` runs those that change anything. */
export function outboxVerbs(db: Sqlite, write: Write): WebhookOutbox {
  const leases = createLeases()
  const deliveriesOf = (eventId: string) =>
    db.all(`${SELECT} WHERE id = ? ORDER BY receiver`, [eventId]).map(DELIVERY.read)
  const tries = (eventId: string, receiver: number) =>
    db
      .all(`SELECT ${ATTEMPT.columns} FROM attempt WHERE event_id = ? AND receiver = ? ORDER BY seq`, [
        eventId,
        receiver,
      ])
      .map(ATTEMPT.read)

  return {
    insertEvent: (event, lease) =>
      write(() => {
        insertEvent(db, event)
        if (lease) for (const receiver of event.receivers) leases.take(keyOf({ ...event, receiver }), lease)
      }),
    claimDeliveries: async (receiver, claim) =>
      leases.claim(claim, (limit) => deliveriesDue(db, claim.now, limit, [receiver]).map(DELIVERY.read), keyOf),
    recordAttempt: (eventId, receiver, attempt, retryAt) =>
      write(() => recordAttempt(db, leases, { eventId, receiver, attempt, retryAt })),
    async deliveryById(eventId, receiver) {
      const delivery = deliveriesOf(eventId).find((one) => receiver === undefined || one.receiver === receiver)
      return delivery && { delivery, attempts: tries(eventId, delivery.receiver) }
    },
    deliveriesOf: async (eventId) => deliveriesOf(eventId),
    listDeliveries: async ({ limit, cursor, ...filter }) => readPage(db, deliveriesSource(filter), { limit, cursor }),
    replay: (eventId, receivers, now) =>
      write(() => {
        if (receivers.some((receiver) => leases.isHeld(keyOf({ eventId, receiver }), now))) return 'in-flight'
        return receivers.reduce((queued, receiver) => queued + db.run(REPLAY, [now, eventId, receiver]), 0)
      }),
    abandonPending: (receiver, reason) =>
      write(() => {
        db.run(FAILURE.end, [receiver])
        return db.run(ABANDON, [reason, receiver])
      }),
    backlog: async () => backlog(db),
  }
}

const backlog = (db: Sqlite): readonly ReceiverBacklog[] =>
  backlogOf(
    BACKLOG.sums.map((sql) => db.get(sql) ?? []),
    db.all(FAILURE.all),
  ).map((one) =>
    lacksOldest(one) ? { ...one, oldestCreatedAt: timeOf(db.get(BACKLOG.oldestOf, [one.receiver])?.[0]) } : one,
  )

const INSERT = `INSERT INTO event (${DELIVERY.columns}, line, failed) VALUES (${DELIVERY.marks}, ?, 0)`

/**
 * Queues an event for each of its receivers, due at once, behind the earlier ones of its invoice; `intendedInvoiceId`: of the invoice that
 * its payment was made for, where the event itself names none. Must run with the write lock held.
 */
export function insertEvent(db: Sqlite, event: QueuedEvent, intendedInvoiceId: string | null = null): void {
  for (const receiver of event.receivers) {
    const { delivery, line } = freshDelivery(event, receiver, intendedInvoiceId)
    db.run(INSERT, [...DELIVERY.values(delivery), line])
  }
}

const RECORD_TRY = `UPDATE event SET state = ?, next_attempt_at = ?, attempts = attempts + 1, last_error = ?, failed = max(failed, ?)
  WHERE id = ? AND receiver = ? AND state = 'pending'`
/** Of a try that came too late to decide anything. */
const RECORD_LATE = 'UPDATE event SET failed = max(failed, ?) WHERE id = ? AND receiver = ?'
const COUNT_TRIES = 'SELECT count(*) FROM attempt WHERE event_id = ? AND receiver = ?'

interface EndedTry {
  readonly eventId: string
  readonly receiver: number
  readonly attempt: OwnAttempt
  readonly retryAt: number | undefined
}

function recordAttempt(db: Sqlite, leases: Leases, { eventId, receiver, attempt, retryAt }: EndedTry): void {
  const { error } = attempt
  const row = [error === null ? 0 : 1, eventId, receiver]
  const isMine = leases.isMine(keyOf({ eventId, receiver }), attempt.by)
  const decided = isMine ? db.run(RECORD_TRY, [stateAfter(error, retryAt), retryAt ?? null, error, ...row]) : 0
  if (isMine) leases.end(keyOf({ eventId, receiver }))
  if (decided === 0 && db.run(RECORD_LATE, row) === 0) return
  db.run(...failureOf(receiver, attempt))
  const earlier = integerCell.read(db.get(COUNT_TRIES, [eventId, receiver])?.[0] ?? null)
  db.run(`INSERT INTO attempt (event_id, receiver, ${ATTEMPT.columns}) VALUES (?, ?, ${ATTEMPT.marks})`, [
    eventId,
    receiver,
    ...ATTEMPT.values({ ...attempt, number: earlier + 1 }),
  ])
}
