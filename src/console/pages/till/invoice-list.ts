// Rows of a list of invoices, with texts short enough that a page stays small whatever customers wrote.
import { clip } from '../words.js'
import type { InvoiceRow } from './desk.js'
import { INVOICE_STATUSES, shortId } from './labels.js'

const LONGEST = 48

export function invoiceListOf(rows: readonly InvoiceRow[], confirmations: number) {
  return rows.map(({ id, status, amount, fiat, orderRef, memo, createdAt, confirmations: depth }) => ({
    href: `/console/invoices/${id}`,
    short: shortId(id),
    tag: INVOICE_STATUSES[status],
    /** While a payment is on its way: how deep it is. */
    depth: status === 'paid' ? `${depth} of ${confirmations}` : '',
    amount,
    fiat: fiat ? `${clip(fiat.amount, 24)} ${clip(fiat.currency.toUpperCase(), 8)}` : '',
    order: clip(orderRef ?? '', LONGEST),
    memo: clip(memo ?? '', LONGEST),
    createdAt,
  }))
}
