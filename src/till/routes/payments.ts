// What a client may read of a payment whose id it knows.
import { hasBearer, ok } from '../../http/index.js'
import type { SignedReceipt } from '../api.js'
import { paymentNotFound } from '../errors.js'
import { failing, type TillRoute } from './parts.js'
import { paymentRecordView, paymentView } from './print.js'
import { type PaymentView, paymentSchema, receiptSchema } from './schemas.js'

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
