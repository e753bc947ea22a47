// The webhook outbox: events, one row for each receiver, every try to deliver them, and which one is due.
import { LONGEST_WAIT_MS } from '../../../lib/due-times.js'
import type { Lease, OwnAttempt, QueuedEvent, WebhookOutbox } from '../../../till/index.js'
import { integerCell } from '../../sqlite/columns.js'
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
} from '../../till/outbox-rows.js'
import type { Queries } from '../change.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'
import { createClaims, IS_MINE, LEASE_ENDS } from './claims.js'
import { ATTEMPT, DELIVERY } from './tables.js'

const claimDue = createClaims({
  table: 'event',
  due: 'next_attempt_at',
  columns: DELIVERY.columns,
  and: `AND receiver = ? AND state = 'pending' AND NOT ${HELD_BACK}`,
  longestWaitMs: LONGEST_WAIT_MS.webhook,
})

const DELIVERIES = `SELECT ${DELIVERY.columns} FROM event WHERE id = ? ORDER BY receiver`
const ATTEMPTS = `SELECT ${ATTEMPT.columns} FROM attempt WHERE event_id = ? AND receiver = ? ORDER BY seq`
const OF_RECEIVERS = 'id = ? AND receiver = ANY(?::bigint[])'
const IN_FLIGHT = `SELECT 1 FROM event WHERE ${OF_RECEIVERS} AND leased_until > ? LIMIT 1`
const REPLAY = `UPDATE event SET state = 'pending', attempts = 0, next_attempt_at = ? WHERE ${OF_RECEIVERS}`
const ABANDON = `UPDATE event SET state = 'abandoned', next_attempt_at = NULL, last_error = ?, failed = 1
  WHERE receiver = ? AND state = 'pending'`
const BACKLOG = backlogStatements(() => '')

export function outboxVerbs({ read, change, repeatable }: Transactions): WebhookOutbox {
  const page = createPages(read)
  const deliveriesOf = async (db: Queries, eventId: string) => (await db.all(DELIVERIES, [eventId])).map(DELIVERY.read)

  return {
    insertEvent: (event, lease) => change((db) => insertEvent(db, event, null, lease)),
    claimDeliveries: (receiver, claim) =>
      repeatable(async (db) => (await claimDue(db, claim, [receiver])).map(DELIVERY.read)),
    recordAttempt: (eventId, receiver, attempt, retryAt) =>
      change((db) => recordAttempt(db, { eventId, receiver, attempt, retryAt })),
    deliveryById: (eventId, receiver) =>
      read(async (db) => {
        const deliveries = await deliveriesOf(db, eventId)
        const delivery = deliveries.find((one) => receiver === undefined || one.receiver === receiver)
        if (!delivery) return undefined
        const attempts = await db.all(ATTEMPTS, [eventId, delivery.receiver])
        return { delivery, attempts: attempts.map(ATTEMPT.read) }
      }),
    deliveriesOf: (eventId) => read((db) => deliveriesOf(db, eventId)),
    listDeliveries: ({ limit, cursor, ...filter }) => page(deliveriesSource(filter), { limit, cursor }),
    replay: (eventId, receivers, now) =>
      change(async (db) => {
        const chosen = [eventId, `{${receivers.join(',')}}`]
        if (await db.get(IN_FLIGHT, [...chosen, now])) return 'in-flight'
        return db.run(REPLAY, [now, ...chosen])
      }),
    abandonPending: (receiver, reason) =>
      change(async (db) => {
        await db.run(FAILURE.end, [receiver])
        return db.run(ABANDON, [reason, receiver])
      }),
    backlog: () =>
      read(async (db) => {
        const rows = []
        for (const sql of BACKLOG.sums) rows.push((await db.get(sql)) ?? [])
        return Promise.all(
          backlogOf(rows, await db.all(FAILURE.all)).map(async (one) =>
            lacksOldest(one)
              ? { ...one, oldestCreatedAt: timeOf((await db.get(BACKLOG.oldestOf, [one.receiver]))?.[0]) }
              : one,
          ),
        )
      }),
  }
}

const INSERT = `INSERT INTO event (${DELIVERY.columns}, line, failed, leased_until, leased_by)
  VALUES (${DELIVERY.marks}, ?, 0, ?, ?::uuid)`

/**
 * Queues an event for each of its receivers, due at once, behind the earlier ones of its invoice; `intendedInvoiceId`: of the invoice that
 * its payment was made for, where the event itself names none. Must run within a change.
 */
export async function insertEvent(
  db: Queries,
  event: QueuedEvent,
  intendedInvoiceId: string | null = null,
  lease?: Lease,
): Promise<void> {
  const until = lease ? lease.now + lease.leaseMs : null
  for (const receiver of event.receivers) {
    const { delivery, line } = freshDelivery(event, receiver, intendedInvoiceId)
    await db.run(INSERT, [...DELIVERY.values(delivery), line, until, lease?.by ?? null])
  }
}

const OF_DELIVERY = 'WHERE id = ? AND receiver = ?'
const RECORD_TRY = `UPDATE event SET state = ?, next_attempt_at = ?, attempts = attempts + 1, last_error = ?,
    failed = greatest(failed, ?), ${LEASE_ENDS} ${OF_DELIVERY} AND state = 'pending' AND ${IS_MINE}`
/** Of a try that came too late to decide anything. */
const RECORD_LATE = `UPDATE event SET failed = greatest(failed, ?) ${OF_DELIVERY}`
const END_OWN = `UPDATE event SET ${LEASE_ENDS} ${OF_DELIVERY} AND leased_by = ?`
const COUNT_TRIES = `SELECT count(*) FROM attempt WHERE event_id = ? AND receiver = ?`
const INSERT_TRY = `INSERT INTO attempt (event_id, receiver, ${ATTEMPT.columns}) VALUES (?, ?, ${ATTEMPT.marks})`

interface EndedTry {
  readonly eventId: string
  readonly receiver: number
  readonly attempt: OwnAttempt
  readonly retryAt: number | undefined
}

async function recordAttempt(db: Queries, { eventId, receiver, attempt, retryAt }: EndedTry): Promise<void> {
  const { error, by } = attempt
  const delivery = [eventId, receiver] as const
  const failed = error === null ? 0 : 1
  const values = [stateAfter(error, retryAt), retryAt ?? null, error, failed, ...delivery, by]
  if ((await db.run(RECORD_TRY, values)) === 0) {
    if ((await db.run(RECORD_LATE, [failed, ...delivery])) === 0) return
    await db.run(END_OWN, [...delivery, by])
  }
  await db.run(...failureOf(receiver, attempt))
  const [earlier = null] = (await db.get(COUNT_TRIES, delivery)) ?? []
  const number = integerCell.read(earlier) + 1
  await db.run(INSERT_TRY, [...delivery, ...ATTEMPT.values({ ...attempt, number })])
}
