// What the webhook outbox stores and counts.
import { HOLDING_ATTEMPTS } from '../../lib/due-times.js'
import { RECEIVERS } from '../../lib/webhooks.js'
import type {
  Attempt,
  Delivery,
  DeliveryFilter,
  DeliveryState,
  QueuedEvent,
  ReceiverBacklog,
} from '../../till/index.js'
import { type Sql, sql } from '../dialect.js'
import { either, type Source, when } from '../paging.js'
import { integerCell } from '../sqlite/columns.js'
import type { Row, SqlValue } from '../sqlite/sqlite.js'
import { DELIVERY } from './tables.js'

/** An event waits for the first attempts at the earlier ones of its line and receiver, whether those are due or backing off. */
export const HELD_BACK = `EXISTS (
    SELECT 1 FROM event AS earlier
    WHERE earlier.state = 'pending' AND earlier.receiver = event.receiver AND earlier.line = event.line
      AND earlier.seq < event.seq AND earlier.attempts < ${HOLDING_ATTEMPTS}
  )`

/** A delivery that was never tried, and what it is delivered in order with. */
export function freshDelivery(
  { receivers: _, ...event }: QueuedEvent,
  receiver: number,
  intendedInvoiceId: string | null,
): { readonly delivery: Delivery; readonly line: string } {
  return {
    delivery: { ...event, receiver, state: 'pending', attempts: 0, nextAttemptAt: event.createdAt, lastError: null },
    line: event.invoiceId ?? intendedInvoiceId ?? event.paymentId ?? event.eventId,
  }
}

/** What a try makes of its delivery. */
export function stateAfter(error: string | null, retryAt: number | undefined): DeliveryState {
  if (retryAt !== undefined) return 'pending'
  return error === null ? 'delivered' : 'abandoned'
}

type Filter = Omit<DeliveryFilter, 'limit' | 'cursor'>

export const deliveriesSource = ({ state, invoiceId, receiver, failed, since }: Filter): Source<Delivery> => ({
  table: DELIVERY,
  from: 'event',
  where: [
    when('state = ?', state),
    when('invoice_id = ?', invoiceId),
    when('receiver = ?', receiver),
    either('failed = 1', 'failed = 0', failed),
    when('created_at >= ?', since),
  ],
})

/** Rows that are looked at for the oldest one, and those that are counted of what was given up: the index alone does not tell them apart. */
const LOOKED_AT = 1000
const MOST_ABANDONED = 10_000

/** A column for each receiver: groups would be sorted first. */
const forEachReceiver = (column: (receiver: number) => string): string => RECEIVERS.map(column).join(', ')

/** One for every receiver whose last try failed; `started_at` of the first failed one stays. */
export const FAILURE = {
  begin: 'INSERT INTO receiver_failure (receiver, since) VALUES (?, ?) ON CONFLICT DO NOTHING',
  end: 'DELETE FROM receiver_failure WHERE receiver = ?',
  all: 'SELECT receiver, since FROM receiver_failure ORDER BY receiver',
} as const

/** What a try says of its receiver: the statement and its values. */
export const failureOf = (
  receiver: number,
  { error, startedAt }: Pick<Attempt, 'error' | 'startedAt'>,
): readonly [sql: string, values: readonly number[]] =>
  error === null ? [FAILURE.end, [receiver]] : [FAILURE.begin, [receiver, startedAt]]

/** Pending, the oldest of those, abandoned: a row each, with a column for each receiver. */
export const BACKLOG_SUMS: readonly Sql[] = [
  sql(({ by }) => {
    const waiting = (receiver: number) =>
      `(SELECT count(*) FROM event ${by('event_due')} WHERE receiver = ${receiver} AND state = 'pending')`
    return `SELECT ${forEachReceiver(waiting)}`
  }),
  sql(
    ({ by }) => `SELECT ${forEachReceiver((receiver) => `min(created_at) FILTER (WHERE receiver = ${receiver})`)}
      FROM (SELECT receiver, created_at FROM event ${by('event_state')} WHERE state = 'pending'
        ORDER BY created_at LIMIT ${LOOKED_AT}) AS pending`,
  ),
  sql(
    ({ by }) => `SELECT ${forEachReceiver((receiver) => `count(*) FILTER (WHERE receiver = ${receiver})`)}
      FROM (SELECT receiver FROM event ${by('event_state')} WHERE state = 'abandoned' AND type <> 'test.ping'
        ORDER BY created_at DESC LIMIT ${MOST_ABANDONED}) AS abandoned`,
  ),
]
/** For a receiver with nothing among the oldest of all. */
export const OLDEST_OF = sql(
  ({ by }) => `SELECT min(created_at) FROM (SELECT created_at FROM event ${by('event_due')}
    WHERE receiver = ? AND state = 'pending' ORDER BY next_attempt_at LIMIT ${LOOKED_AT}) AS due`,
)

/**
 * Receivers with a backlog, from the rows of `BACKLOG_SUMS` and those of `FAILURE.all`. An oldest time that the second row does not show is null,
 * and has to be asked for.
 */
export function backlogOf(
  [waiting = [], oldest = [], given = []]: readonly Row[],
  failures: readonly Row[],
): readonly ReceiverBacklog[] {
  const since = new Map(failures.map(([receiver, at]) => [timeOf(receiver), timeOf(at)]))
  return RECEIVERS.map((receiver, at) => ({
    receiver,
    pending: integerCell.read(waiting[at] ?? 0n),
    oldestCreatedAt: timeOf(oldest[at]),
    abandoned: integerCell.read(given[at] ?? 0n),
    failingSince: since.get(receiver) ?? null,
  })).filter(({ pending, abandoned }) => pending + abandoned > 0)
}

/** Whether its oldest delivery is not known yet. */
export const lacksOldest = ({ pending, oldestCreatedAt }: ReceiverBacklog): boolean =>
  pending > 0 && oldestCreatedAt === null

export const timeOf = (cell: SqlValue | undefined): number | null =>
  cell === null || cell === undefined ? null : integerCell.read(cell)
