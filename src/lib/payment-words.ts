// Where a payment stands, in the words that people read: one table for the console, the point of sale and the command line (docs/till.md
// shows it too). None of them is "paid": an invoice has the status `paid` once the till has signed, and nothing may have been sent then.

/** `signed`: the payer's wallet can send it; `seen`: a node has it in its pool; `mined`: a block has it; `confirmed`: as deep as the till asks for. */
export const PROGRESS = ['signed', 'seen', 'mined', 'confirmed'] as const
export type Progress = (typeof PROGRESS)[number]

interface Words {
  /** For lists. */
  readonly word: string
  /** For a line of its own. */
  readonly sentence: string
}

export const PROGRESS_WORDS: Readonly<Record<Progress, Words>> = {
  signed: { word: 'signed', sentence: 'Signed: waiting for the network' },
  seen: { word: 'seen', sentence: 'On the network: waiting for a block' },
  mined: { word: 'mined', sentence: 'In a block: waiting for confirmations' },
  confirmed: { word: 'confirmed', sentence: 'Confirmed' },
}

interface PaidInvoice {
  readonly status: 'paid' | 'confirmed'
  readonly confirmations: number
  /** The settlement of its payment, where that is known. */
  readonly settlement?: string | null | undefined
}

/** What is certain of an invoice with a payment: without its settlement, no more than that the till has signed. */
export function progressOf({ status, confirmations, settlement }: PaidInvoice): Progress {
  if (status === 'confirmed') return 'confirmed'
  if (confirmations > 0 || settlement === 'mined') return 'mined'
  return settlement === 'seen' ? 'seen' : 'signed'
}

export const hasReached = (progress: Progress, wanted: Progress): boolean =>
  PROGRESS.indexOf(progress) >= PROGRESS.indexOf(wanted)

/** A payment by its settlement. Both of the first are signed: with `received` the payer does not have the reply yet. */
export const SETTLEMENT_WORDS = {
  received: 'signed, no reply yet',
  replied: PROGRESS_WORDS.signed.word,
  seen: PROGRESS_WORDS.seen.word,
  mined: PROGRESS_WORDS.mined.word,
  confirmed: PROGRESS_WORDS.confirmed.word,
  abandoned: 'abandoned',
} as const

/** An invoice by its status: not "paid" for a payment that may never have been sent. */
export const invoiceWord = ({
  status,
  confirmations,
  settlement,
}: Pick<PaidInvoice, 'confirmations' | 'settlement'> & { readonly status: string }): string =>
  status === 'paid' ? PROGRESS_WORDS[progressOf({ status, confirmations, settlement })].word : status
