// What invoice slates need of the store. As all store verbs: atomic, and durable when the promise resolves.
import type { NanoGrin } from '../../grin/amount/index.js'
import type { Invoice, InvoiceSlate } from '../model.js'
import type { WorkClaim } from '../ports.js'

/** A signed transaction of an invoice slate, pushed to the node until it is mined. */
export interface Push {
  readonly paymentId: string
  /** JSON as push_transaction takes it. */
  readonly transaction: string
  readonly attempts: number
}

/** The grin1 rail (specification: invoicing, 5). `insertInvoice` stores the slate of a new invoice, `acceptPayment` finalizes it. */
export interface InvoiceSlateStore {
  invoiceSlate(slateId: string): Promise<InvoiceSlate | undefined>
  /**
   * Gives an invoice a new slate and closes the earlier ones. Refused unless the invoice is open, offers the grin1 rail and asks for
   * the slate's amount.
   */
  replaceInvoiceSlate(slate: InvoiceSlate, armor: string): Promise<'replaced' | 'refused'>
  /**
   * Closes open slates whose invoice names a payment, is cancelled, or ended at or before `cutoff`: wipes their secrets and the I1 of the invoice.
   * At most `limit`; answers how many. Closed slates made CLOSED_SLATE_MS before `cutoff` are dropped, at most `limit`.
   */
  closeInvoiceSlates(cutoff: number, limit: number): Promise<number>
  /** Closes every open slate, wipes its secrets and the I1 of its invoice. Answers how many; finalized slates stay. */
  closeEveryInvoiceSlate(): Promise<number>
  /** Open invoices on the grin1 rail that show no slate and have time left at `now`, newest first. */
  invoicesWithoutSlate(now: number, limit: number): Promise<readonly Invoice[]>
  /** Payable invoices on the grin1 rail of exactly this amount, whatever the mode, oldest first. */
  payableOnRail(amount: NanoGrin, cutoff: number, limit: number): Promise<readonly Invoice[]>
  /** Whether an invoice on the rail created before this one is open and asks for the same amount (specification: invoicing, 5.5). */
  hasEarlierTwin(invoice: Invoice): Promise<boolean>
  /** Transactions due for the node: finalized, and the payment is not mined, confirmed or abandoned. */
  claimPushes(claim: WorkClaim): Promise<readonly Push[]>
  /**
   * Counts a try; `nextPushAt` null ends the pushes. Pushes that ended meanwhile stay ended, and those handed out to another than `by` stay as
   * they are.
   */
  recordPush(paymentId: string, nextPushAt: number | null, error: string | null, by: string): Promise<void>
}
