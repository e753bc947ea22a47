// The webhook outbox: events, one row for each receiver, every try to deliver them, and which one is due.
import type { Delivery, Lease, OwnAttempt, QueuedEvent, ReceiverBacklog, WebhookOutbox } from '../../till/index.js'
import { sql } from '../dialect.js'
import { readPage } from '../paging.js'
import { integerCell } from '../sqlite/columns.js'
import { all, exists, get, many, type Runner, run, type Verb } from '../verbs.js'
import type { WorkLeases } from './leases.js'
import {
  BACKLOG_SUMS,
  backlogOf,
  deliveriesSource,
  FAILURE,
  failureOf,
  freshDelivery,
  lacksOldest,
  OLDEST_OF,
  stateAfter,
  timeOf,
} from './outbox-rows.js'
import { ATTEMPT, DELIVERY } from './tables.js'

const DELIVERIES = `SELECT ${DELIVERY.columns} FROM event WHERE id = ? ORDER BY receiver`
const ATTEMPTS = `SELECT ${ATTEMPT.columns} FROM attempt WHERE event_id = ? AND receiver = ? ORDER BY seq`
const IN_FLIGHT = sql(({ either, isAmong }) =>
  either('', `SELECT 1 FROM event WHERE id = ? AND ${isAmong('receiver', 'bigint')} AND leased_until > ? LIMIT 1`),
)
const REPLAY = sql(
  ({ isAmong }) =>
    `UPDATE event SET state = 'pending', attempts = 0, next_attempt_at = ? WHERE id = ? AND ${isAmong('receiver', 'bigint')}`,
)
const ABANDON = `UPDATE event SET state = 'abandoned', next_attempt_at = NULL, last_error = ?, failed = 1
  WHERE receiver = ? AND state = 'pending'`

export function outboxVerbs({ read, change }: Runner, leases: WorkLeases): Omit<WebhookOutbox, 'claimDeliveries'> {
  return {
    insertEvent: (event, lease) =>
      change(function* (): Verb<void> {
        yield* insertEvent(event, null, lease)
        if (lease) for (const receiver of event.receivers) leases.take(deliveryKey({ ...event, receiver }), lease)
      }),
    recordAttempt: (eventId, receiver, attempt, retryAt) =>
      change(() => recordAttempt(leases, { eventId, receiver, attempt, retryAt })),
    deliveryById: (eventId, receiver) => read(() => deliveryById(eventId, receiver)),
    deliveriesOf: (eventId) => read(() => deliveriesOf(eventId)),
    listDeliveries: ({ limit, cursor, ...filter }) => read(() => readPage(deliveriesSource(filter), { limit, cursor })),
    replay: (eventId, receivers, now) =>
      change(function* (): Verb<number | 'in-flight'> {
        if (receivers.some((receiver) => leases.isHeld(deliveryKey({ eventId, receiver }), now))) return 'in-flight'
        return yield* replay(eventId, receivers, now)
      }),
    abandonPending: (receiver, reason) => change(() => abandonPending(receiver, reason)),
    backlog: () => read(backlog),
  }
}

/** Names a delivery among the leases. */
export const deliveryKey = ({ eventId, receiver }: Pick<Delivery, 'eventId' | 'receiver'>): string =>
  `${receiver} ${eventId}`

const deliveriesOf = (eventId: string): Verb<readonly Delivery[]> => many(DELIVERIES, [eventId], DELIVERY.read)

function* deliveryById(
  eventId: string,
  receiver: number | undefined,
): Verb<Awaited<ReturnType<WebhookOutbox['deliveryById']>>> {
  const deliveries = yield* deliveriesOf(eventId)
  const delivery = deliveries.find((one) => receiver === undefined || one.receiver === receiver)
  if (!delivery) return undefined
  return { delivery, attempts: yield* many(ATTEMPTS, [eventId, delivery.receiver], ATTEMPT.read) }
}

function* replay(eventId: string, receivers: readonly number[], now: number): Verb<number | 'in-flight'> {
  const chosen = [eventId, JSON.stringify(receivers)]
  if (yield* exists(IN_FLIGHT, [...chosen, now])) return 'in-flight'
  return yield* run(REPLAY, [now, ...chosen])
}

