// Invoices, payments and the state of the till for the operator, with the admin token.
import { ok, parseBody, parseQuery } from '../../http/index.js'
import { failing, guarded, type TillRoute } from './parts.js'
import { invoiceView, paymentRecordView, statusView } from './print.js'
import {
  epochMsOf,
  epochMsOfEnd,
  idQuery,
  invoiceListQuery,
  isTrue,
  limitOf,
  matchPaymentBody,
  paymentListQuery,
} from './requests.js'
import {
  type IdListView,
  type InvoiceListView,
  type InvoiceView,
  idListSchema,
  invoiceListSchema,
  invoiceSchema,
  type PaymentListView,
  type PaymentRecordView,
  paymentListSchema,
  paymentRecordSchema,
  type StatusView,
  statusSchema,
} from './schemas.js'

export const ADMIN_ROUTES: readonly TillRoute[] = [
  {
    method: 'get',
    path: '/admin/invoices',
    id: 'listInvoices',
    tag: 'admin',
    summary: 'List invoices, newest first',
    auth: 'admin',
    query: invoiceListQuery,
    responses: { ...ok('A page of invoices.', invoiceListSchema), ...failing(400, 422, ...guarded) },
    handler:
      ({ till, view }) =>
      async ({ query }): Promise<InvoiceListView> => {
        const { status, order_ref, from, to, limit, cursor } = parseQuery(invoiceListQuery, query)
        const page = await till.listInvoices({
          limit: limitOf(limit, 50),
          ...(status && { status }),
          ...(order_ref !== undefined && { orderRef: order_ref }),
          ...(from !== undefined && { from: epochMsOf(from) }),
          ...(to !== undefined && { to: epochMsOfEnd(to) }),
          ...(cursor !== undefined && { cursor }),
        })
        return { invoices: page.items.map((invoice) => invoiceView(invoice, view)), next_cursor: page.next }
      },
  },
  {
    method: 'post',
    path: '/admin/invoices/{invoice_id}/cancel',
    id: 'cancelInvoice',
    tag: 'admin',
    summary: 'Cancel an open invoice',
    auth: 'admin',
    responses: { ...ok('The cancelled invoice.', invoiceSchema), ...failing(422, ...guarded, 404, 409) },
    handler:
      ({ till, view }) =>
      async ({ params }): Promise<InvoiceView> =>
        invoiceView(await till.cancelInvoice(params.invoice_id), view),
  },
  {
    method: 'get',
    path: '/admin/payments',
    id: 'listPayments',
    tag: 'admin',
    summary: 'List payments, newest first',
    auth: 'admin',
    query: paymentListQuery,
    responses: { ...ok('A page of payments.', paymentListSchema), ...failing(400, 422, ...guarded) },
    handler:
      ({ till, view }) =>
      async ({ query }): Promise<PaymentListView> => {
        const { unmatched, status, limit, cursor } = parseQuery(paymentListQuery, query)
        const page = await till.listPayments({
          limit: limitOf(limit, 200),
          ...(isTrue(unmatched) && { unmatched: true }),
          ...(status && { settlement: status }),
          ...(cursor !== undefined && { cursor }),
        })
        return {
          payments: page.items.map((payment) => paymentRecordView(payment, view.confirmations)),
          next_cursor: page.next,
        }
      },
  },
  {
    method: 'post',
    path: '/admin/payments/{payment_id}/match',
    id: 'matchPayment',
    tag: 'admin',
    summary: 'Attach an unmatched payment to an invoice',
    auth: 'admin',
    body: { schema: matchPaymentBody },
    responses: {
      ...ok('The matched payment.', paymentRecordSchema),
      ...failing(400, 422, ...guarded, 404, 409, 413, 415),
    },
    handler:
      ({ till, view }) =>
      async ({ params, body }): Promise<PaymentRecordView> => {
        const { invoice_id } = parseBody(matchPaymentBody, body)
        return paymentRecordView(await till.assignPayment(params.payment_id, invoice_id), view.confirmations)
      },
  },
  {
    method: 'post',
    path: '/admin/payments/{payment_id}/resend',
    id: 'resendReply',
    tag: 'admin',
    summary: 'Send the reply to a payment over Nostr again',
    auth: 'admin',
    responses: {
      ...ok('The payment; its reply is on its way to every relay.', paymentRecordSchema),
      ...failing(422, ...guarded, 404, 409),
    },
    handler:
      ({ till, view }) =>
      async ({ params }): Promise<PaymentRecordView> =>
        paymentRecordView(await till.resendReply(params.payment_id), view.confirmations),
  },
  {
    method: 'get',
    path: '/admin/ids',
    id: 'findIds',
    tag: 'admin',
    summary: 'Find the ids that begin with a prefix',
    auth: 'admin',
    query: idQuery,
    responses: { ...ok('At most 6 ids, in order.', idListSchema), ...failing(400, 422, ...guarded) },
    handler:
      ({ till }) =>
      async ({ query }): Promise<IdListView> => {
        const { kind, prefix } = parseQuery(idQuery, query)
        return { ids: await till.findIds(kind, prefix) }
      },
  },
  {
    method: 'get',
    path: '/admin/status',
    id: 'readStatus',
    tag: 'admin',
    summary: 'Wallet, node, relays, queues and alarms',
    auth: 'admin',
    responses: { ...ok('The state of the till.', statusSchema), ...failing(...guarded) },
    handler:
      ({ till, view, version }) =>
      async (): Promise<StatusView> => {
        const [status, balance, today] = await Promise.all([till.status(), till.balance(), till.today()])
        return statusView(
          status,
          { balance, today },
          { version, chain: till.settings.chain, publicUrl: view.publicUrl },
        )
      },
  },
]
