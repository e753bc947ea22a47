// Webhook deliveries for the operator, with the admin token.
import { ok, parseQuery } from '../../http/index.js'
import { deliveryNotFound } from '../errors.js'
import { failing, guarded, type TillRoute } from './parts.js'
import { attemptView, deliveryDetailView, deliveryView, receiverHost } from './print.js'
import {
  deliveryListQuery,
  deliveryQuery,
  epochMsOf,
  isTrue,
  limitOf,
  receiverOf,
  replayQuery,
  webhookTestQuery,
} from './requests.js'
import {
  type DeliveryDetailView,
  type DeliveryListView,
  type DeliveryView,
  deliveryDetailSchema,
  deliveryListSchema,
  deliverySchema,
  type WebhookTestView,
  webhookTestSchema,
} from './schemas.js'

export const WEBHOOK_ROUTES: readonly TillRoute[] = [
  {
    method: 'get',
    path: '/admin/webhooks',
    id: 'listDeliveries',
    tag: 'webhooks',
    summary: 'List webhook deliveries, newest first: one for each event and receiver',
    auth: 'admin',
    query: deliveryListQuery,
    responses: { ...ok('A page of events.', deliveryListSchema), ...failing(400, 422, ...guarded) },
    handler:
      ({ till }) =>
      async ({ query }): Promise<DeliveryListView> => {
        const { webhooks } = till.settings
        const { state, invoice_id, receiver, failed, since, limit, cursor } = parseQuery(deliveryListQuery, query)
        const page = await till.listDeliveries({
          limit: limitOf(limit, 200),
          ...(state && { state }),
          ...(invoice_id !== undefined && { invoiceId: invoice_id }),
          ...(receiver !== undefined && { receiver: Number(receiver) }),
          ...(isTrue(failed) && { failed: true }),
          ...(since !== undefined && { since: epochMsOf(since) }),
          ...(cursor !== undefined && { cursor }),
        })
        return { deliveries: page.items.map((delivery) => deliveryView(delivery, webhooks)), next_cursor: page.next }
      },
  },
  {
    method: 'get',
    path: '/admin/webhooks/{event_id}',
    id: 'readDelivery',
    tag: 'webhooks',
    summary: 'A webhook event with its body, and its delivery to one receiver with every try',
    auth: 'admin',
    query: deliveryQuery,
    responses: { ...ok('The event.', deliveryDetailSchema), ...failing(400, 422, ...guarded, 404) },
    handler:
      ({ till }) =>
      async ({ params, query }): Promise<DeliveryDetailView> => {
        const receiver = receiverOf(parseQuery(deliveryQuery, query).receiver)
        const record = await till.findDelivery(params.event_id, receiver)
        if (!record) throw deliveryNotFound(params.event_id, receiver)
        return deliveryDetailView(record, till.settings.webhooks)
      },
  },
  {
    method: 'post',
    path: '/admin/webhooks/{event_id}/replay',
    id: 'replayDelivery',
    tag: 'webhooks',
    summary: 'Send a webhook event again: same id, same body',
    auth: 'admin',
    query: replayQuery,
    responses: { ...ok('The queued event.', deliverySchema), ...failing(400, 422, ...guarded, 404, 409) },
    handler:
      ({ till }) =>
      async ({ params, query }): Promise<DeliveryView> => {
        const receiver = receiverOf(parseQuery(replayQuery, query).receiver)
        return deliveryView(await till.replay(params.event_id, receiver), till.settings.webhooks)
      },
  },
  {
    method: 'post',
    path: '/admin/webhooks/test',
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a signed `test.ping` now',
    auth: 'admin',
    query: webhookTestQuery,
    responses: { ...ok('What came back.', webhookTestSchema), ...failing(400, 422, ...guarded, 409) },
    handler:
      ({ till }) =>
      async ({ query }): Promise<WebhookTestView> => {
        const wanted = receiverOf(parseQuery(webhookTestQuery, query).receiver)
        const { eventId, receiver, attempt } = await till.testWebhook(wanted)
        const receiver_host = receiverHost(till.settings.webhooks, receiver)
        return { event_id: eventId, receiver, receiver_host, attempt: attemptView(attempt) }
      },
  },
]
