// Single rows that several groups of verbs look up or move.
import type { Invoice, Payment } from '../../../till/index.js'
import type { Queries } from '../change.js'
import { INVOICE, PAYMENT } from './tables.js'

const PAYMENT_OF = `SELECT ${PAYMENT.columns} FROM payment WHERE id = ?`
const INVOICE_OF = `SELECT ${INVOICE.columns} FROM invoice WHERE id = ?`
const MARK_REPLIED = "UPDATE payment SET settlement = 'replied' WHERE id = ? AND settlement = 'received'"

/** The payment of this slate id. */
export async function findPayment(db: Queries, id: string): Promise<Payment | undefined> {
  const row = await db.get(PAYMENT_OF, [id])
  return row && PAYMENT.read(row)
}

/** The invoice of this id. */
export async function findInvoice(db: Queries, id: string): Promise<Invoice | undefined> {
  const row = await db.get(INVOICE_OF, [id])
  return row && INVOICE.read(row)
}

/** `received → replied`; anything else is left alone. */
export async function markReplied(db: Queries, paymentId: string): Promise<void> {
  await db.run(MARK_REPLIED, [paymentId])
}
