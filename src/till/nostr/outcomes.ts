// What can become of a message, and what follows from it (specification: invoicing, 4.6). The one table of the rail.
import { GrinpayError } from '../../lib/errors.js'
import { isTransient, type RefusedPayment } from './refusals.js'

export type IngestDecision =
  /** A payment with its reply stored: the message is due. */
  | { readonly outcome: 'received' }
  /** Never to be taken; the payer hears why. */
  | { readonly outcome: 'refused'; readonly refusal: RefusedPayment }
  /** A payment taken back by its payer. */
  | { readonly outcome: 'voided' }
  /** Taken back before it came: the S1 may still follow. */
  | { readonly outcome: 'early' }
  /** The same message in another wrap. */
  | { readonly outcome: 'duplicate' }
  /** Nothing for a till, or unreadable. */
  | { readonly outcome: 'ignored' }
  /** The wrap was dealt with before, maybe by an earlier run of the program. */
  | { readonly outcome: 'seen' }
  /** Not by its author: the relay made it up. */
  | { readonly outcome: 'forged' }
  /** Its sender wrote too often. */
  | { readonly outcome: 'limited' }
  | { readonly outcome: 'transient'; readonly cause: unknown }

export type IngestOutcome = IngestDecision['outcome']

interface Aftermath {
  /** Wrap and rumor are marked as seen, also for the time after a restart. */
  readonly marks: boolean
  /** The receiving key paid a token for it. */
  readonly spent: boolean
  /** No copy needs a further look. */
  readonly final: boolean
  readonly does: 'reply' | 'tell' | 'blame' | 'retry' | 'nothing'
}

export const AFTERMATH: Readonly<Record<IngestOutcome, Aftermath>> = {
  received: { marks: true, spent: true, final: true, does: 'reply' },
  refused: { marks: true, spent: true, final: true, does: 'tell' },
  voided: { marks: true, spent: true, final: true, does: 'nothing' },
  early: { marks: false, spent: true, final: true, does: 'nothing' },
  duplicate: { marks: true, spent: true, final: true, does: 'nothing' },
  ignored: { marks: true, spent: true, final: true, does: 'nothing' },
  seen: { marks: false, spent: false, final: true, does: 'nothing' },
  forged: { marks: false, spent: false, final: false, does: 'blame' },
  limited: { marks: false, spent: true, final: false, does: 'retry' },
  transient: { marks: false, spent: true, final: false, does: 'retry' },
}

/** What a failure means: temporary and retried, or for the payer to correct. */
export const decisionOf = (cause: unknown, about: Omit<RefusedPayment, 'error'>): IngestDecision =>
  cause instanceof GrinpayError && !isTransient(cause)
    ? { outcome: 'refused', refusal: { ...about, error: cause } }
    : { outcome: 'transient', cause }
