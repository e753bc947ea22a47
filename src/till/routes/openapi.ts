// The OpenAPI document of the till, served and committed.
import { z } from 'zod'
import { type Operation, openapiDocument, type WebhookDescription } from '../../http/index.js'
import { countSchema as count, hexSchema as hex, timeSchema as time } from '../../lib/api-schemas.js'
import { CHAIN_HEADER } from '../../lib/chains.js'
import { PASTE_SLATEPACK, REQUOTE, SHOW_CHECKOUT } from '../pages/checkout.js'
import { SHOW_STATUS_FRAME } from '../pages/frame.js'
import { ADMIN_ROUTES } from './admin.js'
import { READ_CHECKOUT_STATUS } from './checkout-status.js'
import { INVOICE_ROUTES, PAYMENT_ROUTES } from './invoices.js'
import { TILL_PATH_PARAMETERS } from './parts.js'
import { REPORT_ROUTES } from './reports.js'
import { SERVICE_OPERATIONS } from './service.js'
import { USER_ROUTES } from './users.js'
import { WEBHOOK_ROUTES } from './webhooks.js'

// What the till sends to a shop, for the OpenAPI document; docs/webhooks.md explains it. A test holds it against the events themselves.

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
const TILL_WEBHOOK_HEADERS: Readonly<Record<string, string>> = {
  'webhook-id': 'The `event_id` (Standard Webhooks).',
  'webhook-timestamp': 'Epoch seconds of this attempt.',
  'webhook-signature': '`v1,` and the signature over id, timestamp and body; two of them while a secret is replaced.',
  'X-Pay-Signature': '`sha256=` and the HMAC-SHA256 of the body in hex.',
  'X-Pay-Delivery': 'The `event_id`.',
  'X-Pay-Event': 'The `event_type`.',
}

/** Every route of the till, in the order of the document. A test compares them with what is mounted. */
export const TILL_OPERATIONS: readonly Operation[] = [
  ...INVOICE_ROUTES,
  ...PAYMENT_ROUTES,
  SHOW_CHECKOUT,
  SHOW_STATUS_FRAME,
  READ_CHECKOUT_STATUS,
  PASTE_SLATEPACK,
  REQUOTE,
  ...ADMIN_ROUTES,
  ...REPORT_ROUTES,
  ...USER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...SERVICE_OPERATIONS,
]

/** The document as text, indented, with a line end: byte for byte what `openapi/pay.json` holds. */
export function tillOpenapi(version: string): string {
  const document = openapiDocument({
    title: 'grinpay till',
    version,
    description:
      'Take payments in Grin. Amounts are whole nanogrin (1 GRIN = 1000000000) unless a member says otherwise; times are UTC. Every error is JSON with `error` for people and `code` for machines, and follows RFC 9457; ask for `application/problem+json` to get that type.',
    tags: {
      invoices: 'What a shop uses.',
      payments: 'For clients that know the id of a payment.',
      checkout: 'What the payer uses; the token in the path is the authority.',
      admin: 'Invoices, payments and reports for the operator.',
      users: 'Receiving keys of tenants.',
      webhooks: 'Deliveries to the shop.',
      service: 'Health, documents and files.',
    },
    parameters: TILL_PATH_PARAMETERS,
    operations: TILL_OPERATIONS,
    webhooks: TILL_WEBHOOKS,
    webhookHeaders: TILL_WEBHOOK_HEADERS,
    responseHeaders: {
      [CHAIN_HEADER]:
        'The chain of the till: `mainnet`, `testnet`, `usernet` or `sandbox`. Only coins of `mainnet` have a value.',
    },
    servers: [
      {
        url: 'https://{till}',
        description: 'Your own till; a path of its public address belongs to it.',
        variables: { till: { default: 'till.example.net', description: 'Host of the till.' } },
      },
    ],
    securitySchemes: {
      api: { type: 'http', scheme: 'bearer', description: 'The API token, `pay_live_…`.' },
      admin: { type: 'http', scheme: 'bearer', description: 'The admin token, `pay_admin_…`.' },
    },
  })
  return `${JSON.stringify(document, null, 2)}\n`
}
