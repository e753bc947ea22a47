// The webhook outbox: events, one row for each receiver, every try to deliver them, and which one is due.
import { HOLDING_ATTEMPTS, LONGEST_WAIT_MS } from '../../lib/due-times.js'
import { RECEIVERS } from '../../lib/receiver-settings.js'
import type { OwnAttempt, QueuedEvent, ReceiverBacklog, WebhookOutbox } from '../../till/index.js'
import { either, readPage, when } from '../paging.js'
import { integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { createDueSearch } from './due-times.js'
import { createLeases, type Leases } from './leases.js'
import { ATTEMPT, DELIVERY } from './tables.js'

const SELECT = `SELECT ${DELIVERY.columns} FROM event`

/** An event waits for the first attempts at the earlier ones of its line and receiver, whether those are due or backing off. */
const HELD_BACK = `EXISTS (
    SELECT 1 FROM event AS earlier
    WHERE earlier.state = 'pending' AND earlier.receiver = event.receiver AND earlier.line = event.line
      AND earlier.seq < event.seq AND earlier.attempts < ${HOLDING_ATTEMPTS}
  )`
const deliveriesDue = createDueSearch({
  select: `${SELECT} INDEXED BY event_due`,
  column: 'next_attempt_at',
  and: `AND receiver = ? AND state = 'pending' AND NOT ${HELD_BACK}`,
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.webhook,
})

/** Rows that are looked at for the oldest one, and those that are counted of what was given up: the index alone does not tell them apart. */
const LOOKED_AT = 1000
const MOST_ABANDONED = 10_000

/** A column for each receiver: groups would be sorted first. */
const forEachReceiver = (column: (receiver: number) => string): string => RECEIVERS.map(column).join(', ')

const PENDING = `SELECT ${forEachReceiver(
  (receiver) => `(SELECT count(*) FROM event INDEXED BY event_due WHERE receiver = ${receiver} AND state = 'pending')`,
)}`
const OLDEST = `SELECT ${forEachReceiver((receiver) => `min(created_at) FILTER (WHERE receiver = ${receiver})`)}
  FROM (SELECT receiver, created_at FROM event INDEXED BY event_state WHERE state = 'pending'
    ORDER BY created_at LIMIT ${LOOKED_AT})`
/** For one with nothing among the oldest of all receivers. */
const OLDEST_DUE = `SELECT min(created_at) FROM (SELECT created_at FROM event INDEXED BY event_due
  WHERE receiver = ? AND state = 'pending' ORDER BY next_attempt_at LIMIT ${LOOKED_AT})`
const ABANDONED = `SELECT ${forEachReceiver((receiver) => `count(*) FILTER (WHERE receiver = ${receiver})`)}
  FROM (SELECT receiver FROM event INDEXED BY event_state WHERE state = 'abandoned' AND type <> 'test.ping'
    ORDER BY created_at DESC LIMIT ${MOST_ABANDONED})`

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
    async listDeliveries({ state, invoiceId, receiver, failed, since, ...page }) {
      const where = [
        when('state = ?', state),
        when('invoice_id = ?', invoiceId),
        when('receiver = ?', receiver),
        either('failed = 1', 'failed = 0', failed),
        when('created_at >= ?', since),
      ]
      return readPage(db, { table: DELIVERY, from: 'event', where }, page)
    },
    replay: (eventId, receivers, now) =>
      write(() => {
        if (receivers.some((receiver) => leases.isHeld(keyOf({ eventId, receiver }), now))) return 'in-flight'
        return receivers.reduce((queued, receiver) => queued + db.run(REPLAY, [now, eventId, receiver]), 0)
      }),
    abandonPending: (receiver, reason) => write(() => db.run(ABANDON, [reason, receiver])),
    backlog: async () => backlog(db),
  }
}

function backlog(db: Sqlite): readonly ReceiverBacklog[] {
  const [waiting = [], oldest = [], given = []] = [PENDING, OLDEST, ABANDONED].map((sql) => db.get(sql))
  return RECEIVERS.map((receiver, at) => {
    const [pending, abandoned] = [integerCell.read(waiting[at] ?? 0n), integerCell.read(given[at] ?? 0n)]
    const known = oldest[at] ?? null
    const first = known === null && pending > 0 ? (db.get(OLDEST_DUE, [receiver])?.[0] ?? null) : known
    return { receiver, pending, oldestCreatedAt: first === null ? null : integerCell.read(first), abandoned }
  }).filter(({ pending, abandoned }) => pending + abandoned > 0)
}

const INSERT = `INSERT INTO event (${DELIVERY.columns}, line, failed) VALUES (${DELIVERY.marks}, ?, 0)`

/**
 * Queues an event for each of its receivers, due at once, behind the earlier ones of its invoice; `intendedInvoiceId`: of the invoice that
 * its payment was made for, where the event itself names none. Must run with the write lock held.
 */
export function insertEvent(
  db: Sqlite,
  { receivers, ...event }: QueuedEvent,
  intendedInvoiceId: string | null = null,
): void {
  const line = event.invoiceId ?? intendedInvoiceId ?? event.paymentId ?? event.eventId
  const fresh = { state: 'pending', attempts: 0, nextAttemptAt: event.createdAt, lastError: null } as const
  for (const receiver of receivers) db.run(INSERT, [...DELIVERY.values({ ...event, receiver, ...fresh }), line])
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
  const finished = error === null ? 'delivered' : 'abandoned'
  const state = retryAt === undefined ? finished : 'pending'
  const isMine = leases.isMine(keyOf({ eventId, receiver }), attempt.by)
  const decided = isMine ? db.run(RECORD_TRY, [state, retryAt ?? null, error, ...row]) : 0
  if (isMine) leases.end(keyOf({ eventId, receiver }))
  if (decided === 0 && db.run(RECORD_LATE, row) === 0) return
  const earlier = integerCell.read(db.get(COUNT_TRIES, [eventId, receiver])?.[0] ?? null)
  db.run(`INSERT INTO attempt (event_id, receiver, ${ATTEMPT.columns}) VALUES (?, ?, ${ATTEMPT.marks})`, [
    eventId,
    receiver,
    ...ATTEMPT.values({ ...attempt, number: earlier + 1 }),
  ])
}
