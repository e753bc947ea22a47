// A webhook only triggers a poll (specification: names, 9): the authority trusts what the service answers then.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import type { Secret } from '../../lib/secret.js'
import { invalidBody } from '../errors.js'
import type { Polls, SaleParts } from './polls.js'

/** Token bucket of polls. What exceeds it is left to the poll loop: a flood of webhooks must not become a flood of polls. */
const BURST = 60
const PER_SECOND = 4

export function createWebhookPolls({
  store,
  clock,
  polls,
}: Pick<SaleParts, 'store' | 'clock'> & { readonly polls: Polls }) {
  let budget = BURST
  let countedAt = clock.now()

  function spend(): boolean {
    const now = clock.now()
    budget = Math.min(BURST, budget + (Math.max(0, now - countedAt) / 1000) * PER_SECOND)
    countedAt = now
    if (budget < 1) return false
    budget -= 1
    return true
  }

  /** Resolves when the invoice was polled, needs no poll, or the bucket is empty. */
  return async function pollFromWebhook(invoiceId: string): Promise<void> {
    const grant = await store.grantOfInvoice(invoiceId)
    if (grant?.status === 'pending' && spend()) await polls.pollAnew(grant)
  }
}

const FORM = /^sha256=([0-9a-f]{64})$/i

/** Whether the header is `sha256=` and the hex HMAC-SHA256 of these bytes. Constant-time. */
export function isWebhookSignedBy(secret: Secret, body: Uint8Array, header: string | undefined): boolean {
  const [, presented] = FORM.exec(header ?? '') ?? []
  if (presented === undefined) return false
  const expected = createHmac('sha256', secret.reveal()).update(body).digest()
  return timingSafeEqual(Buffer.from(presented, 'hex'), expected)
}

/** The resource that a quote asks for (specification: names, 6 "Quote"). Throws INVALID_BODY. */
export function askedResource(body: Uint8Array): string {
  const { resource } = membersOf(read(body))
  if (typeof resource !== 'string') throw invalidBody()
  return resource
}

/** The invoice that a webhook names, if it names one. Throws INVALID_BODY for what is no JSON (specification: names, 9). */
export function namedInvoice(body: Uint8Array): string | undefined {
  const value = read(body)
  if (value === undefined) throw invalidBody()
  const { invoice_id: id } = membersOf(value)
  return typeof id === 'string' && id !== '' ? id : undefined
}

const read = (body: Uint8Array): unknown => parseJson(new TextDecoder().decode(body))
