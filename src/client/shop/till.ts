import { decimalUnits } from '../../lib/decimal.js'
import { Secret } from '../../lib/secret.js'
import { createInvoicingClient } from '../invoicing-client.js'
import type { Invoice, NewInvoice } from './types.js'

/** Which till, and how it is asked. */
export interface ConnectParts {
  /** The public address of the till, mount path included: `https://pay.shop.example`. */
  readonly url: string
  /** `pay_live_…`; keep it in a file or variable of the server, never in a page. */
  readonly apiToken: string
  /** Milliseconds for each request; 15 000 when absent. */
  readonly timeoutMs?: number
}

/** A till as a shop uses it. Every verb rejects with a `TillError`: its `code` is the stable word, `status` the till's HTTP status. */
export interface ShopTill {
  /**
   * With an `idempotencyKey` (1 to 128 visible ASCII characters, such as the order's number) the same request within 24 hours answers
   * the first invoice again, so a request may be repeated after every failure. Another body under the same key is refused.
   */
  createInvoice(order: NewInvoice, options?: { readonly idempotencyKey?: string }): Promise<Invoice>
  /** INVOICE_NOT_FOUND when there is none. */
  invoice(invoiceId: string): Promise<Invoice>
}

/** Connects to nothing yet: the first verb does. */
export function connectTill({ url, apiToken, timeoutMs }: ConnectParts): ShopTill {
  const client = createInvoicingClient({
    baseUrl: url,
    apiToken: new Secret(apiToken),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  return {
    async createInvoice(order, { idempotencyKey } = {}) {
      return plain(await client.createInvoice(order, idempotencyKey))
    },
    async invoice(invoiceId) {
      return plain(await client.invoice(invoiceId))
    },
  }
}

/** The till takes no invoice above 2^53-1 nanogrin, so a number holds it. */
const plain = (view: Awaited<ReturnType<ReturnType<typeof createInvoicingClient>['invoice']>>): Invoice => ({
  ...view,
  amount_nanogrin: Number(view.amount_nanogrin),
})

/** GRIN as people write it, in nanogrin: "1.5" is 1 500 000 000. Throws RangeError for anything that is no amount a till takes. */
export function nanogrin(grin: string): number {
  const units = decimalUnits(grin, 9)
  if (units === undefined || units < 1n || units > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`not an amount in GRIN: "${grin.slice(0, 24)}"`)
  return Number(units)
}
