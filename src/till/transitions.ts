// The whole life of an invoice, as a table. The store enforces it with compare-and-set; everything else asks here.
import type { InvoiceStatus } from './model.js'

export type Happening =
  | 'payment-accepted'
  | 'depth-reached'
  | 'time-over'
  | 'cancelled'
  | 'repriced'
  | 'kernel-missing'
  | 'kernel-appeared'
  | 'payment-void'

/** A pair that is missing here is refused, not ignored. */
const NEXT: Partial<Record<`${InvoiceStatus} ${Happening}`, InvoiceStatus>> = {
  'open payment-accepted': 'paid',
  // A rail's grace for clocks and relays, or the operator attaching a late payment.
  'expired payment-accepted': 'paid',
  'open time-over': 'expired',
  'open cancelled': 'cancelled',
  'expired repriced': 'open',
  'paid depth-reached': 'confirmed',
  // PAY_SETTLE_TIMEOUT went by without a kernel; it may still come.
  'paid kernel-missing': 'expired',
  'expired kernel-appeared': 'paid',
  // The payer had taken the payment back and sent it all the same.
  'open kernel-appeared': 'paid',
  'paid payment-void': 'open',
}

/** The status after a happening, or undefined when it must not happen. */
export const next = (status: InvoiceStatus, happening: Happening): InvoiceStatus | undefined =>
  NEXT[`${status} ${happening}`]
