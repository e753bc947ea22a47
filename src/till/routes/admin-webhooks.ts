// The operator's view of webhook deliveries, with the admin token.
import type { FastifyPluginAsync } from 'fastify'
import { parseQuery, requireBearer } from '../../http/index.js'
import { deliveryNotFound } from '../errors.js'
import type { RouteParts } from './parts.js'
import { attemptView, deliveryDetailView, deliveryView, receiverHost } from './print.js'
import {
  deliveryListQuery,
  deliveryQuery,
  isTrue,
  limitOf,
  receiverOf,
  replayQuery,
  timeOf,
  webhookTestQuery,
} from './requests.js'
import type { DeliveryDetailView, DeliveryListView, DeliveryView, WebhookTestView } from './views.js'

type WithId = { Params: { id: string } }

export const adminWebhookRoutes: FastifyPluginAsync<RouteParts> = async (app, { till, adminTokens }) => {
  const onRequest = [app.limits.api, requireBearer('admin', adminTokens)]
  const { webhooks } = till.settings

  app.get('/admin/webhooks', { onRequest }, async ({ query }): Promise<DeliveryListView> => {
    const { state, invoice_id, receiver, failed, since, limit, cursor } = parseQuery(deliveryListQuery, query)
    const page = await till.listDeliveries({
      limit: limitOf(limit, 200),
      ...(state && { state }),
      ...(invoice_id !== undefined && { invoiceId: invoice_id }),
      ...(receiver !== undefined && { receiver: Number(receiver) }),
      ...(isTrue(failed) && { failed: true }),
      ...(since !== undefined && { since: timeOf(since) }),
      ...(cursor !== undefined && { cursor }),
    })
    return { deliveries: page.items.map((delivery) => deliveryView(delivery, webhooks)), next_cursor: page.next }
  })

  app.get<WithId>('/admin/webhooks/:id', { onRequest }, async ({ params, query }): Promise<DeliveryDetailView> => {
    const receiver = receiverOf(parseQuery(deliveryQuery, query).receiver)
    const found = await till.findDelivery(params.id, receiver)
    if (!found) throw deliveryNotFound(params.id, receiver)
    return deliveryDetailView(found, webhooks)
  })

  app.post<WithId>('/admin/webhooks/:id/replay', { onRequest }, async ({ params, query }): Promise<DeliveryView> => {
    const { receiver } = parseQuery(replayQuery, query)
    return deliveryView(await till.replay(params.id, receiverOf(receiver)), webhooks)
  })

  app.post('/admin/webhooks/test', { onRequest }, async ({ query }): Promise<WebhookTestView> => {
    const asked = receiverOf(parseQuery(webhookTestQuery, query).receiver)
    const { eventId, receiver, attempt } = await till.testWebhook(asked)
    const receiver_host = receiverHost(webhooks, receiver)
    return { event_id: eventId, receiver, receiver_host, attempt: attemptView(attempt) }
  })
}
