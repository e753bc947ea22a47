// The reads of the operator's console. Each names its index, so that a mistake is an error and not a slow page, and ends at a limit.
import type {
  ConsoleReads,
  DeliveryChoice,
  InvoiceRange,
  OpenCounts,
  PaymentChoice,
  RowsRequest,
} from '../../till/index.js'
import { sql } from '../dialect.js'
import { lowerEnd, readPage, when } from '../paging.js'
import { amountOfHalves, integerCell, type RowMapping } from '../sqlite/columns.js'
import { get, many, one, type Runner, type Verb } from '../verbs.js'
import { DELIVERY_ROW, INVOICE_ROW, MESSAGE_ROW, PAYMENT_ROW } from './console-rows.js'
import { searchVerbs } from './console-search.js'
import { ATTEMPT } from './tables.js'

/** Payments that no invoice and no user has. */
export const WAITING = "invoice_id IS NULL AND user_id IS NULL AND settlement <> 'abandoned'"

const PAYMENT_BY_ID = `SELECT ${PAYMENT_ROW.columns} FROM payment WHERE id = ?`
const PAYMENTS_OF = sql(
  ({ by }) =>
    `SELECT ${PAYMENT_ROW.columns} FROM payment ${by('payment_invoice')} WHERE invoice_id = ? ORDER BY seq LIMIT ?`,
)
const ATTEMPTS = sql(
  ({ by }) => `SELECT ${ATTEMPT.columns} FROM attempt ${by('attempt_event')} WHERE event_id = ? AND receiver = ?
  ORDER BY seq DESC LIMIT ?`,
)
const MESSAGES_OF = `SELECT ${MESSAGE_ROW.columns} FROM letter WHERE payment_id = ? ORDER BY kind`

export const consoleVerbs = (runner: Runner): ConsoleReads => {
  const { read } = runner
  return {
    ...searchVerbs(runner),
    invoiceRows: (range, request) =>
      read(() => {
        const { choice, page } = invoicesBy(range, request)
        return readPage(source(INVOICE_ROW, 'invoice', choice), page)
      }),
    paymentRows: (choice, page) => read(() => readPage(source(PAYMENT_ROW, 'payment', paymentsBy(choice)), page)),
    paymentRow: (id) => read(() => one(PAYMENT_BY_ID, [id], PAYMENT_ROW.read)),
    paymentsOf: (invoiceId, limit) => read(() => many(PAYMENTS_OF, [invoiceId, limit], PAYMENT_ROW.read)),
    deliveryRows: (choice, page) => read(() => readPage(source(DELIVERY_ROW, 'event', deliveriesBy(choice)), page)),
    latestAttempts: (eventId, receiver, limit) => read(() => many(ATTEMPTS, [eventId, receiver, limit], ATTEMPT.read)),
    messagesOfPayment: (paymentId) => read(() => many(MESSAGES_OF, [paymentId], MESSAGE_ROW.read)),
    paymentSum: (moment, from, to) => read(() => paymentSum(moment, from, to)),
    openCounts: (most) => read(() => openCounts(most)),
    changeMark: () => read(changeMark),
  }
}

/** The index that holds the rows of a list in its order, and what they have in common. */
interface ListChoice {
  readonly index: string
  readonly where?: readonly ReturnType<typeof when>[]
}

const source = <T>(table: RowMapping<T>, name: 'invoice' | 'payment' | 'event', { index, where = [] }: ListChoice) => ({
  table,
  from: sql(({ by }) => `${name} ${by(index)}`),
  where,
})

/** The list of invoices, and its page: of `to` and the cursor the lower end counts. Throws BAD_CURSOR. */
function invoicesBy(
  { status, from, to }: InvoiceRange,
  { limit, cursor }: RowsRequest,
): { readonly choice: ListChoice; readonly page: RowsRequest } {
  const end = lowerEnd({ to, cursor })
  return {
    choice: {
      index: status === undefined ? 'invoice_created' : 'invoice_status',
      where: [when('status = ?', status), when('created_at >= ?', from), when('created_at < ?', end.to)],
    },
    page: { limit, cursor: end.cursor },
  }
}

function paymentsBy(choice: PaymentChoice): ListChoice {
  if (choice === 'all') return { index: 'payment_created' }
  if (choice === 'waiting') return { index: 'payment_waiting', where: [[WAITING]] }
  return { index: 'payment_settlement', where: [['settlement = ?', choice]] }
}

