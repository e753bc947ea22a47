// Webhook deliveries for the operator.
import type { Operation } from '../../../http/index.js'
import * as requests from '../requests.js'
import * as schemas from '../schemas.js'
import { failing, guarded, ok } from './parts.js'

export const WEBHOOKS: readonly Operation[] = [
  {
    method: 'get',
    path: '/admin/webhooks',
    id: 'listDeliveries',
    tag: 'webhooks',
    summary: 'List webhook deliveries, newest first: one for each event and receiver',
    auth: 'admin',
    query: requests.deliveryListQuery,
    answers: {
      ...ok('A page of events.', schemas.listOf('deliveries', schemas.deliverySchema)),
      ...failing(400, ...guarded),
    },
  },
  {
    method: 'get',
    path: '/admin/webhooks/{event_id}',
    id: 'readDelivery',
    tag: 'webhooks',
    summary: 'A webhook event with its body, and its delivery to one receiver with every try',
    auth: 'admin',
    query: requests.deliveryQuery,
    answers: { ...ok('The event.', schemas.deliveryDetailSchema), ...failing(400, ...guarded, 404) },
  },
  {
    method: 'post',
    path: '/admin/webhooks/{event_id}/replay',
    id: 'replayDelivery',
    tag: 'webhooks',
    summary: 'Send a webhook event again: same id, same body',
    auth: 'admin',
    query: requests.replayQuery,
    answers: { ...ok('The queued event.', schemas.deliverySchema), ...failing(400, ...guarded, 404, 409) },
  },
  {
    method: 'post',
    path: '/admin/webhooks/test',
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a signed `test.ping` now',
    auth: 'admin',
    query: requests.webhookTestQuery,
    answers: { ...ok('What came back.', schemas.webhookTestSchema), ...failing(400, ...guarded, 409) },
  },
]
