// What is decided about a letter before and after a try, and when the next try is due (specification: invoicing, 4.7). Pure.
import { backoff } from '../../lib/backoff.js'
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'
import type { Letter, Payment } from '../model.js'

export type DueLetter = Letter & { readonly payment: Payment }

/** The relays among these that have not taken it yet. */
export const missingOf = ({ acceptedBy }: Letter, targets: readonly string[]): readonly string[] =>
  targets.filter((url) => !acceptedBy.includes(url))

/** A payer whose kernel is there has the reply: the relays that lag need it no longer. */
export const isEnough = ({ kind, payment }: DueLetter, acceptedBy: readonly string[]): boolean =>
  kind === 'reply' && acceptedBy.length > 0 && ['seen', 'mined', 'confirmed'].includes(payment.settlement)

/** The letter is no longer needed. A letter that was just queued is sent once, whatever the state of the payment. */
export const isMoot = (due: DueLetter): boolean =>
  isEnough(due, due.acceptedBy) || (due.kind === 'reply' && due.payment.settlement === 'abandoned' && due.attempts > 0)

const BASE_SECONDS = 15
const CAP_SECONDS = LONGEST_WAIT_MS.letter / 1000
/** A payer's wallet gives up after a day; so does the letter. */
const SPAN_SECONDS = 86_400

/** Seconds to wait after the first try, the second and so on: 15, 30, 60 … 900, as many as fit into 24 hours. */
export const LETTER_DELAYS: readonly number[] = delaysWithin(SPAN_SECONDS)

/** Seconds to wait after this many tries (1, 2, …); undefined when the letter's time is over. */
export const letterRetryDelay = (tries: number): number | undefined => LETTER_DELAYS[tries - 1]

function delaysWithin(span: number): number[] {
  const delays: number[] = []
  for (let total = 0; ; ) {
    const delay = backoff(delays.length + 1, BASE_SECONDS, CAP_SECONDS)
    total += delay
    if (total > span) return delays
    delays.push(delay)
  }
}
