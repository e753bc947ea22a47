// What the till needs from the outside. Every store verb is atomic, and durable when its promise resolves; its answer
// names the precondition that failed. No caller holds a transaction open or reads first and writes later.
import type { NanoGrin } from '../grin/amount/index.js'
import type {
  Invoice,
  InvoiceSlate,
  InvoiceStatus,
  MessageDraft,
  Page,
  Payment,
  QueuedEvent,
  SearchableId,
  Settlement,
  User,
} from './model.js'
import type { MessageStore, SeenStore, WatchStore } from './nostr/store-ports.js'
import type { ReportStore } from './reports/model.js'
import type { InvoiceSlateStore, WebhookOutbox, WorkClaim } from './work-ports.js'

export type { MessageStore, SeenStore, WatchStore } from './nostr/store-ports.js'
export type { Chain, Rates, SendWebhook, Tip, Witness } from './outside-ports.js'
export type { ConfirmedRow, ReportStore } from './reports/model.js'
export type * from './work-ports.js'

/** A bound that is counted in the store, so that it holds over restarts and for all processes together. */
export interface Use {
  readonly kind: 'reopening' | 'unmatched'
  /** What is bounded: an invoice, a key. */
  readonly key: string
  readonly limit: number
  readonly windowMs: number
  readonly now: number
}

/** Number and sum of payments. */
export interface PaymentSum {
  readonly count: number
  readonly amount: NanoGrin
}

export interface DayFigures {
  readonly received: PaymentSum
  readonly confirmed: PaymentSum
  readonly openInvoices: number
  /** Payments without an invoice or user that are not abandoned. */
  readonly unmatched: number
}

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

/** `digest` is the hex SHA-256 of the canonical request body. Kept for 24 hours. */
export interface IdempotencyKey {
  readonly key: string
  readonly digest: string
}

export type InsertInvoiceAnswer =
  | { readonly outcome: 'created' }
  | { readonly outcome: 'replayed'; readonly invoice: Invoice }
  | { readonly outcome: 'other-body' }

/** Checked in this order. */
export type AcceptPaymentAnswer =
  | { readonly outcome: 'accepted' }
  /** This slate id is already stored, by this S1 or another: compare the digest. */
  | { readonly outcome: 'known-slate'; readonly payment: Payment }
  /** Not payable, or no longer; an open invoice whose time is over answers `expired`. */
  | { readonly outcome: 'not-open'; readonly status: InvoiceStatus }
  /** The invoice was priced anew since the caller looked. */
  | { readonly outcome: 'other-amount'; readonly amount: NanoGrin }
  /** The slate to finalize is no longer open. */
  | { readonly outcome: 'slate-closed' }

/** What else is written with a payment. */
export interface AcceptExtras {
  /** Owed from now on. */
  readonly messages?: readonly MessageDraft[]
  /** The invoice's own slate, signed: its transaction (JSON as push_transaction takes it) is due for the node at once. */
  readonly finished?: { readonly slateId: string; readonly transaction: string }
}

/** A native invoice slate with its armored I1. */
export interface IssuedSlate {
  readonly slate: InvoiceSlate
  readonly armor: string
}

export type AssignAnswer =
  | 'assigned'
  | 'unknown-payment'
  | 'unknown-invoice'
  | 'already-matched'
  /** The payment is abandoned, or the invoice is cancelled or already names a payment. */
  | 'not-assignable'
  | 'other-amount'
  /** The payment no longer stands where the caller saw it: read again. */
  | 'moved'

/** The state of one payment on the chain. */
export interface Sighting {
  readonly paymentId: string
  readonly settlement: 'replied' | 'seen' | 'mined' | 'confirmed'
  readonly minedHeight: number | null
  readonly confirmations: number
  readonly nextCheckAt: number | null
  /** Our output beside that kernel; null, or absent, when it was there. */
  readonly output?: Payment['output']
}

/** Makes the event for what the transaction decided: the invoice that the payment settles, or null. Runs inside the transaction. */
export type EventFor = (settled: Invoice | null) => QueuedEvent

