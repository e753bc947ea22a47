// What is stored of outgoing Nostr messages: both kinds of database follow these rules.
import type { Letter, LetterDraft, LetterStore } from '../../till/index.js'
import { HELD_NOTICES } from '../../till/model.js'

/** A notice waits for the reply of its payment; those made up to the time that is bound wait no longer. */
export const LETTER_HELD_BACK = `(kind IN (${HELD_NOTICES.map((kind) => `'${kind}'`).join(', ')}) AND created_at > ?
    AND EXISTS (SELECT 1 FROM payment WHERE payment.id = letter.payment_id AND rail = 'nostr' AND settlement = 'received'))`

/** A letter that was never tried, due at once. */
export const freshLetter = (paymentId: string, { kind, layout }: LetterDraft, now: number): Letter => ({
  paymentId,
  kind,
  layout,
  state: 'pending',
  createdAt: now,
  attempts: 0,
  nextAttemptAt: now,
  wrap: null,
  acceptedBy: [],
  lastError: null,
})

type Posting = Parameters<LetterStore['recordPosting']>[2]

/** What a try makes of its letter. */
export function letterStateAfter({ acceptedBy, nextAttemptAt }: Posting): Letter['state'] {
  if (nextAttemptAt !== null) return 'pending'
  return acceptedBy.length > 0 ? 'sent' : 'given-up'
}
