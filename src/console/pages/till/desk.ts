// What the till's pages ask of the daemon. Amounts are nanogrin, times epoch milliseconds. No token, seed or other secret is in it.
import type { NanoGrin } from '../../../grin/amount/index.js'
import type { ListPage, ListRequest } from '../../lists.js'

export type InvoiceStatus = 'open' | 'paid' | 'confirmed' | 'expired' | 'cancelled'
export type Settlement = 'received' | 'replied' | 'seen' | 'mined' | 'confirmed' | 'abandoned'
export type DeliveryState = 'pending' | 'delivered' | 'abandoned'

/** A price in fiat money at the rate (fiat per GRIN) that was stored with the invoice. */
interface FiatPrice {
  readonly amount: string
  readonly currency: string
  readonly rate: string
  readonly source: string
  readonly rateAt?: number | undefined
}

export interface InvoiceRow {
  readonly id: string
  readonly status: InvoiceStatus
  readonly amount: NanoGrin
  readonly fiat: FiatPrice | null
  readonly orderRef: string | null
  readonly memo: string | null
  readonly expiresAt: number | null
  readonly createdAt: number
  readonly paymentId: string | null
  readonly confirmations: number
  /** Of the payment that it names, while that is under way and in no block. */
  readonly settlement?: Settlement | undefined
}

/** Without its token, which is the whole authority for the checkout page. */
export interface Invoice extends InvoiceRow {
  readonly matchMode: string
  readonly requotes: number
  readonly windowEndsAt: number | null
  readonly paidAt: number | null
  readonly confirmedAt: number | null
  readonly offeredRail: string | null
  readonly slateId: string | null
  readonly recipientPubkey: string
  readonly returnUrl: string | null
  /** What GRIN was worth when an invoice priced in GRIN was made; null: its price is in fiat, or no rate was known. */
  readonly grinRate: Omit<FiatPrice, 'amount'> | null
  /** The part of the price that is a tip, decimal text in its currency. */
  readonly tip: string | null
}

export interface Payment {
  /** The id of its slate. */
  readonly id: string
  readonly invoiceId: string | null
  readonly userId: string | null
  readonly amount: NanoGrin
  readonly rail: string
  /** 64 hex of the payer's Nostr key, where the rail names one. */
  readonly payer: string | null
  readonly settlement: Settlement
  readonly minedHeight: number | null
  readonly confirmations: number
  readonly createdAt: number
  readonly minedAt: number | null
  readonly confirmedAt: number | null
  /** Present: the kernel is in the chain, the output is not unspent. */
  readonly output: string | null
  /** Confirmed without settling the invoice that it was made for. */
  readonly intendedInvoiceId: string | null
}

/** One event for one receiver. */
export interface Delivery {
  readonly eventId: string
  readonly receiver: number
  readonly type: string
  readonly invoiceId: string | null
  readonly paymentId: string | null
  readonly createdAt: number
  readonly state: DeliveryState
  /** Since the last replay. */
  readonly attempts: number
  readonly nextAttemptAt: number | null
  readonly lastError: string | null
}

export interface Attempt {
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  readonly httpStatus: number | null
  readonly error: string | null
  readonly answerHead: string
}

/** A message over Nostr that is owed for a payment. */
export interface Letter {
  readonly kind: 'reply' | 'thanks' | 'merchant-received' | 'merchant-confirmed'
  readonly state: 'pending' | 'sent' | 'given-up'
  readonly createdAt: number
  readonly attempts: number
  readonly nextAttemptAt: number | null
  /** Addresses of relays. */
  readonly acceptedBy: readonly string[]
  readonly lastError: string | null
}

export interface DeliveryRecord {
  readonly delivery: Delivery
  /** The latest, newest first. */
  readonly attempts: readonly Attempt[]
}

export interface PaymentRecord {
  readonly payment: Payment
  readonly letters: readonly Letter[]
}

/** Everything about one invoice, oldest payment and event first; each list is bounded. */
export interface InvoiceRecord {
  readonly invoice: Invoice
  readonly payments: readonly PaymentRecord[]
  readonly deliveries: readonly DeliveryRecord[]
}

