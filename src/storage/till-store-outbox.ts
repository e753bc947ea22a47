// The webhook outbox: events, every try to deliver them, and which one is due.
import { HOLDING_ATTEMPTS, LONGEST_WAIT_MS } from '../lib/due-times.js'
import type { Attempt, Outbox, WebhookEvent } from '../till/index.js'
import { integer } from './columns.js'
import { createDueSearch } from './due-times.js'
import type { Write } from './group-commit.js'
import { either, readPage, when } from './paging.js'
import type { Sqlite } from './sqlite.js'
import { ATTEMPT, DELIVERY } from './till-tables.js'

const SELECT = `SELECT ${DELIVERY.columns} FROM event`

/** An event waits for the first attempts at the earlier ones of its line, whether those are due or backing off. */
const HELD_BACK = `EXISTS (
    SELECT 1 FROM event AS earlier
    WHERE earlier.state = 'pending' AND earlier.line = event.line AND earlier.seq < event.seq
      AND earlier.attempts < ${HOLDING_ATTEMPTS}
  )`
const deliveriesDue = createDueSearch({
  select: `${SELECT} INDEXED BY event_due`,
  column: 'next_attempt_at',
  and: `AND state = 'pending' AND NOT ${HELD_BACK}`,
  order: 'seq',
  longestWaitMs: LONGEST_WAIT_MS.webhook,
})

/** The verbs on one connection; `write` runs those that change anything. */
export function outboxVerbs(db: Sqlite, write: Write): Outbox {
  const find = (eventId: string) => {
    const row = db.get(`${SELECT} WHERE id = ?`, [eventId])
    return row && DELIVERY.read(row)
  }
  const tries = (eventId: string) =>
    db.all(`SELECT ${ATTEMPT.columns} FROM attempt WHERE event_id = ? ORDER BY seq`, [eventId]).map(ATTEMPT.read)

  return {
    insertEvent: (event) => write(() => insertEvent(db, event)),
    dueDeliveries: async (now, limit) => deliveriesDue(db, now, limit).map(DELIVERY.read),
    recordAttempt: (eventId, attempt, retryAt) => write(() => recordAttempt(db, eventId, attempt, retryAt)),
    async deliveryById(eventId) {
      const delivery = find(eventId)
      return delivery && { delivery, attempts: tries(eventId) }
    },
    async listDeliveries({ state, invoiceId, failed, since, ...page }) {
      const where = [
        when('state = ?', state),
        when('invoice_id = ?', invoiceId),
        either('failed = 1', 'failed = 0', failed),
        when('created_at >= ?', since),
      ]
      return readPage(db, { table: DELIVERY, from: 'event', where }, page)
    },
    replay: (eventId, now) =>
      write(() =>
        db.run("UPDATE event SET state = 'pending', attempts = 0, next_attempt_at = ? WHERE id = ?", [now, eventId]) > 0
          ? 'queued'
          : 'unknown',
      ),
    async backlog() {
      const [pending = 0n, oldest = null, abandoned = 0n] =
        db.get(`SELECT
          (SELECT count(*) FROM event WHERE state = 'pending'),
          (SELECT min(created_at) FROM event WHERE state = 'pending'),
          (SELECT count(*) FROM event WHERE state = 'abandoned' AND type <> 'test.ping')`) ?? []
      return {
        pending: integer.read(pending),
        oldestCreatedAt: oldest === null ? null : integer.read(oldest),
        abandoned: integer.read(abandoned),
      }
    },
  }
}

/** Queues an event, due at once. Must run with the write lock held. */
export function insertEvent(db: Sqlite, event: WebhookEvent): void {
  const delivery = {
    ...event,
    state: 'pending',
    attempts: 0,
    nextAttemptAt: event.createdAt,
    lastError: null,
  } as const
  db.run(`INSERT INTO event (${DELIVERY.columns}, line, failed) VALUES (${DELIVERY.marks}, ?, 0)`, [
    ...DELIVERY.values(delivery),
    event.invoiceId ?? event.paymentId ?? event.eventId,
  ])
}

const RECORD_TRY = `UPDATE event
  SET state = ?, next_attempt_at = ?, attempts = attempts + 1, last_error = ?, failed = max(failed, ?) WHERE id = ?`
const COUNT_TRIES = 'SELECT count(*) FROM attempt WHERE event_id = ?'

function recordAttempt(db: Sqlite, eventId: string, attempt: Omit<Attempt, 'number'>, retryAt?: number): void {
  const { error } = attempt
  const finished = error === null ? 'delivered' : 'abandoned'
  const state = retryAt === undefined ? finished : 'pending'
  if (db.run(RECORD_TRY, [state, retryAt ?? null, error, error === null ? 0 : 1, eventId]) === 0) return
  const earlier = integer.read(db.get(COUNT_TRIES, [eventId])?.[0] ?? null)
  db.run(`INSERT INTO attempt (event_id, ${ATTEMPT.columns}) VALUES (?, ${ATTEMPT.marks})`, [
    eventId,
    ...ATTEMPT.values({ ...attempt, number: earlier + 1 }),
  ])
}
