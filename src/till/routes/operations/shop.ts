// What a shop and readers of payments use.
import type { Operation } from '../../../http/index.js'
import * as requests from '../requests.js'
import * as schemas from '../schemas.js'
import { body, failing, guarded, ok } from './parts.js'

export const INVOICES: readonly Operation[] = [
  {
    method: 'post',
    path: '/invoice',
    id: 'createInvoice',
    tag: 'invoices',
    summary: 'Create an invoice',
    description: 'Either `amount_grin`, or `amount_fiat` with `currency`. Amounts in JSON are nanogrin.',
    auth: 'api',
    headers: {
      'Idempotency-Key':
        '1 to 128 visible ASCII characters. For 24 hours the same key and body give the same invoice again, marked with the header `Idempotent-Replayed: true`.',
    },
    body: body(requests.createInvoiceBody),
    answers: { ...ok('The invoice.', schemas.invoiceSchema), ...failing(400, ...guarded, 409, 413, 415, 422, 502) },
  },
  {
    method: 'get',
    path: '/invoice/{invoice_id}',
    id: 'readInvoice',
    tag: 'invoices',
    summary: 'Read an invoice',
    auth: 'api',
    answers: { ...ok('The invoice as it stands now.', schemas.invoiceSchema), ...failing(...guarded, 404) },
  },
]

export const PAYMENTS: readonly Operation[] = [
  {
    method: 'get',
    path: '/payment/{payment_id}',
    id: 'readPayment',
    tag: 'payments',
    summary: 'Read a payment',
    description: 'Whoever knows the id may read it; `payer` is there only for the admin token.',
    answers: { ...ok('The payment.', schemas.paymentSchema), ...failing(404, 429) },
  },
  {
    method: 'get',
    path: '/payment/{payment_id}/receipt',
    id: 'readReceipt',
    tag: 'payments',
    summary: 'Read the signed receipt of a payment',
    description: 'It is also issued before confirmation: look at `confirmed_height`.',
    answers: { ...ok('The receipt.', schemas.receiptSchema), ...failing(404, 409, 429, 503) },
  },
]
