// The two signature families of a webhook (specification: invoicing, 8.2; Standard Webhooks), as a receiver checks them.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../lib/secret.js'
import { webhookKey } from '../lib/webhooks.js'

/** How far a Standard Webhooks timestamp may be off, in seconds. */
const TIMESTAMP_TOLERANCE = 300

export type HeaderValues = Readonly<Record<string, string | string[] | undefined>>

export interface SignedWebhook {
  readonly headers: HeaderValues
  /** The received bytes, or their text. */
  readonly body: string | Uint8Array
}

/** The first fault of the signatures, or undefined if both families are valid. */
export function refusalOf(request: SignedWebhook, secret: Secret, nowMs: number): string | undefined {
  return payRefusal(request, secret) ?? standardRefusal(request, [secret], nowMs)
}

const one = (headers: HeaderValues, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function same(presented: string, expected: string): boolean {
  const [a, b] = [Buffer.from(presented), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function payRefusal({ headers, body }: SignedWebhook, secret: Secret): string | undefined {
  const presented = one(headers, 'x-pay-signature')
  if (presented === '') return 'no X-Pay-Signature header'
  const expected = `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`
  return same(presented, expected) ? undefined : 'X-Pay-Signature does not match'
}

/**
 * The first fault of the Standard Webhooks headers. A signature by one of the secrets is enough. Throws RangeError when one of them is no
 * key, whatever the headers are: a mistyped secret shows at the first request.
 */
export function standardRefusal(
  { headers, body }: SignedWebhook,
  secrets: readonly Secret[],
  nowMs: number,
): string | undefined {
  const keys = secrets.map((secret) => webhookKey(secret.reveal()))
  const [id, timestamp] = [one(headers, 'webhook-id'), one(headers, 'webhook-timestamp')]
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return 'no webhook-id or webhook-timestamp header'
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > TIMESTAMP_TOLERANCE) return 'webhook-timestamp is too far off'
  const presented = one(headers, 'webhook-signature').split(' ')
  const isBy = (key: Uint8Array): boolean => {
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')
    return presented.some((signature) => same(signature, `v1,${mac}`))
  }
  return keys.some(isBy) ? undefined : 'webhook-signature does not match'
}
