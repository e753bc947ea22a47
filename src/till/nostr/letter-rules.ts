// What is decided about a letter before and after a try. Pure.
import type { Letter, Payment } from '../model.js'

export type DueLetter = Letter & { readonly payment: Payment }

/** Notices follow the reply; after this long they go without it. */
const HOLD_MS = 60_000

/** The relays among these that have not taken it yet. */
export const missingOf = ({ acceptedBy }: Letter, targets: readonly string[]): readonly string[] =>
  targets.filter((url) => !acceptedBy.includes(url))

/** A payer whose kernel is there has the reply: the relays that lag need it no longer. */
export const isEnough = ({ kind, payment }: DueLetter, acceptedBy: readonly string[]): boolean =>
  kind === 'reply' && acceptedBy.length > 0 && ['seen', 'mined', 'confirmed'].includes(payment.settlement)

/** Nobody waits for it any more. What was just queued is sent once, whatever became of the payment. */
export const isMoot = (due: DueLetter): boolean =>
  isEnough(due, due.acceptedBy) || (due.kind === 'reply' && due.payment.settlement === 'abandoned' && due.attempts > 0)

/** A notice that must not overtake the reply of its payment. */
export const waitsForReply = ({ kind, createdAt, payment }: DueLetter, now: number): boolean =>
  (kind === 'thanks' || kind === 'merchant-received') &&
  payment.rail === 'nostr' &&
  payment.settlement === 'received' &&
  now < createdAt + HOLD_MS
