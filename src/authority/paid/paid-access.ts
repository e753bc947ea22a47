// Selling names or write access for invoices of an invoicing service (specification: names, 9).
import type { AuthorityLoop, PaidAccess } from '../api.js'
import { badSignature, notForSale, nothingHere } from '../errors.js'
import type { PaidParts } from './parts.js'
import { askedResource, keyOf, namedInvoice } from './requests.js'
import { isSignedBy } from './webhook-signature.js'

export type { PaidParts } from './parts.js'

/** Without a sale names are free, every key may write, nothing can be quoted. */
export function createPaidAccess(parts: PaidParts): PaidAccess & { readonly loops: readonly AuthorityLoop[] } {
  const { webhookSecret } = parts
  return {
    requireName: async () => false,
    async isWritePaid(text) {
      const pubkey = keyOf(text)
      return pubkey === undefined ? undefined : { pubkey, paid: true }
    },
    async quote(_caller, body) {
      askedResource(body)
      throw notForSale()
    },
    async webhook(body, signature) {
      if (!webhookSecret) throw nothingHere()
      if (!isSignedBy(webhookSecret, body, signature)) throw badSignature()
      namedInvoice(body)
    },
    loops: [],
  }
}
