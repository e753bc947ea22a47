// The figures of one day for the operator: what came in, what became final, what waits.
import type { DayFigures, PaymentSum } from '../../till/index.js'
import { amountOfHalves, integer } from '../sqlite/columns.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'

/** Amounts reach 2^64-1, beyond what a sum in SQL holds: both halves are added up by themselves. */
const SUM = 'count(*), sum((amount >> 32) & 4294967295), sum(amount & 4294967295)'

const RECEIVED = `SELECT ${SUM} FROM payment WHERE created_at >= ?`
/** Both searches name their index: others would read every payment of a user, or of many days. */
const CONFIRMED = `SELECT ${SUM} FROM payment INDEXED BY payment_confirmed
  WHERE settlement = 'confirmed' AND confirmed_at >= ?`
const WAITING = `SELECT
  (SELECT count(*) FROM invoice WHERE status = 'open'),
  (SELECT count(*) FROM payment INDEXED BY payment_waiting
    WHERE invoice_id IS NULL AND user_id IS NULL AND settlement <> 'abandoned')`

/** `since`: epoch milliseconds. */
export function dayFigures(db: Sqlite, since: number): DayFigures {
  const [openInvoices = 0n, unmatched = 0n] = db.get(WAITING) ?? []
  return {
    received: sumOf(db.get(RECEIVED, [since])),
    confirmed: sumOf(db.get(CONFIRMED, [since])),
    openInvoices: integer.read(openInvoices),
    unmatched: integer.read(unmatched),
  }
}

const sumOf = ([count = 0n, high, low]: Row = []): PaymentSum => ({
  count: integer.read(count),
  amount: amountOfHalves(high, low),
})
