// Create and read invoices, with the API token; read a payment by its id.
import { bodyDigest, createInFlight, hasBearer, idempotencyKeyOf, ok, parseBody } from '../../http/index.js'
import type { SignedReceipt } from '../api.js'
import { invoiceNotFound, paymentNotFound } from '../errors.js'
import { failing, guarded, type TillRoute } from './parts.js'
import { invoiceView, paymentRecordView, paymentView } from './print.js'
import { createInvoiceBody, createInvoiceOf } from './requests.js'
import { type InvoiceView, invoiceSchema, type PaymentView, paymentSchema, receiptSchema } from './schemas.js'

export const INVOICE_ROUTES: readonly TillRoute[] = [
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
    body: { schema: createInvoiceBody },
    responses: { ...ok('The invoice.', invoiceSchema), ...failing(400, ...guarded, 409, 413, 415, 422, 502) },
    handler({ till, view }) {
      const oneAtATime = createInFlight()
      return async ({ body, headers }, reply): Promise<InvoiceView> => {
        const key = idempotencyKeyOf(headers['idempotency-key'])
        const request = createInvoiceOf(parseBody(createInvoiceBody, body))
        if (key === undefined) return invoiceView((await till.createInvoice(request)).invoice, view)

        const { invoice, replayed } = await oneAtATime(key, () =>
          till.createInvoice(request, { key, digest: bodyDigest(body) }),
        )
        if (replayed) reply.header('idempotent-replayed', 'true')
        return invoiceView(invoice, view)
      }
    },
  },
  {
    method: 'get',
    path: '/invoice/{invoice_id}',
    id: 'readInvoice',
    tag: 'invoices',
    summary: 'Read an invoice',
    auth: 'api',
    responses: { ...ok('The invoice as it stands now.', invoiceSchema), ...failing(...guarded, 404) },
    handler:
      ({ till, view }) =>
      async ({ params }): Promise<InvoiceView> => {
        const invoice = await till.findInvoice(params.invoice_id)
        if (!invoice) throw invoiceNotFound()
        return invoiceView(invoice, view)
      },
  },
]

export const PAYMENT_ROUTES: readonly TillRoute[] = [
  {
    method: 'get',
    path: '/payment/{payment_id}',
    id: 'readPayment',
    tag: 'payments',
    summary: 'Read a payment',
    description: 'Knowing the id suffices; `payer` is there only for the admin token.',
    responses: { ...ok('The payment.', paymentSchema), ...failing(404, 429) },
    handler:
      ({ till, view, adminTokens }) =>
      async ({ params, headers }): Promise<PaymentView> => {
        const payment = await till.findPayment(params.payment_id)
        if (!payment) throw paymentNotFound()
        const isAdmin = hasBearer(headers.authorization, adminTokens)
        return isAdmin ? paymentRecordView(payment, view.confirmations) : paymentView(payment, view.confirmations)
      },
  },
  {
    method: 'get',
    path: '/payment/{payment_id}/receipt',
    id: 'readReceipt',
    tag: 'payments',
    summary: 'Read the signed receipt of a payment',
    description: 'It is also issued before confirmation: look at `confirmed_height`.',
    responses: { ...ok('The receipt.', receiptSchema), ...failing(404, 409, 429, 503) },
    handler:
      ({ till }) =>
      ({ params }): Promise<SignedReceipt> =>
        till.receipt(params.payment_id),
  },
]
