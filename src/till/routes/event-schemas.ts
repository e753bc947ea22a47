// What the till sends to a shop, for the OpenAPI document; docs/webhooks.md explains it. A test holds it against the events themselves.
import { z } from 'zod'
import type { WebhookDescription } from '../../http/index.js'
import { countSchema as count, hexSchema as hex, timeSchema as time } from '../../lib/api-schemas.js'

const eventId = hex(32).describe('The same on every retry and replay: act once per id.')
const belongsTo = {
  invoice_id: hex(32).nullable().describe('Null for a payment that confirmed no invoice.'),
  order_ref: z.string().nullable().describe('As the shop gave it.'),
  user_id: z.string().nullable().describe('The user whose key was paid.'),
}
const paid = {
  slate_id: z.guid().describe('Lower case.'),
  amount: count.describe('Nanogrin; above 2^53-1 only exact readers keep it.'),
  amount_grin: z.string().describe('The same in GRIN, exact.'),
}
const payer = hex(64).nullable().describe('The Nostr key of the customer, for a payment over Nostr.')

/** An event about a payment; `more` are the members of the payment behind those that every status has. */
const paymentEvent = (id: string, status: 'received' | 'confirmed', more: z.ZodRawShape) =>
  z
    .strictObject({
      event_id: eventId,
      event_type: z.literal(`payment.${status}`),
      created_at: time,
      payment: z.strictObject({ ...paid, status: z.literal(status), payer, ...more }),
      ...belongsTo,
    })
    .meta({ id })

const receivedEventSchema = paymentEvent('PaymentReceivedEvent', 'received', { confirmed_height: z.null() })

const confirmedEventSchema = paymentEvent('PaymentConfirmedEvent', 'confirmed', {
  confirmed_height: count.nullable(),
  confirmations: count,
})

const testPingSchema = z
  .strictObject({
    event_id: eventId,
    event_type: z.literal('test.ping'),
    created_at: time,
    payment: z.null(),
    invoice_id: z.null(),
    order_ref: z.null(),
    user_id: z.null(),
  })
  .meta({ id: 'TestPingEvent' })

/** By event type. */
export const TILL_WEBHOOKS: Readonly<Record<string, WebhookDescription>> = {
  'payment.received': {
    id: 'paymentReceived',
    tag: 'webhooks',
    summary: 'The till has signed; the customer’s wallet must still broadcast',
    description: 'Show that the payment is on its way. Do not ship.',
    schema: receivedEventSchema,
  },
  'payment.confirmed': {
    id: 'paymentConfirmed',
    tag: 'webhooks',
    summary: 'The payment is deep enough in the chain',
    description: 'Ship, if it names an invoice.',
    schema: confirmedEventSchema,
  },
  'test.ping': {
    id: 'testPing',
    tag: 'webhooks',
    summary: 'A test of the way to the shop',
    description:
      'Sent by `grinpay webhook test`, `grinpay doctor` and `POST /admin/webhooks/test`, and signed like the others. Answer 200 and do nothing else.',
    schema: testPingSchema,
  },
}

/** On every one of them. */
export const TILL_WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The `event_id` (Standard Webhooks).',
  'webhook-timestamp': 'Epoch seconds of this attempt.',
  'webhook-signature': '`v1,` and the signature over id, timestamp and body; two of them while a secret is replaced.',
  'X-Pay-Signature': '`sha256=` and the HMAC-SHA256 of the body in hex.',
  'X-Pay-Delivery': 'The `event_id`.',
  'X-Pay-Event': 'The `event_type`.',
}
