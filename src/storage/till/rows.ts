// Single rows that several groups of verbs look up or move.
import type { Invoice, Payment } from '../../till/index.js'
import { one, run, type Verb } from '../verbs.js'
import { INVOICE, PAYMENT } from './tables.js'

const PAYMENT_OF = `SELECT ${PAYMENT.columns} FROM payment WHERE id = ?`
const INVOICE_OF = `SELECT ${INVOICE.columns} FROM invoice WHERE id = ?`
const MARK_REPLIED = "UPDATE payment SET settlement = 'replied' WHERE id = ? AND settlement = 'received'"

/** The payment of this slate id. */
export const findPayment = (id: string): Verb<Payment | undefined> => one(PAYMENT_OF, [id], PAYMENT.read)

/** The invoice of this id. */
export const findInvoice = (id: string): Verb<Invoice | undefined> => one(INVOICE_OF, [id], INVOICE.read)

/** `received → replied`; anything else is left alone. */
export function* markReplied(paymentId: string): Verb<void> {
  yield* run(MARK_REPLIED, [paymentId])
}
