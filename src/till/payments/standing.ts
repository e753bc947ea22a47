// How far the payment of an invoice is: a second payer reads "paid" only of one that the network has.
import { type Progress, progressOf } from '../../lib/payment-words.js'
import type { Invoice, InvoiceStatus } from '../model.js'
import type { PaymentStore } from '../ports.js'

/** An invoice as its refusals see it. */
export interface Standing {
  readonly status: InvoiceStatus
  /** Of its payment; absent: it has none, or no more is known than that the till has signed. */
  readonly progress?: Progress
}

/** The invoice, with what is known of its payment. Reads it only while the invoice is `paid`. */
export async function standingOf(
  invoice: Invoice,
  store: Pick<PaymentStore, 'paymentById'>,
): Promise<Invoice & Standing> {
  const { status, confirmations, paymentId } = invoice
  if (status !== 'paid') return invoice
  const payment = paymentId === null ? undefined : await store.paymentById(paymentId)
  return { ...invoice, progress: progressOf({ status, confirmations, settlement: payment?.settlement }) }
}
