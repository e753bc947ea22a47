// Rows of a list of invoices, with texts short enough that a page stays small whatever customers wrote.
import { clip } from '../../console/index.js'
import { invoiceTag, shortId } from './labels.js'
import type { ListedInvoice } from './search.js'

const LONGEST = 48

export function invoiceListOf(rows: readonly ListedInvoice[], confirmations: number) {
  return rows.map(({ id, status, amount, fiat, orderRef, memo, createdAt, confirmations: depth, settlement }) => ({
    href: `/console/invoices/${id}`,
    short: shortId(id),
    tag: invoiceTag({ status, confirmations: depth, settlement }),
    /** While a payment is on its way: how deep it is. */
    depth: status === 'paid' && depth > 0 ? `${depth} of ${confirmations}` : '',
    amount,
    fiat: fiat ? `${clip(fiat.amount, 24)} ${clip(fiat.currency.toUpperCase(), 8)}` : '',
    order: clip(orderRef ?? '', LONGEST),
    memo: clip(memo ?? '', LONGEST),
    createdAt,
  }))
}
