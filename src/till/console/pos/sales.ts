// The point of sale on this till: its sales are ordinary invoices, made by the same verb as POST /invoice.
import type { NanoGrin } from '../../../grin/amount/index.js'
import { bodyDigest, type Readiness } from '../../../http/index.js'
import { type Progress, progressOf } from '../../../lib/payment-words.js'
import type { Clock } from '../../../lib/ports.js'
import type { Till } from '../../api.js'
import type { Invoice } from '../../model.js'
import { scannedLink } from '../../nostr/links.js'
import type { Rates } from '../../outside-ports.js'
import type { SaleReads, SaleRow } from '../../sale-reads.js'
import { createRateLook, type RateLookParts } from './rate-look.js'

/** The least that turns the screen green (PAY_POS_PAID_AT). */
export type PaidFrom = Exclude<Progress, 'signed'>

/** A sale made at the point of sale: an invoice whose order begins with `pos-`. Its memo is what the customer reads, with the tip in it. */
export interface Sale extends SaleRow {
  /** Where its payment stands; null: the till has signed none. */
  readonly progress: Progress | null
  /** What the counter calls paid. */
  readonly paidFrom: PaidFrom
  /** Confirmations after which it is confirmed. */
  readonly required: number
}

export interface NewSale {
  /** The same for one form: a second creation with it answers the first sale. */
  readonly key: string
  /** `pos-20261123-124605-7f3a9c`: later sales sort later. */
  readonly reference: string
  readonly price: { readonly grin: NanoGrin } | { readonly fiat: string; readonly currency: string }
  readonly note: string | null
  /** Part of the price: decimal text in its currency. */
  readonly tip: string | null
}

/** A currency of the till; `rate` is fiat per GRIN, null: there is none now, undefined: not known yet. */
export interface PricedCurrency {
  /** Lower case. */
  readonly code: string
  readonly rate: string | null | undefined
}

export type Sales = ReturnType<typeof createSales>

export interface SalesParts {
  readonly till: Till
  readonly store: SaleReads
  readonly rates: Pick<Rates, 'rate'>
  readonly readiness: Readiness
  /** Whether customers are offered payments over Nostr. */
  readonly offersWallets: boolean
  /** What the counter calls paid (PAY_POS_PAID_AT). */
  readonly paidFrom: PaidFrom
  /** The command that pays like a customer, on a till that plays; else null. */
  readonly payCommand: (id: string) => string | null
  readonly clock: RateLookParts['clock'] & Pick<Clock, 'now'>
}

const PREFIX = 'pos-'

/** A customer at the counter pays at once; a price in fiat may end sooner (PAY_QUOTE_TTL). */
const EXPIRY_SECONDS = 900
const LEAST_WAIT_MS = 1000
/** What `/ready` finds is shown as last heard of where asking takes longer. */
const PATIENCE_MS = 10

