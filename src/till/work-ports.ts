// Work that the store hands out to one process at a time, and the two queues of the core: webhooks and pushes of transactions.
import type { NanoGrin } from '../grin/amount/index.js'
import type { Attempt, Delivery, DeliveryState, Invoice, InvoiceSlate, Page, QueuedEvent } from './model.js'

/**
 * Asks for work. What is handed out belongs to `by` alone: no claim answers it again, to any process, before `now` + `leaseMs`. Then it comes
 * back by itself. A lease further ahead than twice `leaseMs` has ended too: only a wrong clock wrote it. The verb that records the result ends
 * the lease; the late result of one whose row another process has by now changes no state and no due time. A claim that finds nothing
 * writes nothing.
 */
export interface WorkClaim {
  readonly now: number
  readonly leaseMs: number
  /** The process that asks: a UUID made at its start. A store that one process has for itself forgets all leases when it is opened. */
  readonly by: string
  readonly limit: number
}

/** A row that is handed out from the start. */
export type Lease = Omit<WorkClaim, 'limit'>

// What webhooks need of the store. As all store verbs: atomic, and durable when the promise resolves.

export interface DeliveryFilter {
  readonly state?: DeliveryState
  readonly invoiceId?: string
  readonly receiver?: number
  /** Only deliveries with at least one failed attempt, or whose receiver was removed. */
  readonly failed?: boolean
  readonly since?: number
  readonly limit: number
  readonly cursor?: string
}

/** The webhook outbox: one delivery per event and receiver, each with its own attempts and its own place in the order. */
export interface WebhookOutbox {
  /** With `lease` its deliveries are handed out at once. */
  insertEvent(event: QueuedEvent, lease?: Lease): Promise<void>
  /**
   * Pending and due for this receiver, longest overdue first. An event waits while an earlier one of the same invoice (without an
   * invoice: of the same payment) is pending for the same receiver with fewer than HOLDING_ATTEMPTS attempts, whether that one is due, handed
   * out or neither.
   */
  claimDeliveries(receiver: number, claim: WorkClaim): Promise<readonly Delivery[]>
  /**
   * Records a try and numbers it (1, 2, … over the whole life of the delivery, replays included). `retryAt` absent: delivered
   * when `attempt.error` is null, else abandoned. Where the delivery is not pending any more, or is handed out to another than `by`,
   * the try is on record like every other (the request was made), and nothing else changes.
   */
  recordAttempt(eventId: string, receiver: number, attempt: OwnAttempt, retryAt?: number): Promise<void>
  /** Without `receiver`: the delivery to the lowest of the event's receivers. */
  deliveryById(eventId: string, receiver?: number): Promise<RecordedDelivery | undefined>
  /** Every delivery of the event, lowest receiver first. */
  deliveriesOf(eventId: string): Promise<readonly Delivery[]>
  listDeliveries(filter: DeliveryFilter): Promise<Page<Delivery>>
  /**
   * Makes the deliveries pending and due now, with 0 attempts and the same body and id; earlier attempts stay on record. Answers how many
   * of `receivers` have the event; `in-flight`, and changes nothing, while one of them is handed out.
   */
  replay(eventId: string, receivers: readonly number[], now: number): Promise<number | 'in-flight'>
  /** Ends every pending delivery to this receiver, with `reason` as its last error; answers how many. They count as failed. */
  abandonPending(receiver: number, reason: string): Promise<number>
  /**
   * For readiness and metrics: each receiver with pending or abandoned deliveries, lowest first. A `test.ping` is never abandoned. Of
   * abandoned ones the newest 10,000 are counted.
   */
  backlog(): Promise<readonly ReceiverBacklog[]>
}

/** A try of the process `by`. */
export type OwnAttempt = Omit<Attempt, 'number'> & { readonly by: string }

/**
 * Pending deliveries to a receiver, the time of the oldest (null: none is pending), and abandoned ones; `failingSince`: of the first failed
 * try after the last one that succeeded (null: the last one did, or there was none).
 */
export interface ReceiverBacklog {
  readonly receiver: number
  readonly pending: number
  readonly oldestCreatedAt: number | null
  readonly abandoned: number
  readonly failingSince: number | null
}

export interface RecordedDelivery {
  readonly delivery: Delivery
  readonly attempts: readonly Attempt[]
}

// What invoice slates need of the store. As all store verbs: atomic, and durable when the promise resolves.

/** A signed transaction of an invoice slate, pushed to the node until it is mined. */
export interface Push {
  readonly paymentId: string
  /** JSON as push_transaction takes it. */
  readonly transaction: string
  readonly attempts: number
}

/** The grin1 rail (specification: invoicing, 5). `insertInvoice` stores the slate of a new invoice, `acceptPayment` finalizes it. */
export interface InvoiceSlateStore {
  invoiceSlate(slateId: string): Promise<InvoiceSlate | undefined>
  /**
   * Gives an invoice a new slate and closes the earlier ones. Refused unless the invoice is open, offers the grin1 rail and asks for
   * the slate's amount.
   */
  replaceInvoiceSlate(slate: InvoiceSlate, armor: string): Promise<'replaced' | 'refused'>
  /**
   * Closes open slates whose invoice names a payment, is cancelled, or ended at or before `cutoff`: wipes their secrets and the I1 of the invoice.
   * At most `limit`; answers how many. Closed slates made CLOSED_SLATE_MS before `cutoff` are dropped, at most `limit`.
   */
  closeInvoiceSlates(cutoff: number, limit: number): Promise<number>
  /** Closes every open slate, wipes its secrets and the I1 of its invoice. Answers how many; finalized slates stay. */
  closeEveryInvoiceSlate(): Promise<number>
  /** Open invoices on the grin1 rail that show no slate and have time left at `now`, newest first. */
  invoicesWithoutSlate(now: number, limit: number): Promise<readonly Invoice[]>
  /** Payable invoices on the grin1 rail of exactly this amount, whatever the mode, oldest first. */
  payableOnRail(amount: NanoGrin, cutoff: number, limit: number): Promise<readonly Invoice[]>
  /** Whether an invoice on the rail created before this one is open and asks for the same amount (specification: invoicing, 5.5). */
  hasEarlierTwin(invoice: Invoice): Promise<boolean>
  /** Transactions due for the node: finalized, and the payment is not mined, confirmed or abandoned. */
  claimPushes(claim: WorkClaim): Promise<readonly Push[]>
  /**
   * Counts a try; `nextPushAt` null ends the pushes. Pushes that ended meanwhile stay ended, and those handed out to another than `by` stay as
   * they are.
   */
  recordPush(paymentId: string, nextPushAt: number | null, error: string | null, by: string): Promise<void>
}
