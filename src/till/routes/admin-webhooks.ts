// The operator's view of webhook deliveries, with the admin token.
import type { FastifyPluginAsync } from 'fastify'
import { parseQuery, requireBearer } from '../../http/index.js'
import { deliveryNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { attemptView, deliveryDetailView, deliveryView } from './print.js'
import { deliveryListQuery, isTrue, limitOf, timeOf } from './requests.js'
import type { DeliveryDetailView, DeliveryListView, DeliveryView, WebhookTestView } from './views.js'

type WithId = { Params: { id: string } }

export const adminWebhookRoutes: FastifyPluginAsync<RouteParts> = async (app, { till, adminTokens }) => {
  const onRequest = [app.limits.api, requireBearer('admin', adminTokens)]

  app.get('/admin/webhooks', { onRequest }, async ({ query }): Promise<DeliveryListView> => {
    const { state, invoice_id, failed, since, limit, cursor } = parseQuery(deliveryListQuery, query)
    const page = await till.listDeliveries({
      limit: limitOf(limit, 200),
      ...(state && { state }),
      ...(invoice_id !== undefined && { invoiceId: invoice_id }),
      ...(isTrue(failed) && { failed: true }),
      ...(since !== undefined && { since: timeOf(since) }),
      ...(cursor !== undefined && { cursor }),
    })
    return { deliveries: page.items.map(deliveryView), next_cursor: page.next }
  })

  app.get<WithId>('/admin/webhooks/:id', { onRequest }, async ({ params }): Promise<DeliveryDetailView> => {
    const found = await till.findDelivery(params.id)
    if (!found) throw deliveryNotFound(params.id)
    return deliveryDetailView(found.delivery, found.attempts)
  })

  app.post<WithId>('/admin/webhooks/:id/replay', { onRequest }, async ({ params }): Promise<DeliveryView> => {
    return deliveryView(await till.replay(params.id))
  })

  app.post('/admin/webhooks/test', { onRequest }, async (): Promise<WebhookTestView> => {
    const { eventId, attempt } = await till.testWebhook()
    return { event_id: eventId, attempt: attemptView(attempt) }
  })
}
