// What the till needs from the outside. Every store verb is atomic, and durable when its promise resolves; its answer
// names the precondition that failed, if any. No caller holds a transaction open or reads first and writes later.
import type { NanoGrin } from '../grin/amount/index.js'
import type {
  Attempt,
  Delivery,
  DeliveryState,
  Invoice,
  InvoiceStatus,
  Page,
  Payment,
  Settlement,
  User,
  WebhookEvent,
} from './model.js'

export interface InvoiceFilter {
  readonly status?: InvoiceStatus
  readonly orderRef?: string
  /** Created at or after / before, epoch milliseconds. */
  readonly from?: number
  readonly to?: number
  readonly limit: number
  readonly cursor?: string
}

export interface PaymentFilter {
  readonly unmatched?: boolean
  readonly settlement?: Settlement
  readonly limit: number
  readonly cursor?: string
}

export interface DeliveryFilter {
  readonly state?: DeliveryState
  readonly invoiceId?: string
  /** Only events with at least one failed attempt. */
  readonly failed?: boolean
  readonly since?: number
  readonly limit: number
  readonly cursor?: string
}

/** `digest` is the hex SHA-256 of the canonical request body. Kept for 24 hours. */
export interface IdempotencyKey {
  readonly key: string
  readonly digest: string
}

export type InsertInvoiceAnswer =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'replayed'; readonly invoice: Invoice }
  | { readonly outcome: 'other-body' }

export type AcceptPaymentAnswer =
  | { readonly outcome: 'accepted' }
  /** This slate id is already stored, by this S1 or another: compare the digest. */
  | { readonly outcome: 'known-slate'; readonly payment: Payment }
  | { readonly outcome: 'not-open'; readonly status: InvoiceStatus }

export type AssignAnswer =
  | 'assigned'
  | 'unknown-payment'
  | 'unknown-invoice'
  | 'already-matched'
  | 'not-assignable'
  | 'other-amount'

/** What the chain told about one payment. */
export interface Sighting {
  readonly paymentId: string
  readonly settlement: 'replied' | 'seen' | 'mined' | 'confirmed'
  readonly minedHeight: number | null
  readonly confirmations: number
  readonly nextCheckAt: number | null
}

export interface InvoiceStore {
  /** With an idempotency key: the first invoice of that key and digest wins, within 24 hours. */
  insertInvoice(invoice: Invoice, now: number, key?: IdempotencyKey): Promise<InsertInvoiceAnswer>
  invoiceById(id: string): Promise<Invoice | undefined>
  invoiceByToken(token: string): Promise<Invoice | undefined>
  listInvoices(filter: InvoiceFilter): Promise<Page<Invoice>>
  /** Turns open invoices whose time is over into `expired`; answers how many. */
  expireDue(now: number): Promise<number>
  cancelInvoice(id: string, now: number): Promise<'cancelled' | 'not-open' | 'unknown'>
  /** New price on an open or expired, never paid invoice; `requotes` must still be what the caller saw. */
  requote(
    id: string,
    seen: number,
    quote: Pick<Invoice, 'amount' | 'fiat' | 'expiresAt' | 'payLink' | 'qrSvg'>,
  ): Promise<'requoted' | 'refused'>
  /** Open invoices that a payment could settle, oldest first, at most `limit`. */
  openByRecipient(pubkey: string, limit: number): Promise<readonly Invoice[]>
  openByOrderRef(orderRef: string, limit: number): Promise<readonly Invoice[]>
  openByMemo(memo: string, amount: NanoGrin, limit: number): Promise<readonly Invoice[]>
  openByAmount(amount: NanoGrin, limit: number): Promise<readonly Invoice[]>
}

