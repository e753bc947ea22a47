// The whole life of an invoice, as a table. The till asks it, and the store derives the preconditions of its writes from it.
import { INVOICE_STATUSES, type InvoiceStatus } from '../model.js'

export const HAPPENINGS = [
  'payment-accepted',
  'confirmed-payment-assigned',
  'depth-reached',
  'time-over',
  'cancelled',
  'repriced',
  'kernel-missing',
  'kernel-appeared',
  'payment-void',
] as const
export type Happening = (typeof HAPPENINGS)[number]

/** A pair that is missing here is refused, not ignored. */
const NEXT: Partial<Record<`${InvoiceStatus} ${Happening}`, InvoiceStatus>> = {
  'open payment-accepted': 'paid',
  // A rail's grace for clocks and relays, or the operator attaching a late payment.
  'expired payment-accepted': 'paid',
  // The operator attaches a payment that is deep in the chain already.
  'open confirmed-payment-assigned': 'confirmed',
  'expired confirmed-payment-assigned': 'confirmed',
  'open time-over': 'expired',
  'open cancelled': 'cancelled',
  // A new price may come before the sweep has marked the overdue invoice expired.
  'open repriced': 'open',
  'expired repriced': 'open',
  'paid depth-reached': 'confirmed',
  // PAY_SETTLE_TIMEOUT went by without a kernel; it may still come.
  'paid kernel-missing': 'expired',
  'expired kernel-appeared': 'paid',
  // The payer voided the payment, which reopened the invoice, but published its transaction all the same.
  'open kernel-appeared': 'paid',
  'paid payment-void': 'open',
}

/** The status after a happening, or undefined when it must not happen. */
export const next = (status: InvoiceStatus, happening: Happening): InvoiceStatus | undefined =>
  NEXT[`${status} ${happening}`]

/** The statuses in which this may happen, in the order of `INVOICE_STATUSES`. */
export const statusesBefore = (happening: Happening): readonly InvoiceStatus[] =>
  INVOICE_STATUSES.filter((status) => next(status, happening) !== undefined)

/** The one status that this leads to, whatever was before. */
export function statusAfter(happening: Happening): InvoiceStatus {
  const [after, ...others] = new Set(statusesBefore(happening).map((status) => next(status, happening)))
  if (after === undefined || others.length > 0) throw new Error(`${happening} leads to ${others.length + 1} statuses`)
  return after
}
