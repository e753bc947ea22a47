// From nothing to a paid grant: one invoice per key at a time, however many requests ask for it (specification: names, 9).
import { causedBy, messageOf } from '../../lib/errors.js'
import { paymentBackendUnavailable } from '../errors.js'
import type { Grant, Resource } from '../model.js'
import type { BoughtInvoice } from '../ports.js'
import { createSingleFlight } from '../single-flight.js'
import type { SaleParts } from './parts.js'
import { paymentDue } from './payment-due.js'
import type { Polls } from './polls.js'
import type { Sightings } from './sightings.js'
import { verdictOn } from './verdict.js'

export interface PurchaseParts extends SaleParts {
  readonly sightings: Sightings
  readonly polls: Polls
}

interface Need {
  readonly pubkey: string
  /** The serial of the order before this one. */
  readonly last: number
  /** The invoice of the grant that is to be replaced. */
  readonly replaces: string | null
}

/** A service that repeats an invoice for a repeated order_ref may repeat one that ended long ago; the next serial is a new order. */
const MOST_SERIALS = 3

const MEMO: Readonly<Record<Resource, string>> = { name: 'Name', write: 'Write access' }

export function createPurchases(parts: PurchaseParts) {
  const { store, clock, log, domain, sale, payments, sightings, polls } = parts
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
      if (verdictOn(invoice) !== 'ended') return { ...invoice, serial }
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
    // Another process bought and spent this very invoice meanwhile, or the service hands out one that was used before.
    if (stored === 'serial-used') {
      log.warn({ pubkey, invoice: invoiceId }, 'the invoice was used before')
      throw paymentBackendUnavailable()
    }
    if (stored.invoiceId !== invoiceId) return stored
    sightings.remember(invoiceId, { state })
    log.info({ invoice: invoiceId, pubkey, resource }, 'invoice made')
    return stored
  }

  /**
   * The serial is read before the grant: whoever else buys for this key at the same time, or was cut off before `saveGrant`, made
   * the same order, which the till answers with the same invoice. A grant that was taken over from elsewhere counts from 0.
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
    if (grant.status !== 'paid') throw paymentDue(grant, sightings.of(grant.invoiceId).state)
  }

  return {
    /** Resolves when the key has a paid grant. Rejects with PAYMENT_REQUIRED, PAYMENT_BACKEND_UNAVAILABLE. */
    demand: (pubkey: string): Promise<void> => flights.share(pubkey, () => demand(pubkey)),
  }
}
