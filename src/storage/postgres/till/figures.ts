// Sums of payments: by settlement, and of one day.
import type { DayFigures, PaymentStore, PaymentSum } from '../../../till/index.js'
import { amountOfSum, integerCell } from '../../sqlite/columns.js'
import type { Row } from '../../sqlite/sqlite.js'
import { type Balance, balanceOf } from '../../till/balance.js'
import { WAITING } from '../../till/desk-sources.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'

const TOTALS = 'SELECT settlement, sum(count), sum(amount) FROM payment_total GROUP BY settlement'
const RECEIVED = 'SELECT count(*), sum(amount) FROM payment WHERE created_at >= ?'
const CONFIRMED = "SELECT count(*), sum(amount) FROM payment WHERE settlement = 'confirmed' AND confirmed_at >= ?"
const OPEN = `SELECT
  (SELECT count(*) FROM invoice WHERE status = 'open'), (SELECT count(*) FROM payment WHERE ${WAITING})`

export const figureVerbs = ({ read }: Transactions): Pick<PaymentStore, 'balance' | 'dayFigures'> => ({
  balance: () => read(balance),
  dayFigures: (since) => read((db) => dayFigures(db, since)),
})

async function balance(db: Queries): Promise<Balance> {
  const rows = await db.all(TOTALS)
  return balanceOf(rows.map(([settlement, ...sums]) => [settlement, sumOf(sums)]))
}

/** `since`: epoch milliseconds. */
async function dayFigures(db: Queries, since: number): Promise<DayFigures> {
  const [openInvoices = 0n, unmatched = 0n] = (await db.get(OPEN)) ?? []
  return {
    received: sumOf(await db.get(RECEIVED, [since])),
    confirmed: sumOf(await db.get(CONFIRMED, [since])),
    openInvoices: integerCell.read(openInvoices),
    unmatched: integerCell.read(unmatched),
  }
}

const sumOf = ([count = 0n, sum]: Row = []): PaymentSum => ({
  count: integerCell.read(count),
  amount: amountOfSum(sum),
})
