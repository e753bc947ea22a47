import { Secret } from '../../lib/secret.js'
import { webhookRefused } from '../errors.js'
import { type HeaderValues, standardRefusal } from '../signatures.js'
import type { ShopEvent } from './types.js'

interface HeaderReader {
  /** The value of a header, or null without it. */
  get(name: string): string | null
}

/** A webhook as it came in, and the secret it must be signed with. */
export interface VerifyParts {
  /** As Node gives them (`request.headers`), or as fetch does (`request.headers` of a `Request`). */
  readonly headers: HeaderValues | HeaderReader
  /** The raw body, before anything parsed it. */
  readonly body: string | Uint8Array
  /** The webhook secret; several while it is being replaced. */
  readonly secret: string | readonly string[]
  /** Epoch milliseconds; the clock of this machine when absent. */
  readonly now?: number
}

/**
 * The event, when its signature is right and its timestamp within five minutes. Looks at the Standard Webhooks headers: unlike
 * X-Pay-Signature they cover the time and, while a secret is replaced, hold a signature for the old one too. Throws WEBHOOK_REFUSED,
 * and RangeError without a secret, or for one that is empty or no standard base64 of 24 bytes after `whsec_`: every client could sign with
 * the key that a lenient decoder makes of it.
 */
export function verifyWebhook({ headers, body, secret, now = Date.now() }: VerifyParts): ShopEvent {
  const texts = typeof secret === 'string' ? [secret] : secret
  if (texts.length === 0) throw new RangeError('there is no webhook secret')
  const secrets = texts.map((text) => new Secret(text))
  const refusal = standardRefusal({ headers: readable(headers), body }, secrets, now)
  if (refusal !== undefined) throw webhookRefused(refusal)
  const event: unknown = JSON.parse(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))
  if (!isEvent(event)) throw webhookRefused('it is signed, but no event of a till')
  return event
}

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

function readable(headers: VerifyParts['headers']): HeaderValues {
  if (typeof headers.get !== 'function') return headers as HeaderValues
  const { get } = headers
  return Object.fromEntries(HEADERS.map((name) => [name, get.call(headers, name) ?? undefined]))
}

/** Who holds the secret made it; a later version may know more types, which a `switch` passes over. */
const isEvent = (value: unknown): value is ShopEvent =>
  typeof value === 'object' && value !== null && 'event_id' in value && 'event_type' in value
