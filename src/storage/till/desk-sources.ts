// What the operator's console lists, as data: both kinds of database read their pages from it.
import type { DeliveryChoice, InvoiceRange, PaymentChoice, RowsRequest } from '../../till/index.js'
import { lowerEnd, when } from '../paging.js'

/** The index that holds the rows of a list in its order, and what they have in common. */
export interface ListChoice {
  readonly index: string
  readonly where?: readonly ReturnType<typeof when>[]
}

/** Payments that no invoice and no user has. */
export const WAITING = "invoice_id IS NULL AND user_id IS NULL AND settlement <> 'abandoned'"

/** The list of invoices, and its page: of `to` and the cursor the lower end counts. Throws BAD_CURSOR. */
export function invoicesBy(
  { status, from, to }: InvoiceRange,
  { limit, cursor }: RowsRequest,
): { readonly choice: ListChoice; readonly page: RowsRequest } {
  const end = lowerEnd({ to, cursor })
  return {
    choice: {
      index: status === undefined ? 'invoice_created' : 'invoice_status',
      where: [when('status = ?', status), when('created_at >= ?', from), when('created_at < ?', end.to)],
    },
    page: { limit, cursor: end.cursor },
  }
}

export function paymentsBy(choice: PaymentChoice): ListChoice {
  if (choice === 'all') return { index: 'payment_created' }
  if (choice === 'waiting') return { index: 'payment_waiting', where: [[WAITING]] }
  return { index: 'payment_settlement', where: [['settlement = ?', choice]] }
}

export function deliveriesBy(choice: DeliveryChoice): ListChoice {
  switch (choice.by) {
    case 'all':
      return { index: 'event_created' }
    case 'failed':
      return { index: 'event_failed', where: [['failed = 1']] }
    case 'state':
      return { index: 'event_state', where: [['state = ?', choice.state]] }
    case 'receiver':
      return { index: 'event_receiver', where: [['receiver = ?', choice.receiver]] }
    case 'invoice':
      return { index: 'event_invoice', where: [['invoice_id = ?', choice.invoiceId]] }
  }
}

/**
 * What a sum of payments goes by: the column, the index that holds its rows in that order, and how many rows one call visits at most. Confirmed
 * ones stand in the index with their amount, the others are looked up.
 */
export const MOMENTS = {
  confirmed: { column: 'confirmed_at', index: 'payment_confirmed', and: "settlement = 'confirmed' AND", most: 4000 },
  received: { column: 'created_at', index: 'payment_created', and: '', most: 500 },
} as const
