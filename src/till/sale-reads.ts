// What the point of sale reads of the till's store beyond the till's own verbs.
import type { Invoice } from './model.js'

/** What the point of sale shows of an invoice: without its codes, which are long. */
export type SaleRow = Pick<
  Invoice,
  | 'id'
  | 'status'
  | 'amount'
  | 'fiat'
  | 'orderRef'
  | 'memo'
  | 'expiresAt'
  | 'createdAt'
  | 'paidAt'
  | 'paymentId'
  | 'confirmations'
  | 'tip'
>

export interface SaleReads {
  /** Invoices whose `order_ref` goes on after `prefix`, those that sort last first: of orders that begin with a time the newest. */
  latestOfOrders(prefix: string, limit: number): Promise<readonly SaleRow[]>
}
