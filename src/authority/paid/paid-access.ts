// Sells names or write access for invoices of an invoicing service (specification: names, 9).
import type { Secret } from '../../lib/secret.js'
import type { AuthorityLoop, AuthoritySettings, PaidAccess } from '../api.js'
import { badWebhookSignature, notForSale, nothingHere } from '../errors.js'
import { parseKey, type Resource } from '../model.js'
import type { Clock, GrantStore, Log, PaymentService } from '../ports.js'
import { createInvoiceCache } from './invoice-cache.js'
import { createPollLoop, createPolls, type SaleParts } from './polls.js'
import { createPurchases } from './purchases.js'
import { askedResource, createWebhookPolls, isWebhookSignedBy, namedInvoice } from './webhooks.js'

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
