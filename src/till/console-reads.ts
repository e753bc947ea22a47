// What the operator's console reads beyond the lists of the API. Each read is bounded, whatever the database holds, and leaves wide texts alone.
import type { NanoGrin } from '../grin/amount/index.js'
import type {
  Attempt,
  Delivery,
  DeliveryState,
  Invoice,
  InvoiceStatus,
  OutgoingMessage,
  Page,
  Payment,
  Settlement,
} from './model.js'
import type { PaymentSum } from './ports.js'

export type InvoiceRow = Pick<
  Invoice,
  'id' | 'status' | 'amount' | 'fiat' | 'orderRef' | 'memo' | 'expiresAt' | 'createdAt' | 'paymentId' | 'confirmations'
>

export type PaymentRow = Pick<
  Payment,
  | 'id'
  | 'invoiceId'
  | 'userId'
  | 'amount'
  | 'rail'
  | 'payer'
  | 'settlement'
  | 'minedHeight'
  | 'confirmations'
  | 'createdAt'
  | 'minedAt'
  | 'confirmedAt'
  | 'output'
  | 'intendedInvoiceId'
>

export type DeliveryRow = Omit<Delivery, 'body'>

export type MessageRow = Omit<OutgoingMessage, 'wrap'>

export interface RowsRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Times in epoch milliseconds: created at or after `from`, before `to`. */
export interface InvoiceRange {
  readonly status?: InvoiceStatus | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** What a search looks for: one of these is enough. Texts are compared without case of A-Z. */
export interface InvoiceTraits {
  /** Part of the memo or of the order reference. */
  readonly text?: string | undefined
  readonly amount?: NanoGrin | undefined
  /** Decimal text; equal as a number. */
  readonly fiatAmount?: string | undefined
}

/** One step of a search through the invoices, newest first. */
export interface ScanRequest extends InvoiceRange, RowsRequest {
  readonly traits: InvoiceTraits
  /** How many invoices this step examines at most. */
  readonly span: number
}

/** `next` goes on with what this step did not examine; null: that was all. */
export interface ScanStep extends Page<InvoiceRow> {
  /** When the oldest that was examined was created; null: that was all. */
  readonly reachedAt: number | null
}

/** `waiting`: has neither invoice nor user and is not abandoned. */
export type PaymentChoice = 'all' | 'waiting' | Settlement

export type DeliveryChoice =
  | { readonly by: 'all' }
  | { readonly by: 'state'; readonly state: DeliveryState }
  /** At least one attempt failed, or the receiver was removed. */
  | { readonly by: 'failed' }
  | { readonly by: 'receiver'; readonly receiver: number }
  | { readonly by: 'invoice'; readonly invoiceId: string }

/** Each stops counting at `most`. */
export interface OpenCounts {
  readonly openInvoices: number
  readonly waitingPayments: number
  readonly abandonedDeliveries: number
}

export interface ConsoleReads {
  /** Newest first. */
  invoiceRows(range: InvoiceRange, page: RowsRequest): Promise<Page<InvoiceRow>>
  /** Those of exactly this order, newest first; then those whose order begins with it, in its order. */
  invoicesOfOrder(orderRef: string, limit: number): Promise<readonly InvoiceRow[]>
  invoicesById(prefix: string, limit: number): Promise<readonly InvoiceRow[]>
  scanInvoices(request: ScanRequest): Promise<ScanStep>
  /** Newest first. */
  paymentRows(choice: PaymentChoice, page: RowsRequest): Promise<Page<PaymentRow>>
  paymentRow(id: string): Promise<PaymentRow | undefined>
  /** Oldest first. */
  paymentsOf(invoiceId: string, limit: number): Promise<readonly PaymentRow[]>
  /** Newest first. */
  deliveryRows(choice: DeliveryChoice, page: RowsRequest): Promise<Page<DeliveryRow>>
  /** The latest of this delivery, newest first. */
  latestAttempts(eventId: string, receiver: number, limit: number): Promise<readonly Attempt[]>
  messagesOfPayment(paymentId: string): Promise<readonly MessageRow[]>
  /**
   * Sum of the payments that came, or were confirmed, at or after `from` and before `until`. One call visits a bounded number of rows:
   * `until` is `to`, or earlier where there are more; then ask again from there.
   */
  paymentSum(
    moment: 'received' | 'confirmed',
    from: number,
    to: number,
  ): Promise<PaymentSum & { readonly until: number }>
  openCounts(most: number): Promise<OpenCounts>
  /** A text that differs once an invoice, a payment, an event or an attempt was added, or a payment or an open invoice moved on. */
  changeMark(): Promise<string>
}
