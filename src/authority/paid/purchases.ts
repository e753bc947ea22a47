// Buys grants: one invoice per key at a time, however many requests ask for it (specification: names, 9).
import { formatGrin } from '../../grin/amount/index.js'
import { causedBy, type GrinpayError, messageOf, telling } from '../../lib/errors.js'
import { paymentBackendUnavailable, paymentRequired } from '../errors.js'
import type { Grant, Resource } from '../model.js'
import type { BoughtInvoice, InvoiceState } from '../ports.js'
import { createSingleFlight } from '../single-flight.js'
import { type InvoiceCache, invoiceOutcome, type Polls, type SaleParts } from './polls.js'

export interface PurchaseParts extends SaleParts {
  readonly invoiceCache: InvoiceCache
  readonly polls: Polls
}

interface Need {
  readonly pubkey: string
  /** The serial of the order before this one. */
  readonly last: number
  /** The invoice of the grant to replace. */
  readonly replaces: string | null
}

/** For a repeated order_ref the service may return an invoice that has ended; the next serial makes a new order. */
const MOST_SERIALS = 3

const MEMO: Readonly<Record<Resource, string>> = { name: 'Name', write: 'Write access' }

export function createPurchases(parts: PurchaseParts) {
  const { store, clock, log, domain, sale, payments, invoiceCache, polls } = parts
  const flights = createSingleFlight<void>()

  async function order(pubkey: string, serial: number): Promise<BoughtInvoice> {
    const orderRef = `nameauth-${sale.resource}:${pubkey}:${serial}`
    const memo = `${MEMO[sale.resource]} (${domain})`
    const invoice = await payments.createInvoice({ orderRef, amount: sale.price, memo })
    const other = await store.grantOfInvoice(invoice.invoiceId)
    // One payment would settle both.
    if (other && (other.pubkey !== pubkey || other.resource !== sale.resource))
      throw new Error(`invoice ${invoice.invoiceId} belongs to another key already`)
    return invoice
  }

  async function invoiceFor(pubkey: string, last: number): Promise<BoughtInvoice & { readonly serial: number }> {
    for (let serial = last + 1; serial <= last + MOST_SERIALS; serial += 1) {
      const invoice = await order(pubkey, serial)
      if (invoiceOutcome(invoice) !== 'ended') return { ...invoice, serial }
    }
    throw new Error('the service answers with invoices that ended already')
  }

  async function buy({ pubkey, last, replaces }: Need): Promise<Grant> {
    const { serial, invoiceId, payUrl, ...state } = await invoiceFor(pubkey, last).catch((cause: unknown) => {
      log.warn({ pubkey, cause: messageOf(cause) }, 'the invoicing service made no invoice')
      throw causedBy(paymentBackendUnavailable(), cause)
    })
    const { resource, price: amount } = sale
    const fresh = { pubkey, resource, serial, invoiceId, payUrl, amount, createdAt: clock.now() }
    const stored = await store.saveGrant({ ...fresh, status: 'pending', paidAt: null }, replaces)
    // Another process bought and spent this invoice meanwhile, or the service returned a used one.
    if (stored === 'serial-used') {
      log.warn({ pubkey, invoice: invoiceId }, 'the invoice was used before')
      throw paymentBackendUnavailable()
    }
    if (stored.invoiceId !== invoiceId) return stored
    invoiceCache.remember(invoiceId, { state })
    log.info({ invoice: invoiceId, pubkey, resource }, 'invoice made')
    return stored
  }

  /**
   * The serial is read before the grant: a concurrent purchase for this key, or one interrupted before `saveGrant`, uses the same
   * order_ref, and the till returns the same invoice. Imported grants count from 0.
   */
  async function settleOrBuy(pubkey: string): Promise<Grant> {
    const last = await store.lastSerial(pubkey, sale.resource)
    const grant = await store.grant(pubkey, sale.resource)
    if (!grant) return buy({ pubkey, last, replaces: null })
    if (grant.status === 'paid') return grant
    const outcome = await polls.poll(grant)
    if (outcome === 'settled') return { ...grant, status: 'paid' }
    return outcome === 'ended' ? buy({ pubkey, last: Math.max(last, grant.serial), replaces: grant.invoiceId }) : grant
  }

  async function demand(pubkey: string): Promise<void> {
    const grant = await settleOrBuy(pubkey)
    if (grant.status !== 'paid') throw paymentDue(grant, invoiceCache.of(grant.invoiceId).state)
  }

  return {
    /** Resolves when the key has a paid grant. Rejects with PAYMENT_REQUIRED, PAYMENT_BACKEND_UNAVAILABLE. */
    demand: (pubkey: string): Promise<void> => flights.share(pubkey, () => demand(pubkey)),
  }
}

/** PAYMENT_REQUIRED with the invoice of the grant and its last polled state. */
function paymentDue(grant: Grant, state: InvoiceState | 'gone' | undefined): GrinpayError {
  const { resource, invoiceId, payUrl, amount } = grant
  return telling(paymentRequired(), {
    resource,
    invoice_id: invoiceId,
    pay_url: payUrl,
    price_grin: formatGrin(amount),
    price_nanogrin: amount,
    currency: 'GRIN',
    ...(state !== undefined && state !== 'gone' && progressOf(state)),
  })
}

/** Not `status`: in RFC 9457 that is the HTTP status. */
const progressOf = ({ status, confirmations, confirmationsRequired, scan = {} }: InvoiceState) => ({
  invoice_status: status,
  ...(confirmations !== undefined && { confirmations }),
  ...(confirmationsRequired !== undefined && { confirmations_required: confirmationsRequired }),
  ...(scan.nprofile !== undefined && { nprofile: scan.nprofile }),
  ...(scan.payLink !== undefined && { pay_link: scan.payLink }),
  ...(scan.qrSvg !== undefined && { qr_svg: scan.qrSvg }),
})
