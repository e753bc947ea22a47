// The reads of the operator's console. Each ends at a limit, and an index of the schema holds its rows in their order.
import type { DeskReads, OpenCounts } from '../../../till/index.js'
import { amountOfSum, integerCell, type RowMapping } from '../../sqlite/columns.js'
import { deliveriesBy, invoicesBy, type ListChoice, MOMENTS, paymentsBy, WAITING } from '../../till/desk-sources.js'
import type { Queries } from '../change.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'
import { DELIVERY_ROW, INVOICE_ROW, LETTER_ROW, PAYMENT_ROW } from './desk-rows.js'
import { searchVerbs } from './desk-search.js'
import { ATTEMPT } from './tables.js'

const PAYMENT_BY_ID = `SELECT ${PAYMENT_ROW.columns} FROM payment WHERE id = ?`
const PAYMENTS_OF = `SELECT ${PAYMENT_ROW.columns} FROM payment WHERE invoice_id = ? ORDER BY seq LIMIT ?`
const ATTEMPTS = `SELECT ${ATTEMPT.columns} FROM attempt WHERE event_id = ? AND receiver = ? ORDER BY seq DESC LIMIT ?`
const LETTERS_OF = `SELECT ${LETTER_ROW.columns} FROM letter WHERE payment_id = ? ORDER BY kind`

export function deskVerbs({ read }: Transactions): DeskReads {
  const page = createPages(read)
  const source = <T>(table: RowMapping<T>, from: string, { where = [] }: ListChoice) => ({ table, from, where })

  return {
    ...searchVerbs({ read }),
    async invoiceRows(range, request) {
      const list = invoicesBy(range, request)
      return page(source(INVOICE_ROW, 'invoice', list.choice), list.page)
    },
    paymentRows: (choice, request) => page(source(PAYMENT_ROW, 'payment', paymentsBy(choice)), request),
    paymentRow: (id) =>
      read(async (db) => {
        const row = await db.get(PAYMENT_BY_ID, [id])
        return row && PAYMENT_ROW.read(row)
      }),
    paymentsOf: (invoiceId, limit) =>
      read(async (db) => (await db.all(PAYMENTS_OF, [invoiceId, limit])).map(PAYMENT_ROW.read)),
    deliveryRows: (choice, request) => page(source(DELIVERY_ROW, 'event', deliveriesBy(choice)), request),
    latestAttempts: (eventId, receiver, limit) =>
      read(async (db) => (await db.all(ATTEMPTS, [eventId, receiver, limit])).map(ATTEMPT.read)),
    lettersOf: (paymentId) => read(async (db) => (await db.all(LETTERS_OF, [paymentId])).map(LETTER_ROW.read)),
    paymentSum: (moment, from, to) => read((db) => paymentSum(db, moment, from, to)),
    openCounts: (most) => read((db) => openCounts(db, most)),
    changeMark: () => read(async (db) => ((await db.get(MARK)) ?? []).join(' ')),
  }
}

/** All payments of one millisecond are summed in one call. */
async function paymentSum(db: Queries, moment: keyof typeof MOMENTS, from: number, to: number) {
  const { column, and, most } = MOMENTS[moment]
  const rows = `FROM payment WHERE ${and} ${column} >= ? AND ${column} < ?`
  const [further = null] =
    (await db.get(`SELECT ${column} ${rows} ORDER BY ${column} LIMIT 1 OFFSET ?`, [from, to, most])) ?? []
  const until = further === null ? to : Math.max(integerCell.read(further), from + 1)
  const [count = 0n, sum] = (await db.get(`SELECT count(*), sum(amount) ${rows}`, [from, until])) ?? []
  return { count: integerCell.read(count), amount: amountOfSum(sum), until }
}

const counted = (rows: string): string => `(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ?) AS counted)`
const OPEN = `SELECT
  ${counted("invoice WHERE status = 'open'")},
  ${counted(`payment WHERE ${WAITING}`)},
  ${counted("event WHERE state = 'abandoned' AND type <> 'test.ping'")}`

async function openCounts(db: Queries, most: number): Promise<OpenCounts> {
  const [openInvoices = 0n, waitingPayments = 0n, abandonedDeliveries = 0n] =
    (await db.get(OPEN, [most, most, most])) ?? []
  return {
    openInvoices: integerCell.read(openInvoices),
    waitingPayments: integerCell.read(waitingPayments),
    abandonedDeliveries: integerCell.read(abandonedDeliveries),
  }
}

/** Ends of tables, how many payments there are of each settlement, and as many open invoices as a till has at a time. */
const MARK = `SELECT
  (SELECT max(seq) FROM invoice), (SELECT max(seq) FROM payment), (SELECT max(seq) FROM event), (SELECT max(seq) FROM attempt),
  (SELECT string_agg(settlement || count, ',' ORDER BY settlement)
    FROM (SELECT settlement, sum(count) AS count FROM payment_total GROUP BY settlement) AS totals),
  (SELECT count(*) FROM (SELECT 1 FROM invoice WHERE status = 'open' LIMIT 2000) AS open),
  (SELECT count(*) FROM (SELECT 1 FROM event WHERE state = 'pending' LIMIT 2000) AS pending)`