/** What a confirmation did. */
export interface ConfirmationResult {
  /** The invoice that became `confirmed` by this very payment; null when none did. */
  readonly settled: Invoice | null
}

/**
 * An invoice is *payable* at a `cutoff` when it is open or expired, names no payment, and its time had not ended by
 * the cutoff (`expiresAt` is null or > cutoff). A paste uses now; rails with a delay use a moment before.
 */
export interface InvoiceStore {
  /**
   * With an idempotency key: the first invoice of that key and digest wins, within 24 hours. A slate is stored with the invoice
   * that names it.
   */
  insertInvoice(invoice: Invoice, now: number, key?: IdempotencyKey, slate?: InvoiceSlate): Promise<InsertInvoiceAnswer>
  /** What `insertInvoice` would answer for this key; `created` when the key is free. Writes nothing. */
  idempotent(key: IdempotencyKey, now: number): Promise<InsertInvoiceAnswer>
  invoiceById(id: string): Promise<Invoice | undefined>
  invoiceByToken(token: string): Promise<Invoice | undefined>
  listInvoices(filter: InvoiceFilter): Promise<Page<Invoice>>
  /** Turns open invoices whose time is over (`expiresAt` ≤ now) into `expired`, at most `limit`; answers their ids. */
  expireDue(now: number, limit: number): Promise<readonly string[]>
  /** Turns one overdue open invoice into `expired`; false when it was not open or its time is not over. */
  expireInvoice(id: string, now: number): Promise<boolean>
  cancelInvoice(id: string): Promise<'cancelled' | 'not-open' | 'unknown'>
  /**
   * New price, one more in `requotes`, status `open`: on an open or expired fiat invoice that names no payment; `requotes` must still be `seen`.
   * The slates of the old price are closed; `issued` takes their place.
   */
  requote(
    id: string,
    seen: number,
    quote: Pick<Invoice, 'amount' | 'fiat' | 'expiresAt' | 'payLink' | 'qrSvg'>,
    issued?: IssuedSlate,
  ): Promise<'requoted' | 'refused'>
  /** Payable invoices that a payment could settle, each only in its own mode, oldest first, at most `limit`. */
  payableByRecipient(pubkey: string, cutoff: number, limit: number): Promise<readonly Invoice[]>
  payableByMatchKey(matchKey: string, cutoff: number, limit: number): Promise<readonly Invoice[]>
  payableByMemo(memo: string, amount: NanoGrin, cutoff: number, limit: number): Promise<readonly Invoice[]>
  payableByAmount(amount: NanoGrin, cutoff: number, limit: number): Promise<readonly Invoice[]>
}

