// What anybody who knows a payment's id may read.
import type { FastifyPluginAsync } from 'fastify'
import { hasBearer } from '../../http/index.js'
import type { SignedReceipt } from '../api.js'
import { paymentNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { paymentRecordView, paymentView } from './print.js'
import type { PaymentView } from './views.js'

type WithId = { Params: { id: string } }

export const paymentRoutes: FastifyPluginAsync<RouteParts> = async (app, { till, view, adminTokens }) => {
  const onRequest = app.limits.api

  app.get<WithId>('/payment/:id', { onRequest }, async ({ params, headers }): Promise<PaymentView> => {
    const payment = await till.findPayment(params.id)
    if (!payment) throw paymentNotFound()
    const isAdmin = hasBearer(headers.authorization, adminTokens)
    return isAdmin ? paymentRecordView(payment, view.confirmations) : paymentView(payment, view.confirmations)
  })

  app.get<WithId>(
    '/payment/:id/receipt',
    { onRequest },
    ({ params }): Promise<SignedReceipt> => till.receipt(params.id),
  )
}
