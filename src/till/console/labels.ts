// Words and tones of the till's states: the same on every page, and in black and white the word alone tells.
import type { Tag } from '../../console/index.js'
import { invoiceWord, SETTLEMENT_WORDS } from '../../lib/payment-words.js'
import type { DeliveryState, InvoiceStatus, Settlement } from '../model.js'
import type { ListedInvoice } from './search.js'

/** In the order of the filter. */
export const INVOICE_STATUSES: Readonly<Record<InvoiceStatus, Tag>> = {
  open: { text: 'open', tone: 'quiet' },
  // Of a payment under way more is known: `invoiceTag`.
  paid: { text: 'signed, not confirmed', tone: 'warn' },
  confirmed: { text: 'confirmed', tone: 'good' },
  expired: { text: 'expired', tone: 'quiet' },
  cancelled: { text: 'cancelled', tone: 'quiet' },
}

/** Not "paid" for a payment that may never have been sent. */
export function invoiceTag({
  status,
  ...invoice
}: Pick<ListedInvoice, 'status' | 'confirmations' | 'settlement'>): Tag {
  const tag = INVOICE_STATUSES[status]
  return status === 'paid' ? { ...tag, text: invoiceWord({ status, ...invoice }) } : tag
}

export const SETTLEMENTS: Readonly<Record<Settlement, Tag>> = {
  received: { text: SETTLEMENT_WORDS.received, tone: 'warn' },
  replied: { text: SETTLEMENT_WORDS.replied, tone: 'warn' },
  seen: { text: SETTLEMENT_WORDS.seen, tone: 'warn' },
  mined: { text: SETTLEMENT_WORDS.mined, tone: 'warn' },
  confirmed: { text: SETTLEMENT_WORDS.confirmed, tone: 'good' },
  abandoned: { text: SETTLEMENT_WORDS.abandoned, tone: 'quiet' },
}

const DELIVERY_STATES: Readonly<Record<DeliveryState, Tag>> = {
  pending: { text: 'waiting', tone: 'warn' },
  delivered: { text: 'delivered', tone: 'good' },
  abandoned: { text: 'given up', tone: 'bad' },
}

/** What becomes of messages over Nostr, by the names that metrics have. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  received: 'Payments received',
  refused: 'Payments refused, with the reason sent',
  voided: 'Payments taken back by the payer',
  early: 'Taken back before the payment came',
  duplicate: 'Same message in another wrap',
  ignored: 'Not readable, or not for a till',
  seen: 'Handled before',
  forged: 'Forged by a relay',
  limited: 'Delayed: the sender wrote too often',
  transient: 'Failed for the moment, tried again',
}

/** One that waits after a failure is a failure so far. */
export const deliveryTag = (state: DeliveryState, attempts: number): Tag =>
  state === 'pending' && attempts > 0 ? { text: 'failing', tone: 'bad' } : DELIVERY_STATES[state]

/** Enough of an id to tell it from others on a page. */
export const shortId = (id: string): string => id.slice(0, 8)

const SPANS = [
  { seconds: 172_800, divisor: 86_400, unit: 'days' },
  { seconds: 7200, divisor: 3600, unit: 'hours' },
  { seconds: 120, divisor: 60, unit: 'minutes' },
] as const

/** "75 s", "12 minutes"; nothing for null. */
export function span(seconds: number | null): string {
  if (seconds === null) return ''
  const size = SPANS.find((one) => seconds >= one.seconds)
  return size ? `${Math.floor(seconds / size.divisor)} ${size.unit}` : `${seconds} s`
}

/** "10,000+" where counting stopped. */
export const counted = (count: number, most: number): string =>
  count >= most ? `${most.toLocaleString('en')}+` : count.toLocaleString('en')
