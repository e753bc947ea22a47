// Verifies webhook signatures of the invoicing service (specification: names, 9; invoicing, 8.2).
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../../lib/secret.js'

const FORM = /^sha256=([0-9a-f]{64})$/i

/** Whether the header is `sha256=` and the hex HMAC-SHA256 of these bytes. Constant-time. */
export function isWebhookSignedBy(secret: Secret, body: Uint8Array, header: string | undefined): boolean {
  const [, presented] = FORM.exec(header ?? '') ?? []
  if (presented === undefined) return false
  const expected = createHmac('sha256', secret.reveal()).update(body).digest()
  return timingSafeEqual(Buffer.from(presented, 'hex'), expected)
}
