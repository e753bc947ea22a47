// What a slatepack that begins no payment is to this till, and what its payer should do with it. The slate's state and whose it is
// are judged before the status of the invoice: a payer who pastes our own reply must never read that the payment is to be cancelled.
import { type GrinpayError, hinting } from '../../lib/errors.js'
import { type Progress, progressOf } from '../../lib/payment-words.js'
import {
  invoiceAlreadyPaid,
  invoiceCancelled,
  invoiceExpired,
  ourInvoice,
  ourInvoiceOver,
  ourReply,
  paymentComplete,
  paymentFinished,
  wrongState,
} from '../errors.js'
import type { Invoice, InvoiceSlate, InvoiceStatus, Payment, Settlement } from '../model.js'
import type { IncomingSlate } from '../parts.js'
import type { PaymentStore } from '../ports.js'

// How far the payment of an invoice is: a second payer reads "paid" only of one that the network has.

/** An invoice as its refusals see it. */
export interface InvoiceProgress {
  readonly status: InvoiceStatus
  /** Of its payment; absent: it has none, or no more is known than that the till has signed. */
  readonly progress?: Progress
}

/** The invoice, with what is known of its payment. Reads it only while the invoice is `paid`. */
export async function withProgress(
  invoice: Invoice,
  store: Pick<PaymentStore, 'paymentById'>,
): Promise<Invoice & InvoiceProgress> {
  const { status, confirmations, paymentId } = invoice
  if (status !== 'paid') return invoice
  const payment = paymentId === null ? undefined : await store.paymentById(paymentId)
  return { ...invoice, progress: progressOf({ status, confirmations, settlement: payment?.settlement }) }
}

/** What the store holds under the id of a slate. */
export interface SlateRecords {
  readonly payment: Pick<Payment, 'settlement'> | undefined
  /** Our invoice slate (I1). */
  readonly invoiceSlate: Pick<InvoiceSlate, 'state'> | undefined
}

/** Whose a slate is that is no S1. `answer`: an I2 for us; `foreign`: of no payment and no invoice of this till. */
type Origin = 'our-reply' | 'finished' | 'complete' | 'our-invoice' | 'our-closed-invoice' | 'answer' | 'foreign'

const REACHED_NETWORK: ReadonlySet<Settlement> = new Set(['seen', 'mined', 'confirmed'])

/** While the network has not seen the payment. Of an invoice slate the till has the whole transaction and broadcasts it itself. */
const UNSEEN: Readonly<Record<string, Origin>> = { S2: 'our-reply', S3: 'finished' }

function originOf(state: string, { payment, invoiceSlate }: SlateRecords): Origin {
  if (state === 'I2') return payment || invoiceSlate ? 'answer' : 'foreign'
  if (payment) return REACHED_NETWORK.has(payment.settlement) ? 'complete' : (UNSEEN[state] ?? 'complete')
  if (state !== 'I1' || !invoiceSlate) return 'foreign'
  return invoiceSlate.state === 'open' ? 'our-invoice' : 'our-closed-invoice'
}

const CLOSED: Readonly<Record<InvoiceStatus, ((progress: Progress | undefined) => GrinpayError) | undefined>> = {
  open: undefined,
  paid: (progress = 'signed') => invoiceAlreadyPaid(progress),
  confirmed: () => invoiceAlreadyPaid('confirmed'),
  expired: invoiceExpired,
  cancelled: invoiceCancelled,
}

/** The refusal for a new payment to an invoice that is no longer open. */
export const closedRefusal = ({ status, progress }: InvoiceProgress): GrinpayError | undefined =>
  CLOSED[status]?.(progress)

/** What its payer does then, beside the hint of the error itself. */
export const FINISH_FIRST =
  'nothing more is to be paid here; finish the first payment in the wallet if it waits for our reply'
export const NOTHING_MORE = 'nothing more is to be paid here'
export const STILL_COUNTS = 'ask the shop for a new invoice; a payment that you finished already still counts'

const NOTHING_TO_PAY: Readonly<Partial<Record<InvoiceStatus, string>>> = { paid: FINISH_FIRST, confirmed: NOTHING_MORE }

/** `closedRefusal` for what is no new payment, or cannot be read. Its remedy names nothing to cancel, for that could be the payment that counts. */
export function closedForOthers(invoice: InvoiceProgress): GrinpayError | undefined {
  const closed = closedRefusal(invoice)
  return closed && hinting(closed, NOTHING_TO_PAY[invoice.status] ?? STILL_COUNTS)
}

/**
 * The refusal of a slate by its state and its origin; undefined for an S1, and for an I2 that may answer one of our invoices.
 * `invoice`: on whose page it was pasted; `open` where there is no page.
 */
export function stateRefusal(
  { state }: Pick<IncomingSlate, 'state'>,
  records: SlateRecords,
  invoice: InvoiceProgress,
): GrinpayError | undefined {
  if (state === 'S1') return undefined
  switch (originOf(state, records)) {
    case 'answer':
      return undefined
    case 'our-reply':
      return ourReply()
    case 'finished':
      return paymentFinished()
    case 'complete':
      return paymentComplete()
    case 'our-invoice':
      return invoice.status === 'open' ? ourInvoice() : ourInvoiceOver()
    case 'our-closed-invoice':
      return ourInvoiceOver()
    case 'foreign':
      return closedForOthers(invoice) ?? wrongState(state)
  }
}