export interface PaymentStore {
  /** Hands out the next child index and makes it unusable for anybody else, for ever. */
  takeKeyIndex(): Promise<number>
  /**
   * Receive, payment, invoice transition `open → paid` and event in one transaction.
   * `invoice_id` null records an unmatched payment.
   */
  acceptPayment(payment: Payment, event: WebhookEvent | null, now: number): Promise<AcceptPaymentAnswer>
  /** `received → replied` once the reply left the house. */
  markReplied(paymentId: string): Promise<void>
  paymentById(id: string): Promise<Payment | undefined>
  listPayments(filter: PaymentFilter): Promise<Page<Payment>>
  /** Payments with `nextCheckAt` ≤ now, soonest first. */
  paymentsToCheck(now: number, limit: number): Promise<readonly Payment[]>
  /** Stores what the chain said (depth also on the invoice). Also takes a payment back from `abandoned`. */
  recordSighting(sighting: Sighting, now: number): Promise<void>
  /**
   * Depth, payment → `confirmed`, invoice → `confirmed` and the event, in one transaction.
   * False when it was already confirmed (nothing is written then).
   */
  confirmPayment(sighting: Sighting, event: WebhookEvent | null, now: number): Promise<boolean>
  /** Payment → `abandoned`, its invoice `paid → expired` (`paid → open` when `reopen`); stays watched until `watchUntil`. */
  abandonPayment(paymentId: string, now: number, nextCheckAt: number | null, reopen?: boolean): Promise<boolean>
  assignPayment(paymentId: string, invoiceId: string, event: WebhookEvent | null, now: number): Promise<AssignAnswer>
  /** Sums of all payments by settlement. */
  balance(): Promise<Readonly<Record<Settlement, { readonly count: number; readonly amount: NanoGrin }>>>
}

/** The webhook outbox. */
export interface Outbox {
  insertEvent(event: WebhookEvent): Promise<void>
  /** Pending, due, oldest first; an event waits while an earlier one of the same invoice is pending. */
  dueDeliveries(now: number, limit: number): Promise<readonly Delivery[]>
  /** Records a try. `retryAt` absent: delivered when `attempt.error` is null, else abandoned. */
  recordAttempt(eventId: string, attempt: Attempt, retryAt?: number): Promise<void>
  deliveryById(
    eventId: string,
  ): Promise<{ readonly delivery: Delivery; readonly attempts: readonly Attempt[] } | undefined>
  listDeliveries(filter: DeliveryFilter): Promise<Page<Delivery>>
  /** Attempts back to 0, due now, same body and id. */
  replay(eventId: string, now: number): Promise<'queued' | 'unknown'>
  /** For readiness and metrics: how many wait and since when the oldest does. */
  backlog(): Promise<{ readonly pending: number; readonly oldestCreatedAt: number | null; readonly abandoned: number }>
}

export interface UserStore {
  insertUser(user: User): Promise<'created' | 'exists'>
  userById(id: string): Promise<User | undefined>
  /** With the credited sum of each, confirmed or not. */
  listUsers(limit: number, cursor?: string): Promise<Page<User & { readonly balance: NanoGrin }>>
  /** Compare-and-set on the epoch that the caller saw; keeps the old assignment. */
  rotateUser(id: string, seenEpoch: number, pubkey: string, now: number): Promise<'rotated' | 'refused'>
  setRotateInterval(id: string, seconds: number | null): Promise<'updated' | 'unknown'>
  usersDueForRotation(globalInterval: number, now: number, limit: number): Promise<readonly User[]>
  /** Any epoch ever assigned. */
  userByPubkey(pubkey: string): Promise<User | undefined>
}

export interface TillStore extends InvoiceStore, PaymentStore, Outbox, UserStore {
  /** Throws when the store cannot write; used by `/ready`. */
  check(): Promise<void>
}

export interface Tip {
  readonly height: number
  readonly hash: string
}

/** The Grin chain through the best of the configured nodes. Rejects with `NODE_UNAVAILABLE` when none is usable. */
export interface Chain {
  tip(): Promise<Tip>
  /** Height of the block that holds the kernel, or undefined. Never searches below `minHeight`. */
  kernelHeight(excess: Uint8Array, minHeight: number): Promise<number | undefined>
  /** Which of these commitments are unspent outputs, as lower-case hex. */
  unspent(commitments: readonly Uint8Array[]): Promise<ReadonlySet<string>>
  /** Excesses (hex) of kernels in the pool; empty where a node does not tell. */
  poolExcesses(): Promise<ReadonlySet<string>>
}

/** Fiat per GRIN as decimal text. Rejects with `RATE_UNAVAILABLE` when there is no fresh and no allowed stale rate. */
export interface Rates {
  rate(currency: string): Promise<{ readonly rate: string; readonly source: string }>
}

/** One webhook request; never throws for what the receiver does. */
export type SendWebhook = (request: {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutMs: number
}) => Promise<{ readonly httpStatus: number | null; readonly error: string | null; readonly answerHead: string }>
