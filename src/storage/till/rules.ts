// What the verbs of a till decide from what they read.
import type {
  AcceptPaymentAnswer,
  AssignAnswer,
  Invoice,
  InvoiceSlate,
  InvoiceStore,
  Payment,
  Settlement,
  Sighting,
} from '../../till/index.js'
import { type Happening, next, statusAfter } from '../../till/invoices/transitions.js'

/**
 * The rails that queries and partial indexes of the store name: the one with invoice slates, and the one whose replies are messages.
 * test/till/rails.test.ts holds them against the table of rails.
 */
export const SLATE_RAIL = 'grin1'
export const REPLY_RAIL = 'nostr'

/** How long an idempotency key is remembered, in milliseconds. */
export const KEY_LIFE = 24 * 3600 * 1000

/** No payment has it, and the table lets this happen to it. */
const isFree = ({ status, paymentId }: Invoice, happening: Happening): boolean =>
  paymentId === null && next(status, happening) !== undefined

/** In the order the port names. */
export function acceptRefusal(
  invoice: Invoice,
  { amount }: Pick<Payment, 'amount'>,
  cutoff: number,
): AcceptPaymentAnswer | undefined {
  if (!isFree(invoice, 'payment-accepted') || (invoice.expiresAt ?? Number.POSITIVE_INFINITY) <= cutoff)
    return { outcome: 'not-open', status: invoice.status === 'open' ? 'expired' : invoice.status }
  return invoice.amount === amount ? undefined : { outcome: 'other-amount', amount: invoice.amount }
}

/** A caller's bug. */
export const notStored = (payment: Pick<Payment, 'id'>): Error =>
  new Error(`payment ${payment.id} for an invoice that is not stored`)

/** What it means for an invoice that this payment is assigned to it. */
const assigning = ({ settlement }: Payment): Happening =>
  settlement === 'confirmed' ? 'confirmed-payment-assigned' : 'payment-accepted'

/** Only a payment that has no invoice, for an invoice that has no payment, over exactly its amount. */
export function assignRefusal(payment: Payment, invoice: Invoice, seen: Settlement): AssignAnswer | undefined {
  if (payment.invoiceId !== null) return 'already-matched'
  if (payment.settlement === 'abandoned' || !isFree(invoice, assigning(payment))) return 'not-assignable'
  if (payment.amount !== invoice.amount) return 'other-amount'
  return payment.settlement === seen ? undefined : 'moved'
}

/** What an invoice becomes when this payment is assigned to it. */
export const assigned = (payment: Payment, now: number) => ({
  status: statusAfter(assigning(payment)),
  paidAt: now,
  confirmedAt: payment.settlement === 'confirmed' ? now : null,
  paymentId: payment.id,
  confirmations: payment.confirmations,
})

type Quote = Parameters<InvoiceStore['requote']>[2]

/**
 * What a new price changes; undefined: refused. It also brings an expired invoice back; one that was ever paid keeps the price it was
 * paid at.
 */
export function requoted(before: Invoice | undefined, seen: number, quote: Quote): Partial<Invoice> | undefined {
  if (!before?.fiat || before.requotes !== seen || before.paymentId !== null) return undefined
  if (!next(before.status, 'repriced')) return undefined
  const { amount, fiat, expiresAt, payLink, qrSvg } = quote
  return { amount, fiat, expiresAt, payLink, qrSvg, status: statusAfter('repriced'), requotes: seen + 1 }
}

/** Open on the rail, and the price is still that of the slate. */
export const isWanted = (invoice: Invoice, slate: InvoiceSlate): boolean =>
  invoice.offeredRail === SLATE_RAIL && invoice.status === 'open' && invoice.amount === slate.amount

/** Throws when the new invoice does not show the slate that it is stored with. */
export function requireShown(invoice: Invoice, slate: InvoiceSlate): void {
  if (slate.invoiceId !== invoice.id || slate.slateId !== invoice.slateId || invoice.slatepack === null)
    throw new Error(`invoice ${invoice.id} does not show the slate it is stored with`)
}

/** The payment as a sighting leaves it. */
export function sighted(before: Payment, sighting: Sighting, now: number): Payment {
  const minedAt = sighting.minedHeight === null ? null : (before.minedAt ?? now)
  return { ...before, settlement: settlementAfter(before.settlement, sighting.settlement), minedAt }
}

/**
 * A missing kernel (`replied`) neither marks an unsent reply as sent nor revives an abandoned payment: only a sighted kernel does that.
 */
function settlementAfter(before: Settlement, seen: Sighting['settlement']): Settlement {
  if (seen === 'replied' && (before === 'received' || before === 'abandoned')) return before
  return seen
}

/** The payment as its confirmation leaves it. */
export const confirmed = (before: Payment, now: number): Payment => ({
  ...before,
  settlement: 'confirmed',
  minedAt: before.minedAt ?? now,
  confirmedAt: now,
})

/** A kernel in sight says that the payer has the reply. */
export const hasReply = (settlement: Settlement): boolean =>
  settlement === 'seen' || settlement === 'mined' || settlement === 'confirmed'

/** The till's own transaction goes to the node until it is in a block. */
export const isPushed = (settlement: Settlement): boolean =>
  settlement === 'received' || settlement === 'replied' || settlement === 'seen'

/** Whether the invoice stands `confirmed` and names this payment: what the payment was once meant for may have gone on without it. */
export const isSettledBy = (invoice: Invoice | undefined, { id }: Payment): invoice is Invoice =>
  invoice?.status === 'confirmed' && invoice.paymentId === id
