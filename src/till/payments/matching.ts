// Which invoice a payment belongs to (specification: invoicing, 3.5 and 3.6). It never guesses.
import type { NanoGrin } from '../../grin/amount/index.js'
import { cleanNote } from '../invoices/terms.js'
import type { Invoice, User } from '../model.js'
import type { InvoiceStore, UserStore } from '../ports.js'

/** Grace for late clocks and relays: an invoice can still be paid this long after its end. */
export const GRACE_MS = 120_000
/** One candidate is a match, two are ambiguous; more are never read. */
export const ENOUGH = 2

/** What is known of a payment that did not come through an invoice's own page. */
export interface Clues {
  readonly amount: NanoGrin
  /** 64 hex: the key it was sent to, where the rail has keys. */
  readonly recipientPubkey: string | undefined
  readonly subject: string | undefined
}

export type Match =
  | { readonly kind: 'invoice'; readonly invoice: Invoice }
  | { readonly kind: 'unmatched'; readonly reason: string }
  /** It was sent to the key of one invoice, and that invoice cannot take it. */
  | { readonly kind: 'refused'; readonly reason: string }

export interface MatchParts {
  readonly store: InvoiceStore & Pick<UserStore, 'userByPubkey'>
  /** 64 hex of the till's own key. */
  readonly mainPubkey: string
}

export interface Matched {
  readonly match: Match
  /** Whose receiving key it was sent to, whatever the invoice. */
  readonly user: User | undefined
}

/** Tries the modes in their order; the first that has a candidate decides. `now` in epoch milliseconds. */
export async function matchPayment(clues: Clues, parts: MatchParts, now: number): Promise<Matched> {
  const cutoff = now - GRACE_MS
  const key = clues.recipientPubkey
  const user = key === undefined ? undefined : await parts.store.userByPubkey(key)
  const derived = await byKey(clues, parts, { cutoff, isUsers: user !== undefined })
  const match = derived ?? (await bySubject(clues, parts, cutoff)) ?? (await byAmount(clues, parts, cutoff))
  return { match, user }
}

async function byKey(
  { recipientPubkey: key }: Clues,
  { store, mainPubkey }: MatchParts,
  { cutoff, isUsers }: { readonly cutoff: number; readonly isUsers: boolean },
): Promise<Match | undefined> {
  if (key === undefined || key === mainPubkey || isUsers) return undefined
  const [invoice] = await store.payableByRecipient(key, cutoff, ENOUGH)
  return invoice ? { kind: 'invoice', invoice } : { kind: 'refused', reason: 'the invoice of this key is not open' }
}

async function bySubject(
  { subject, amount }: Clues,
  { store }: MatchParts,
  cutoff: number,
): Promise<Match | undefined> {
  const note = cleanNote(subject)
  if (note === null) return undefined
  const named = await store.payableByMatchKey(note, cutoff, ENOUGH)
  if (named.length > 0) return onlyOne(named, 'several open invoices have this reference')
  const described = await store.payableByMemo(note, amount, cutoff, ENOUGH)
  return onlyOne(described, 'several open invoices have this memo and amount')
}

async function byAmount({ amount }: Clues, { store }: MatchParts, cutoff: number): Promise<Match> {
  const equal = await store.payableByAmount(amount, cutoff, ENOUGH)
  const match = onlyOne(equal, 'several open invoices have this amount')
  return match ?? { kind: 'unmatched', reason: 'none has this key, reference or amount' }
}

/** The invoice, if there is exactly one; several are unmatched, with this reason. */
export function onlyOne([invoice, second]: readonly Invoice[], doubt: string): Match | undefined {
  if (!invoice) return undefined
  return second ? { kind: 'unmatched', reason: doubt } : { kind: 'invoice', invoice }
}
