// Selling names or write access for invoices of an invoicing service (specification: names, 9).
import type { AuthorityLoop, PaidAccess } from '../api.js'
import { badSignature, notForSale, nothingHere } from '../errors.js'
import { keyOf } from '../keys.js'
import type { Resource } from '../model.js'
import { limitCalls } from './call-limit.js'
import { createNudges } from './nudges.js'
import type { PaidParts, SaleParts } from './parts.js'
import { createPollLoop } from './poll-loop.js'
import { createPolls } from './polls.js'
import { createPurchases } from './purchases.js'
import { askedResource, namedInvoice } from './requests.js'
import { createSightings } from './sightings.js'
import { isSignedBy } from './webhook-signature.js'

/** What a sale does; without one names are free, every key may write and nothing can be quoted. */
interface Shop {
  readonly resource: Resource | undefined
  /** Rejects until the key has a paid grant of `resource`. */
  demand(pubkey: string): Promise<void>
  hasPaidToWrite(pubkey: string): Promise<boolean>
  nudge(invoiceId: string): Promise<void>
  readonly loops: readonly AuthorityLoop[]
}

const NO_SHOP: Shop = {
  resource: undefined,
  demand: async () => undefined,
  hasPaidToWrite: async () => true,
  nudge: async () => undefined,
  loops: [],
}

function openShop(given: SaleParts): Shop {
  const parts = { ...given, payments: limitCalls(given.payments), sightings: createSightings() }
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
    nudge: createNudges({ ...parts, polls }),
    loops: [createPollLoop({ ...parts, polls })],
  }
}

function shopOf({ settings, payments, store, clock, log }: PaidParts): Shop {
  const { domain, sale, pollIntervalSeconds } = settings
  if (!sale) return NO_SHOP
  if (!payments) throw new TypeError('a sale needs an invoicing service')
  return openShop({ store, clock, log, domain, sale, payments, pollIntervalMs: pollIntervalSeconds * 1000 })
}

/** Throws TypeError for a sale without an invoicing service. */
export function createPaidAccess(parts: PaidParts): PaidAccess & { readonly loops: readonly AuthorityLoop[] } {
  const { webhookSecret } = parts
  const shop = shopOf(parts)
  return {
    async requireName(pubkey) {
      if (shop.resource !== 'name') return false
      await shop.demand(pubkey)
      return true
    },
    async isWritePaid(text) {
      const pubkey = keyOf(text)
      return pubkey === undefined ? undefined : { pubkey, paid: await shop.hasPaidToWrite(pubkey) }
    },
    async quote({ pubkey }, body) {
      const asked = askedResource(body)
      const { resource } = shop
      if (resource === undefined || asked !== resource) throw notForSale()
      await shop.demand(pubkey)
      return { resource, pubkey }
    },
    async webhook(body, signature) {
      if (!webhookSecret) throw nothingHere()
      if (!isSignedBy(webhookSecret, body, signature)) throw badSignature()
      const invoiceId = namedInvoice(body)
      if (invoiceId !== undefined) await shop.nudge(invoiceId)
    },
    loops: shop.loops,
  }
}
