// The headers of a webhook request: the till's own signature, the names older receivers know, and Standard Webhooks.
import { createHmac } from 'node:crypto'
import type { Secret } from '../../lib/secret.js'
import { webhookKey } from '../../lib/webhooks.js'
import type { WebhookEvent } from '../model.js'

export interface Signing {
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
