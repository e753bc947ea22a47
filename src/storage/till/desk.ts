// The reads of the operator's console. Each names its index, so that a mistake is an error and not a slow page, and ends at a limit.
import type { DeskReads, OpenCounts, RowsRequest } from '../../till/index.js'
import { readPage } from '../paging.js'
import { amountOfHalves, integerCell, type RowMapping } from '../sqlite/columns.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { DELIVERY_ROW, INVOICE_ROW, LETTER_ROW, PAYMENT_ROW } from './desk-rows.js'
import { searchVerbs } from './desk-search.js'
import { deliveriesBy, invoicesBy, type ListChoice, MOMENTS, paymentsBy, WAITING } from './desk-sources.js'
import { ATTEMPT } from './tables.js'

/** The verbs on one connection. */
export const deskVerbs = (db: Sqlite): DeskReads => ({
  ...searchVerbs(db),
  async invoiceRows(range, request) {
    const { choice, page } = invoicesBy(range, request)
    return rowsBy(db, INVOICE_ROW, 'invoice', choice, page)
  },
  paymentRows: async (choice, page) => rowsBy(db, PAYMENT_ROW, 'payment', paymentsBy(choice), page),
  async paymentRow(id) {
    const row = db.get(`SELECT ${PAYMENT_ROW.columns} FROM payment WHERE id = ?`, [id])
    return row && PAYMENT_ROW.read(row)
  },
  paymentsOf: async (invoiceId, limit) =>
    db
      .all(
        `SELECT ${PAYMENT_ROW.columns} FROM payment INDEXED BY payment_invoice WHERE invoice_id = ? ORDER BY seq LIMIT ?`,
        [invoiceId, limit],
      )
      .map(PAYMENT_ROW.read),
  deliveryRows: async (choice, page) => rowsBy(db, DELIVERY_ROW, 'event', deliveriesBy(choice), page),
  latestAttempts: async (eventId, receiver, limit) =>
    db
      .all(
        `SELECT ${ATTEMPT.columns} FROM attempt INDEXED BY attempt_event WHERE event_id = ? AND receiver = ?
         ORDER BY seq DESC LIMIT ?`,
        [eventId, receiver, limit],
      )
      .map(ATTEMPT.read),
  lettersOf: async (paymentId) =>
    db
      .all(`SELECT ${LETTER_ROW.columns} FROM letter WHERE payment_id = ? ORDER BY kind`, [paymentId])
      .map(LETTER_ROW.read),
  paymentSum: async (moment, from, to) => paymentSum(db, moment, from, to),
  openCounts: async (most) => openCounts(db, most),
  changeMark: async () => (db.get(MARK) ?? []).join(' '),
})

const rowsBy = <T>(
  db: Sqlite,
  table: RowMapping<T>,
  name: 'invoice' | 'payment' | 'event',
  { index, where = [] }: ListChoice,
  page: RowsRequest,
) => readPage(db, { table, from: `${name} INDEXED BY ${index}`, where }, page)

/** All payments of one millisecond are summed in one call. */
function paymentSum(db: Sqlite, moment: keyof typeof MOMENTS, from: number, to: number) {
  const { column, index, and, most } = MOMENTS[moment]
  const source = `payment INDEXED BY ${index} WHERE ${and}`
  const range = `${column} >= ? AND ${column} < ?`
  const [further = null] =
    db.get(`SELECT ${column} FROM ${source} ${range} ORDER BY ${column} LIMIT 1 OFFSET ?`, [from, to, most]) ?? []
  const until = further === null ? to : Math.max(integerCell.read(further), from + 1)
  const [count = 0n, high, low] =
    db.get(`SELECT count(*), sum((amount >> 32) & 4294967295), sum(amount & 4294967295) FROM ${source} ${range}`, [
      from,
      until,
    ]) ?? []
  return { count: integerCell.read(count), amount: amountOfHalves(high, low), until }
}

const counted = (rows: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ?1))`
const OPEN = `SELECT
  ${counted("invoice INDEXED BY invoice_status WHERE status = 'open'")},
  ${counted(`payment INDEXED BY payment_waiting WHERE ${WAITING}`)},
  ${counted("event INDEXED BY event_state WHERE state = 'abandoned' AND type <> 'test.ping'")}`

function openCounts(db: Sqlite, most: number): OpenCounts {
  const [openInvoices = 0n, waitingPayments = 0n, abandonedDeliveries = 0n] = db.get(OPEN, [most]) ?? []
  return {
    openInvoices: integerCell.read(openInvoices),
    waitingPayments: integerCell.read(waitingPayments),
    abandonedDeliveries: integerCell.read(abandonedDeliveries),
  }
}

/** Ends of tables, the sums that triggers keep, and as many open invoices as a till has at a time. */
const MARK = `SELECT
  (SELECT max(seq) FROM invoice), (SELECT max(seq) FROM payment), (SELECT max(seq) FROM event), (SELECT max(seq) FROM attempt),
  (SELECT group_concat(count) FROM payment_total),
  (SELECT count(*) FROM (SELECT 1 FROM invoice INDEXED BY invoice_status WHERE status = 'open' LIMIT 2000)),
  (SELECT count(*) FROM (SELECT 1 FROM event INDEXED BY event_state WHERE state = 'pending' LIMIT 2000))`