function* abandonPending(receiver: number, reason: string): Verb<number> {
  yield* run(FAILURE.end, [receiver])
  return yield* run(ABANDON, [reason, receiver])
}

function* backlog(): Verb<readonly ReceiverBacklog[]> {
  const sums = []
  for (const sum of BACKLOG_SUMS) sums.push((yield* get(sum)) ?? [])
  const known = backlogOf(sums, yield* all(FAILURE.all))
  const complete = []
  for (const one of known)
    complete.push(
      lacksOldest(one) ? { ...one, oldestCreatedAt: timeOf((yield* get(OLDEST_OF, [one.receiver]))?.[0]) } : one,
    )
  return complete
}

const INSERT = sql(
  ({ leases }) => `INSERT INTO event (${DELIVERY.columns}, line, failed${leases.columns})
  VALUES (${DELIVERY.marks}, ?, 0${leases.marks})`,
)

/**
 * Queues an event for each of its receivers, due at once, behind the earlier ones of its invoice; `intendedInvoiceId`: of the invoice that
 * its payment was made for, where the event itself names none. Must run within a change.
 */
export function* insertEvent(event: QueuedEvent, intendedInvoiceId: string | null = null, lease?: Lease): Verb<void> {
  const until = lease ? lease.now + lease.leaseMs : null
  for (const receiver of event.receivers) {
    const { delivery, line } = freshDelivery(event, receiver, intendedInvoiceId)
    yield* run(INSERT, ({ leases }) => [...DELIVERY.values(delivery), line, ...leases.until(until, lease?.by ?? null)])
  }
}

const RECORD_TRY = sql(
  ({ greatest, leases }) => `UPDATE event SET state = ?, next_attempt_at = ?, attempts = attempts + 1, last_error = ?,
    failed = ${greatest('failed', '?')}${leases.end} WHERE id = ? AND receiver = ? AND state = 'pending'${leases.isMine}`,
)
/** Of a try that came too late to decide anything. */
const RECORD_LATE = sql(
  ({ greatest }) => `UPDATE event SET failed = ${greatest('failed', '?')} WHERE id = ? AND receiver = ?`,
)
const END_OWN = sql(({ either }) =>
  either('', 'UPDATE event SET leased_until = NULL, leased_by = NULL WHERE id = ? AND receiver = ? AND leased_by = ?'),
)
const COUNT_TRIES = 'SELECT count(*) FROM attempt WHERE event_id = ? AND receiver = ?'
const INSERT_TRY = `INSERT INTO attempt (event_id, receiver, ${ATTEMPT.columns}) VALUES (?, ?, ${ATTEMPT.marks})`

interface EndedTry {
  readonly eventId: string
  readonly receiver: number
  readonly attempt: OwnAttempt
  readonly retryAt: number | undefined
}

function* recordAttempt(leases: WorkLeases, { eventId, receiver, attempt, retryAt }: EndedTry): Verb<void> {
  const delivery = [eventId, receiver] as const
  const failed = attempt.error === null ? 0 : 1
  if (!(yield* decideAttempt(leases, { eventId, receiver, attempt, retryAt }))) {
    if ((yield* run(RECORD_LATE, [failed, ...delivery])) === 0) return
    yield* run(END_OWN, [...delivery, attempt.by])
  }
  yield* run(...failureOf(receiver, attempt))
  const [earlier = null] = (yield* get(COUNT_TRIES, delivery)) ?? []
  const number = integerCell.read(earlier) + 1
  yield* run(INSERT_TRY, [...delivery, ...ATTEMPT.values({ ...attempt, number })])
}

/** Whether the delivery waited for this try. */
function* decideAttempt(leases: WorkLeases, { eventId, receiver, attempt, retryAt }: EndedTry): Verb<boolean> {
  const { error, by } = attempt
  const key = deliveryKey({ eventId, receiver })
  if (!leases.isMine(key, by)) return false
  const values = [stateAfter(error, retryAt), retryAt ?? null, error, error === null ? 0 : 1, eventId, receiver]
  const decided = yield* run(RECORD_TRY, (dialect) => [...values, ...dialect.leases.by(by)])
  leases.end(key)
  return decided > 0
}