function deliveriesBy(choice: DeliveryChoice): ListChoice {
  switch (choice.by) {
    case 'all':
      return { index: 'event_created' }
    case 'failed':
      return { index: 'event_failed', where: [['failed = 1']] }
    case 'state':
      return { index: 'event_state', where: [['state = ?', choice.state]] }
    case 'receiver':
      return { index: 'event_receiver', where: [['receiver = ?', choice.receiver]] }
    case 'invoice':
      return { index: 'event_invoice', where: [['invoice_id = ?', choice.invoiceId]] }
  }
}

/**
 * What a sum of payments goes by: the column, the index that holds its rows in that order, and how many rows one call visits at most. Confirmed
 * ones stand in the index with their amount, the others are looked up.
 */
const MOMENTS = {
  confirmed: { column: 'confirmed_at', index: 'payment_confirmed', and: "settlement = 'confirmed' AND", most: 4000 },
  received: { column: 'created_at', index: 'payment_created', and: '', most: 500 },
} as const

/** All payments of one millisecond are summed in one call. */
function* paymentSum(
  moment: keyof typeof MOMENTS,
  from: number,
  to: number,
): Verb<Awaited<ReturnType<ConsoleReads['paymentSum']>>> {
  const { most, further, sum } = SUMS[moment]
  const [next = null] = (yield* get(further, [from, to, most])) ?? []
  const until = next === null ? to : Math.max(integerCell.read(next), from + 1)
  const [count = 0n, high, low] = (yield* get(sum, [from, until])) ?? []
  return { count: integerCell.read(count), amount: amountOfHalves(high, low), until }
}

const sumsBy = ({ column, index, and, most }: (typeof MOMENTS)[keyof typeof MOMENTS]) => {
  const rows = (by: string) => `FROM payment ${by} WHERE ${and} ${column} >= ? AND ${column} < ?`
  return {
    most,
    further: sql(({ by }) => `SELECT ${column} ${rows(by(index))} ORDER BY ${column} LIMIT 1 OFFSET ?`),
    sum: sql(({ by, sums }) => `SELECT count(*), ${sums('amount')} ${rows(by(index))}`),
  }
}
const SUMS = { confirmed: sumsBy(MOMENTS.confirmed), received: sumsBy(MOMENTS.received) }

const counted = (rows: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ?1) AS counted)`
const OPEN = sql(
  ({ by }) => `SELECT
  ${counted(`invoice ${by('invoice_status')} WHERE status = 'open'`)},
  ${counted(`payment ${by('payment_waiting')} WHERE ${WAITING}`)},
  ${counted(`event ${by('event_state')} WHERE state = 'abandoned' AND type <> 'test.ping'`)}`,
)

function* openCounts(most: number): Verb<OpenCounts> {
  const [openInvoices = 0n, waitingPayments = 0n, abandonedDeliveries = 0n] = (yield* get(OPEN, [most])) ?? []
  return {
    openInvoices: integerCell.read(openInvoices),
    waitingPayments: integerCell.read(waitingPayments),
    abandonedDeliveries: integerCell.read(abandonedDeliveries),
  }
}

/** How many payments there are of each settlement. */
const TOTALS = {
  file: '(SELECT group_concat(count) FROM payment_total)',
  server: `(SELECT string_agg(settlement || count, ',' ORDER BY settlement)
    FROM (SELECT settlement, sum(count) AS count FROM payment_total GROUP BY settlement) AS totals)`,
}
/** Ends of tables, sums that triggers keep, and as many open invoices as a till has at a time. */
const MARK = sql(
  ({ by, either }) => `SELECT
  (SELECT max(seq) FROM invoice), (SELECT max(seq) FROM payment), (SELECT max(seq) FROM event), (SELECT max(seq) FROM attempt),
  ${either(TOTALS.file, TOTALS.server)},
  (SELECT count(*) FROM (SELECT 1 FROM invoice ${by('invoice_status')} WHERE status = 'open' LIMIT 2000) AS counted),
  (SELECT count(*) FROM (SELECT 1 FROM event ${by('event_state')} WHERE state = 'pending' LIMIT 2000) AS counted)`,
)

function* changeMark(): Verb<string> {
  return ((yield* get(MARK)) ?? []).join(' ')
}