export interface InvoiceSearch extends ListRequest {
  /** What was typed: the beginning of an id, an order, part of a memo, an amount; empty: no search. */
  readonly text: string
  readonly status?: InvoiceStatus | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** `next` of a search goes on with the invoices that it has not examined. */
export interface InvoiceResults extends ListPage<InvoiceRow> {
  /** Of a search that ended at its bound: the creation time down to which memos and amounts were compared. */
  readonly searchedBackTo?: number | undefined
  /** A whole id or order was found, and memos and amounts were not compared: the cursor of a search that does. */
  readonly unsearched?: string | undefined
  /** The one payment that the text names. */
  readonly payment?: Payment | undefined
}

/** `waiting`: has neither invoice nor user and is not abandoned. */
export type PaymentChoice = 'all' | 'waiting' | Settlement

export type DeliveryChoice =
  | { readonly by: 'all' }
  | { readonly by: 'failed' }
  | { readonly by: 'state'; readonly state: DeliveryState }
  | { readonly by: 'receiver'; readonly receiver: number }

/** Of what came, whatever becomes of it: the amount may exceed what a slate can carry. */
export interface Sum {
  readonly count: number
  readonly amount: bigint
}

/** Counts end at `MOST_COUNTED`. */
interface Figures {
  /** Midnight UTC. */
  readonly since: number
  readonly received: Sum
  readonly confirmed: Sum
  /** Received, and not yet confirmed. */
  readonly underWay: Sum
  /** Those of them that the network has not seen: signed, and perhaps never sent. */
  readonly unsent: Sum
  readonly openInvoices: number
  readonly waitingPayments: number
  readonly abandonedDeliveries: number
}

export const MOST_COUNTED = 10_000
/** Days of the chart on the page Today. */
export const CHART_DAYS = 30

/** Payments that were confirmed on one day (UTC). */
export interface DaySum extends Sum {
  /** Its midnight. */
  readonly day: number
}

export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly since: number
  /** A failure does not make the till unready. */
  readonly informative?: boolean
  readonly fault?: { readonly reason: string; readonly hint: string }
}

export interface Relay {
  readonly url: string
  readonly state: string
  readonly subscribed: boolean
  readonly since: number
  readonly lastError: string | null
  readonly roundTripMs: number | null
  readonly received: number
  readonly blamed: number
}

interface Receiver {
  readonly receiver: number
  /** Null: no longer in the settings. */
  readonly host: string | null
  readonly pending: number
  readonly oldestSeconds: number | null
  readonly failingSeconds: number | null
  readonly abandoned: number
}

export interface Health {
  readonly checks: readonly Check[]
  readonly alarms: readonly string[]
  readonly node: { readonly ok: boolean; readonly height: number | null; readonly detail: string }
  /** In the header of the newest block. */
  readonly tipTime?: number | undefined
  readonly relays: readonly Relay[]
  readonly inbox: {
    readonly waiting: number
    readonly retrying: number
    readonly dropped: number
    readonly outcomes: Readonly<Record<string, number>>
  } | null
  readonly receivers: readonly Receiver[]
  readonly letters: { readonly pending: number; readonly oldestSeconds: number | null }
}

/** Facts that do not change while the till runs. */
interface Setup {
  readonly chain: string
  /** How deep a kernel must be. */
  readonly confirmations: number
  /** Addresses of nodes, without user names and passwords. */
  readonly nodes: readonly string[]
  readonly walletAddress: string
  readonly npub: string
}

export interface TillDesk {
  readonly setup: Setup
  health(): Promise<Health>
  figures(): Promise<Figures>
  /** The last `count` days, today last. */
  days(count: number): Promise<readonly DaySum[]>
  /** Newest first. */
  invoices(search: InvoiceSearch): Promise<InvoiceResults>
  invoice(id: string): Promise<InvoiceRecord | undefined>
  payments(choice: PaymentChoice, page: ListRequest): Promise<ListPage<Payment>>
  payment(id: string): Promise<PaymentRecord | undefined>
  /** Invoices that could take this amount: open or expired without a payment, newest first; a bounded search. */
  invoicesFor(amount: NanoGrin): Promise<readonly InvoiceRow[]>
  deliveries(choice: DeliveryChoice, page: ListRequest): Promise<ListPage<Delivery>>
  /** One delivery for each receiver of the event; empty: there is no such event. */
  deliveriesOf(eventId: string): Promise<readonly DeliveryRecord[]>
  /** Throws INVOICE_NOT_FOUND, INVOICE_NOT_OPEN. */
  cancel(invoiceId: string): Promise<void>
  /** Throws DELIVERY_NOT_FOUND, DELIVERY_IN_FLIGHT, WEBHOOK_NOT_CONFIGURED. */
  replay(eventId: string, receiver: number): Promise<void>
  /** Throws PAYMENT_NOT_FOUND, INVOICE_NOT_FOUND, ASSIGN_REFUSED. */
  assign(paymentId: string, invoiceId: string): Promise<void>
  /** A text that differs once anything changed that a page could show. */
  changeMark(): Promise<string>
}
