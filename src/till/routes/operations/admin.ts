// Money and state for the operator.
import type { Operation } from '../../../http/index.js'
import * as requests from '../requests.js'
import * as schemas from '../schemas.js'
import { body, failing, guarded, ok } from './parts.js'

export const ADMIN: readonly Operation[] = [
  {
    method: 'get',
    path: '/admin/invoices',
    id: 'listInvoices',
    tag: 'admin',
    summary: 'List invoices, newest first',
    auth: 'admin',
    query: requests.invoiceListQuery,
    answers: {
      ...ok('A page of invoices.', schemas.listOf('invoices', schemas.invoiceSchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'post',
    path: '/admin/invoices/{invoice_id}/cancel',
    id: 'cancelInvoice',
    tag: 'admin',
    summary: 'Cancel an open invoice',
    auth: 'admin',
    answers: { ...ok('The cancelled invoice.', schemas.invoiceSchema), ...failing(...guarded, 404, 409) },
  },
  {
    method: 'get',
    path: '/admin/payments',
    id: 'listPayments',
    tag: 'admin',
    summary: 'List payments, newest first',
    auth: 'admin',
    query: requests.paymentListQuery,
    answers: {
      ...ok('A page of payments.', schemas.listOf('payments', schemas.paymentRecordSchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'post',
    path: '/admin/payments/{payment_id}/match',
    id: 'matchPayment',
    tag: 'admin',
    summary: 'Attach an unmatched payment to an invoice',
    auth: 'admin',
    body: body(requests.matchPaymentBody),
    answers: {
      ...ok('The matched payment.', schemas.paymentRecordSchema),
      ...failing(400, ...guarded, 404, 409, 413, 415),
    },
  },
  {
    method: 'post',
    path: '/admin/payments/{payment_id}/resend',
    id: 'resendReply',
    tag: 'admin',
    summary: 'Send the reply to a payment over Nostr again',
    auth: 'admin',
    answers: {
      ...ok('The payment; its reply is on its way to every relay.', schemas.paymentRecordSchema),
      ...failing(...guarded, 404, 409),
    },
  },
  {
    method: 'get',
    path: '/admin/ids',
    id: 'findIds',
    tag: 'admin',
    summary: 'Find the ids that begin with a prefix',
    auth: 'admin',
    query: requests.idQuery,
    answers: { ...ok('At most 6 ids, in order.', schemas.idListSchema), ...failing(400, ...guarded) },
  },
  {
    method: 'get',
    path: '/admin/status',
    id: 'readStatus',
    tag: 'admin',
    summary: 'Wallet, node, relays, queues and alarms',
    auth: 'admin',
    answers: { ...ok('The state of the till.', schemas.statusSchema), ...failing(...guarded) },
  },
]
