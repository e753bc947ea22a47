// Single rows that several groups of verbs look up or move.
import type { Invoice, Payment } from '../../till/index.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { INVOICE, PAYMENT } from './tables.js'

/** The payment of this slate id. */
export function findPayment(db: Sqlite, id: string): Payment | undefined {
  const row = db.get(`SELECT ${PAYMENT.columns} FROM payment WHERE id = ?`, [id])
  return row && PAYMENT.read(row)
}

/** The invoice of this id. */
export function findInvoice(db: Sqlite, id: string): Invoice | undefined {
  const row = db.get(`SELECT ${INVOICE.columns} FROM invoice WHERE id = ?`, [id])
  return row && INVOICE.read(row)
}

/** `received → replied`; anything else is left alone. Must run with the write lock held. */
export function markReplied(db: Sqlite, paymentId: string): void {
  db.run("UPDATE payment SET settlement = 'replied' WHERE id = ? AND settlement = 'received'", [paymentId])
}
