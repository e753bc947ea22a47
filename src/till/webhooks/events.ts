// The text of a webhook event, written once: these bytes are stored, signed and sent (specification: invoicing, 8.1).
import { createHmac } from 'node:crypto'
import { formatGrin } from '../../grin/amount/index.js'
import { toHex } from '../../lib/bytes.js'
import { momentText } from '../../lib/moment-text.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { webhookKey } from '../../lib/webhooks.js'
import type { EventType, Invoice, Payment, QueuedEvent, WebhookEvent } from '../model.js'

export interface EventFacts {
  readonly type: Exclude<EventType, 'test.ping'>
  readonly payment: Pick<Payment, 'id' | 'amount' | 'payer' | 'userId' | 'minedHeight' | 'confirmations'>
  /** The invoice it settles, or null for an unmatched payment. */
  readonly invoice: Pick<Invoice, 'id' | 'orderRef'> | null
}

type Receivers = readonly { readonly receiver: number }[]

const newEventId = (random: RandomBytes): string => toHex(random.bytes(16))
const quoted = (value: string | null): string => JSON.stringify(value)

/** An event about a payment, due at once for each of the receivers. Amounts are written digit by digit: a JSON number made of a bigint stays exact. */
export function paymentEvent(
  { type, payment, invoice }: EventFacts,
  webhooks: Receivers,
  random: RandomBytes,
  now: number,
): QueuedEvent {
  const eventId = newEventId(random)
  const body = paymentBody({ type, payment, invoice }, eventId, now)
  const receivers = webhooks.map(({ receiver }) => receiver)
  return { eventId, type, invoiceId: invoice?.id ?? null, paymentId: payment.id, body, createdAt: now, receivers }
}

/** The body of `paymentEvent`; members in the contract's order, `confirmations` only on `payment.confirmed`. */
export function paymentBody({ type, payment, invoice }: EventFacts, eventId: string, now: number): string {
  const confirmed = type === 'payment.confirmed'
  const members = [
    `"slate_id":${quoted(payment.id)}`,
    `"amount":${payment.amount}`,
    `"amount_grin":${quoted(formatGrin(payment.amount))}`,
    `"status":${confirmed ? '"confirmed"' : '"received"'}`,
    `"payer":${quoted(payment.payer)}`,
    `"confirmed_height":${confirmed ? payment.minedHeight : null}`,
    ...(confirmed ? [`"confirmations":${payment.confirmations}`] : []),
  ]
  return (
    `{"event_id":${quoted(eventId)},"event_type":${quoted(type)},"created_at":${quoted(momentText(now))},` +
    `"payment":{${members.join(',')}},` +
    `"invoice_id":${quoted(invoice?.id ?? null)},"order_ref":${quoted(invoice?.orderRef ?? null)},` +
    `"user_id":${quoted(payment.userId)}}`
  )
}

/** A harmless event that tests the way to the receiver. Never a payment type. */
export function testEvent(receiver: number, random: RandomBytes, now: number): QueuedEvent {
  const eventId = newEventId(random)
  const body = JSON.stringify({
    event_id: eventId,
    event_type: 'test.ping',
    created_at: momentText(now),
    payment: null,
    invoice_id: null,
    order_ref: null,
    user_id: null,
  })
  return { eventId, type: 'test.ping', invoiceId: null, paymentId: null, body, createdAt: now, receivers: [receiver] }
}

// The headers of a webhook request: the till's own signature, the names older receivers know, and Standard Webhooks.

interface Signing {
  /** At least one, the secret in force first. */
  readonly secrets: readonly Secret[]
  /** Also send the original's header names. */
  readonly compat: boolean
  readonly version: string
}

/** `sha256=` and the hex HMAC-SHA256 of the body; the key is the secret's text as configured, prefix included. */
export const paySignature = (secret: Secret, body: string): string =>
  `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`

/** `v1,` and the base64 HMAC-SHA256 over id, timestamp and body; one per secret, separated by spaces. */
function standardSignature(secrets: readonly Secret[], id: string, timestamp: number, body: string): string {
  const signed = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => `v1,${createHmac('sha256', webhookKey(secret.reveal())).update(signed).digest('base64')}`)
    .join(' ')
}

/** All headers of one attempt at `now`; the body is sent exactly as stored. Throws RangeError without a secret, and for one that is no key. */
export function webhookHeaders(
  { eventId, type, body }: Pick<WebhookEvent, 'eventId' | 'type' | 'body'>,
  { secrets, compat, version }: Signing,
  now: number,
): Record<string, string> {
  const [current] = secrets
  if (!current) throw new RangeError('an event cannot be signed without a secret')
  const signature = paySignature(current, body)
  const timestamp = Math.floor(now / 1000)
  return {
    'content-type': 'application/json',
    'user-agent': `grinpay/${version}`,
    'x-pay-event': type,
    'x-pay-delivery': eventId,
    'x-pay-signature': signature,
    ...(compat && { 'x-goblinpay-delivery': eventId, 'x-goblinpay-signature': signature }),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standardSignature(secrets, eventId, timestamp, body),
  }
}