export function createSales(parts: SalesParts) {
  const { till, store, readiness, clock } = parts
  const { currencies, publicUrl } = till.settings
  const rateOf = createRateLook(parts)
  let failed: readonly string[] = []

  async function look(): Promise<void> {
    const findings = await readiness.findings()
    failed = findings.filter(({ ok, informative }) => !ok && !informative).map(({ name }) => name)
  }

  const isSale = ({ orderRef }: Invoice): boolean => orderRef?.startsWith(PREFIX) ?? false

  async function findInvoice(id: string): Promise<Invoice | undefined> {
    const invoice = await till.findInvoice(id)
    return invoice && isSale(invoice) ? invoice : undefined
  }

  async function saleOf(invoice: SaleRow): Promise<Sale> {
    const { paymentId, status } = invoice
    const payment = status === 'paid' && paymentId !== null ? await till.findPayment(paymentId) : undefined
    const isSigned = status === 'paid' || status === 'confirmed'
    const { confirmations } = invoice
    const progress = isSigned ? progressOf({ status, confirmations, settlement: payment?.settlement }) : null
    return { ...rowOf(invoice), progress, paidFrom: parts.paidFrom, required: till.settings.confirmations }
  }

  return {
    /** Waits for no source longer than a fraction of a second. */
    currencies: (): Promise<readonly PricedCurrency[]> =>
      Promise.all(currencies.map(async (code) => ({ code, rate: await rateOf(code) }))),
    /** Parts of the till that are not ready, by name; empty: all are. */
    async notReady(): Promise<readonly string[]> {
      const patience = new AbortController()
      await Promise.race([look(), clock.sleep(PATIENCE_MS, patience.signal)])
      patience.abort()
      return failed
    },
    /** Throws what creating an invoice throws: RATE_UNAVAILABLE, AMOUNT_OUT_OF_RANGE, WALLET_STOPPED, IDEMPOTENCY_MISMATCH and others. */
    async open(sale: NewSale): Promise<{ readonly sale: Sale; readonly isRepeated: boolean }> {
      const { key, ...request } = sale
      const created = await till.createInvoice(requestOf(sale), { key: `pos:${key}`, digest: digestOf(request) })
      return { sale: await saleOf(created.invoice), isRepeated: created.replayed }
    },
    /** Undefined also for an invoice that was not made at the point of sale. */
    async find(id: string): Promise<Sale | undefined> {
      const invoice = await findInvoice(id)
      return invoice && saleOf(invoice)
    },
    /** What the customer scans: `wallet` is null where the till offers no payment over Nostr; `page` is for every other wallet. */
    async codes(id: string) {
      const invoice = await findInvoice(id)
      if (!invoice) return undefined
      const wallet = parts.offersWallets ? scannedLink(invoice, till.settings.uriScheme) : null
      return { wallet, page: `${publicUrl}/pay/${invoice.token}` }
    },
    /** Answers the sale once it is no longer as the caller saw it, or after `ms`, or on abort; unchanged not before a second. */
    async changed(seen: Sale, ms: number, signal: AbortSignal): Promise<Sale> {
      const before = await till.findInvoice(seen.id)
      if (!before) return seen
      const current = await saleOf(before)
      if (!isSame(current, seen)) return current
      const startedAt = clock.now()
      const after = await saleOf(await till.changed(before, ms, signal))
      // Where too many wait already, the answer comes at once.
      const rest = Math.min(LEAST_WAIT_MS, startedAt + LEAST_WAIT_MS - clock.now())
      if (isSame(after, seen) && rest > 0) await clock.sleep(rest, signal)
      return after
    },
    /** Throws INVOICE_NOT_OPEN. */
    cancel: async (id: string) => void (await till.cancelInvoice(id)),
    /** Newest first. */
    latest: async (limit: number): Promise<readonly Sale[]> =>
      Promise.all((await store.latestOfOrders(PREFIX, limit)).map(saleOf)),
    payCommand: parts.payCommand,
  }
}

const isSame = (a: Sale, b: Sale): boolean =>
  a.status === b.status && a.confirmations === b.confirmations && a.progress === b.progress

const requestOf = ({ price, note, reference, tip }: NewSale): Parameters<Till['createInvoice']>[0] => ({
  ...('grin' in price ? { amountNanogrin: price.grin } : { amountFiat: price.fiat, currency: price.currency }),
  ...(note !== null && { memo: note }),
  ...(tip !== null && { tip }),
  orderRef: reference,
  expirySecs: EXPIRY_SECONDS,
})

/** What makes two sends of a form the same sale: not the moment that its reference names. */
const digestOf = ({ price, note }: Pick<NewSale, 'price' | 'note'>): string =>
  bodyDigest('grin' in price ? { grin: String(price.grin), note } : { ...price, note })

/** Of an invoice that came whole, what a cashier's page may know. */
const rowOf = ({ id, status, amount, fiat, orderRef, memo, ...times }: SaleRow): SaleRow => {
  const { expiresAt, createdAt, paidAt, paymentId, confirmations, tip } = times
  return { id, status, amount, fiat, orderRef, memo, expiresAt, createdAt, paidAt, paymentId, confirmations, tip }
}
