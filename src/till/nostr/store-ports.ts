// What the Nostr rail needs of the store. As all store verbs: atomic, and durable when the promise resolves.
import type { Invoice, MessageDraft, MessageKind, OutgoingMessage, Page, Payment } from '../model.js'
import type { WorkClaim } from '../work-ports.js'

/** Outgoing messages over Nostr (specification: invoicing, 4.7). `acceptPayment` and `confirmPayment` queue them. */
export interface MessageStore {
  /**
   * Pending and due, longest overdue first, each with its payment. One of HELD_NOTICES waits while its payment came over Nostr and is still
   * `received`, until NOTICE_HOLD_MS after its creation: it must not overtake the reply.
   */
  claimMessages(claim: WorkClaim): Promise<readonly (OutgoingMessage & { readonly payment: Payment })[]>
  messageOfPayment(paymentId: string, kind: MessageKind): Promise<OutgoingMessage | undefined>
  /** Stores the wrap before the first try. A message that has a wrap keeps it. Answers the stored one. */
  keepWrap(paymentId: string, kind: MessageKind, wrap: string): Promise<string | undefined>
  /**
   * Records a try and counts it. `nextAttemptAt` null ends the message (`sent` when a relay accepted it, else `given-up`) and drops the
   * wrap. A message that is no longer pending, or is handed out to another than `by`, stays unchanged. A `reply` that some relay accepted moves its payment from `received` to
   * `replied` in the same transaction.
   */
  recordPosting(
    paymentId: string,
    kind: MessageKind,
    posting: {
      /** All relays so far. */
      readonly acceptedBy: readonly string[]
      readonly error: string | null
      readonly nextAttemptAt: number | null
      /** The try goes on, more relays may answer: `attempts` stays, and `nextAttemptAt` keeps others away. */
      readonly partial?: boolean
      readonly by: string
    },
  ): Promise<void>
  /**
   * Makes the message pending and due now, with 0 attempts and no accepting relay. A stored wrap of the same layout stays. Creates the
   * message when the payment has none of this kind. What was handed out of it is not any more: a try of another process that goes on
   * says nothing, `by` itself knows which of its tries it no longer wants.
   */
  requeueMessage(paymentId: string, draft: MessageDraft, now: number, by: string): Promise<'queued' | 'unknown-payment'>
  messageBacklog(): Promise<{ readonly pending: number; readonly oldestCreatedAt: number | null }>
}

/** Ids (64 hex) of wraps and rumors that were handled, kept across restarts. */
export interface SeenStore {
  markSeen(ids: readonly string[], now: number): Promise<void>
  /** Those of `ids` that are marked. */
  seenOf(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Drops marks made before; at most `limit`; answers how many. */
  forgetSeen(before: number, limit: number): Promise<number>
}

/** Which one-time keys the Nostr rail listens to (specification: invoicing, 4.6). */
export interface WatchStore {
  /**
   * Keys of derived invoices that are open or paid, and of expired or cancelled ones that ended (`expiresAt`, else `createdAt`) at or after
   * `closedSince`; oldest invoices first.
   */
  invoiceKeysToWatch(
    closedSince: number,
    limit: number,
    cursor?: string,
  ): Promise<Page<{ readonly pubkey: string; readonly invoiceId: string }>>
  /** Keys of every user's current epoch and of `overlap` epochs before it. */
  endpubsToWatch(
    overlap: number,
    limit: number,
    cursor?: string,
  ): Promise<Page<{ readonly pubkey: string; readonly userId: string; readonly epoch: number }>>
  /** The invoice whose derived key this is, whatever its status. */
  invoiceByRecipient(pubkey: string): Promise<Invoice | undefined>
  /** The user and epoch of an endpub, whatever its epoch. */
  endpubOf(pubkey: string): Promise<{ readonly userId: string; readonly epoch: number } | undefined>
}