export interface PaymentStore {
  /** Hands out the next child index. No index is ever handed out twice. */
  takeKeyIndex(): Promise<number>
  /**
   * Stores the payment and its event, and moves the invoice to `paid` (with `paidAt` and `paymentId`), in one transaction.
   * The invoice must be payable at `cutoff`; `invoiceId` null stores an unmatched payment. Open slates of the invoice are closed,
   * the finished one becomes finalized, and the messages of this payment are due at `now`.
   */
  acceptPayment(
    payment: Payment,
    event: QueuedEvent | null,
    now: number,
    cutoff: number,
    extras?: AcceptExtras,
  ): Promise<AcceptPaymentAnswer>
  /** Moves `received` to `replied` when the reply is handed out; leaves every other state unchanged. */
  markReplied(paymentId: string): Promise<void>
  paymentById(id: string): Promise<Payment | undefined>
  listPayments(filter: PaymentFilter): Promise<Page<Payment>>
  /**
   * Payments with `nextCheckAt` ≤ now, soonest first. Before them come those further ahead than LONGEST_WAIT_MS allows: only a wrong clock
   * wrote such a time. Deliveries, messages and pushes follow the same rule. Every verb that sets `nextCheckAt` ends the lease, whichever
   * process calls it: what is recorded is a fact of the chain, and a late one is corrected by the next look.
   */
  claimChecks(claim: WorkClaim): Promise<readonly Payment[]>
  /** Ends what `by` still holds of these without a result: the node did not answer. */
  releaseChecks(paymentIds: readonly string[], by: string): Promise<void>
  /** Payments that are not confirmed, received from `from` to `to` (epoch milliseconds), newest first. */
  youngPayments(span: {
    readonly from: number
    readonly to: number
    readonly limit: number
  }): Promise<readonly Payment[]>
  /** Brings checks that are due later forward to `now`. Ended checks stay ended, and no lease ends: a check under way is not repeated. */
  hastenChecks(paymentIds: readonly string[], now: number): Promise<void>
  /** Sets the time of the next check and changes nothing else; null ends the checks. */
  postponeCheck(paymentId: string, nextCheckAt: number | null): Promise<void>
  /**
   * Stores a sighting, its depth also on the invoice that names this payment. A sighting of `seen` or `mined` restores an abandoned
   * payment: its invoice becomes `paid` again, unless another payment settled it meanwhile. A sighted kernel ends a `reply` message
   * that some relay accepted. A kernel in a block ends the pushes; a kernel that vanished from its block starts them again.
   */
  recordSighting(sighting: Sighting, now: number): Promise<void>
  /**
   * Moves the payment and the invoice that names it to `confirmed`, and stores depth and event, in one transaction. An abandoned
   * payment is restored first. The event names an invoice only if this payment confirmed it. Else the payment's invoice becomes its
   * `intendedInvoiceId`, and the event waits for the earlier events of that invoice. Ends what a sighting ends; `messages` are due
   * now. Answers false and writes nothing when the payment was confirmed before.
   */
  confirmPayment(
    sighting: Sighting,
    eventFor: EventFor | null,
    now: number,
    messages?: readonly MessageDraft[],
  ): Promise<ConfirmationResult | false>
  /**
   * Moves the payment to `abandoned` and its invoice from `paid` to `expired` (with `reopen`: to `open`, without a payment). The next
   * check is at `nextCheckAt`, pushes end. Answers false and writes nothing when the payment is mined, confirmed or abandoned.
   */
  abandonPayment(paymentId: string, nextCheckAt: number | null, reopen?: boolean): Promise<boolean>
  /**
   * Attaches an unmatched payment to an open or expired invoice of the same amount that names none: invoice → `paid`, or
   * `confirmed` when the payment is. `seen` is the settlement the events were written for; all in one transaction.
   */
  assignPayment(
    paymentId: string,
    invoiceId: string,
    seen: Settlement,
    events: readonly QueuedEvent[],
    now: number,
  ): Promise<AssignAnswer>
  /** Sums of all payments by settlement. */
  balance(): Promise<Readonly<Record<Settlement, { readonly count: number; readonly amount: NanoGrin }>>>
  /** Payments that came, and that became confirmed, at or after `since` (epoch milliseconds); what is open and unmatched now. */
  dayFigures(since: number): Promise<DayFigures>
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

export interface UseStore {
  /**
   * Counts one use, unless `limit` of this kind and key lie within the last `windowMs`: then it counts nothing and answers false. Of any
   * number of calls at once no more than `limit` are true. Uses that no longer count are dropped, and so are those further ahead than
   * `windowMs`: only a wrong clock wrote them.
   */
  takeUse(use: Use): Promise<boolean>
}

/** Short ids: the public routes accept whole ids only. */
export interface IdSearch {
  /** Ids of this kind that begin with the prefix, in order, at most `limit`. */
  idsLike(kind: SearchableId, prefix: string, limit: number): Promise<readonly string[]>
}

export interface TillStore
  extends InvoiceStore,
    PaymentStore,
    WebhookOutbox,
    UserStore,
    MessageStore,
    SeenStore,
    WatchStore,
    InvoiceSlateStore,
    UseStore,
    ReportStore,
    IdSearch {
  /** Throws when the store cannot write; used by `/ready`. */
  check(): Promise<void>
}
