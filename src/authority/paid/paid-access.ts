// Sells names or write access for invoices of an invoicing service (specification: names, 9).
import { createHmac, timingSafeEqual } from 'node:crypto'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { Secret } from '../../lib/secret.js'
import type { AuthorityLoop, AuthoritySettings, PaidAccess } from '../api.js'
import { badWebhookSignature, invalidBody, notForSale, nothingHere } from '../errors.js'
import { parseKey, type Resource } from '../model.js'
import type { GrantStore, PaymentService } from '../ports.js'
import { createInvoiceCache, createPollLoop, createPolls, type Polls, type SaleParts } from './polls.js'
import { createPurchases } from './purchases.js'

interface PaidParts {
  readonly store: GrantStore
  readonly clock: Clock
  readonly log: Log
  readonly settings: Pick<AuthoritySettings, 'domain' | 'sale' | 'pollIntervalSeconds'>
  /** Required when something is for sale. */
  readonly payments: PaymentService | undefined
  /** Undefined: the webhook receiver does not exist. */
  readonly webhookSecret: Secret | undefined
}

/** Access as a sale grants it. Without a sale names are free, every key may write and nothing is quoted. */
interface SaleAccess {
  readonly resource: Resource | undefined
  /** Rejects until the key has a paid grant of `resource`. */
  demand(pubkey: string): Promise<void>
  hasPaidToWrite(pubkey: string): Promise<boolean>
  pollFromWebhook(invoiceId: string): Promise<void>
  readonly loops: readonly AuthorityLoop[]
}

const NO_SALE: SaleAccess = {
  resource: undefined,
  demand: async () => undefined,
  hasPaidToWrite: async () => true,
  pollFromWebhook: async () => undefined,
  loops: [],
}

function openSale(given: SaleParts): SaleAccess {
  const parts = { ...given, payments: limitCalls(given.payments), invoiceCache: createInvoiceCache() }
  const { store, sale } = parts
  const polls = createPolls(parts)
  const purchases = createPurchases({ ...parts, polls })

  async function hasPaid(pubkey: string): Promise<boolean> {
    const grant = await store.grant(pubkey, 'write')
    if (grant?.status !== 'pending') return grant !== undefined
    return (await polls.poll(grant)) === 'settled'
  }

  return {
    resource: sale.resource,
    demand: purchases.demand,
    hasPaidToWrite: async (pubkey) => sale.resource !== 'write' || hasPaid(pubkey),
    pollFromWebhook: createWebhookPolls({ ...parts, polls }),
    loops: [createPollLoop({ ...parts, polls })],
  }
}

function saleAccessOf({ settings, payments, store, clock, log }: PaidParts): SaleAccess {
  const { domain, sale, pollIntervalSeconds } = settings
  if (!sale) return NO_SALE
  if (!payments) throw new TypeError('a sale needs an invoicing service')
  return openSale({ store, clock, log, domain, sale, payments, pollIntervalMs: pollIntervalSeconds * 1000 })
}

/** Throws TypeError for a sale without an invoicing service. */
export function createPaidAccess(parts: PaidParts): PaidAccess & { readonly loops: readonly AuthorityLoop[] } {
  const { webhookSecret } = parts
  const access = saleAccessOf(parts)
  return {
    async requireName(pubkey) {
      if (access.resource !== 'name') return false
      await access.demand(pubkey)
      return true
    },
    async isWritePaid(text) {
      const pubkey = parseKey(text)
      return pubkey === undefined ? undefined : { pubkey, paid: await access.hasPaidToWrite(pubkey) }
    },
    async quote({ pubkey }, body) {
      const asked = askedResource(body)
      const { resource } = access
      if (resource === undefined || asked !== resource) throw notForSale()
      await access.demand(pubkey)
      return { resource, pubkey }
    },
    async webhook(body, signature) {
      if (!webhookSecret) throw nothingHere()
      if (!isWebhookSignedBy(webhookSecret, body, signature)) throw badWebhookSignature()
      const invoiceId = namedInvoice(body)
      if (invoiceId !== undefined) await access.pollFromWebhook(invoiceId)
    },
    loops: access.loops,
  }
}

/** Enough for every sale; a service that does not answer must not hold a socket for each of a hundred thousand keys. */
const MOST_CALLS = 256

/** The same service; it rejects calls above the limit. */
function limitCalls(payments: PaymentService, most = MOST_CALLS): PaymentService {
  let underWay = 0

  async function limited<T>(call: () => Promise<T>): Promise<T> {
    if (underWay >= most) throw new Error(`${most} requests to the invoicing service are under way already`)
    underWay += 1
    try {
      return await call()
    } finally {
      underWay -= 1
    }
  }

  return {
    createInvoice: (order) => limited(() => payments.createInvoice(order)),
    readInvoice: (invoiceId) => limited(() => payments.readInvoice(invoiceId)),
  }
}

// A webhook only triggers a poll (specification: names, 9): the authority trusts what the service answers then.

/** Token bucket of polls. What exceeds it is left to the poll loop: a flood of webhooks must not become a flood of polls. */
const BURST = 60
const PER_SECOND = 4

function createWebhookPolls({ store, clock, polls }: Pick<SaleParts, 'store' | 'clock'> & { readonly polls: Polls }) {
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
function isWebhookSignedBy(secret: Secret, body: Uint8Array, header: string | undefined): boolean {
  const [, presented] = FORM.exec(header ?? '') ?? []
  if (presented === undefined) return false
  const expected = createHmac('sha256', secret.reveal()).update(body).digest()
  return timingSafeEqual(Buffer.from(presented, 'hex'), expected)
}

/** The resource that a quote asks for (specification: names, 6 "Quote"). Throws INVALID_BODY. */
function askedResource(body: Uint8Array): string {
  const { resource } = membersOf(read(body))
  if (typeof resource !== 'string') throw invalidBody()
  return resource
}

/** The invoice that a webhook names, if it names one. Throws INVALID_BODY for what is no JSON (specification: names, 9). */
function namedInvoice(body: Uint8Array): string | undefined {
  const value = read(body)
  if (value === undefined) throw invalidBody()
  const { invoice_id: id } = membersOf(value)
  return typeof id === 'string' && id !== '' ? id : undefined
}

const read = (body: Uint8Array): unknown => parseJson(new TextDecoder().decode(body))
