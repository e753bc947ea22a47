// When a letter is sent again to the relays that have not taken it yet (specification: invoicing, 4.7). Exact: no jitter.
import { backoff } from '../../lib/backoff.js'
import { LONGEST_WAIT_MS } from '../../lib/due-times.js'

const BASE_SECONDS = 15
const CAP_SECONDS = LONGEST_WAIT_MS.letter / 1000
/** A payer's wallet gives up after a day; so does the letter. */
const SPAN_SECONDS = 86_400

/** Seconds to wait after the first try, the second and so on: 15, 30, 60 … 900, as many as fit into 24 hours. */
export const LETTER_DELAYS: readonly number[] = delaysWithin(SPAN_SECONDS)

/** Seconds to wait after this many tries (1, 2, …); undefined when the letter's time is over. */
export const retryDelay = (tries: number): number | undefined => LETTER_DELAYS[tries - 1]

function delaysWithin(span: number): number[] {
  const delays: number[] = []
  for (let total = 0; ; ) {
    const delay = backoff(delays.length + 1, BASE_SECONDS, CAP_SECONDS)
    total += delay
    if (total > span) return delays
    delays.push(delay)
  }
}
