// What webhooks need of the store. As all store verbs: atomic, and durable when the promise resolves.
import type { Attempt, Delivery, DeliveryState, Page, QueuedEvent } from '../model.js'
import type { Lease, WorkClaim } from '../ports.js'

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
