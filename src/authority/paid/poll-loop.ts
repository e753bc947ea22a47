// Polls pending grants in the background, so that a paid key is admitted at once. Best effort: each claim polls for itself.
import type { AuthorityLoop } from '../api.js'
import type { Grant } from '../model.js'
import type { InvoiceCache } from './invoice-cache.js'
import { invoiceOutcome } from './invoice-outcome.js'
import type { SaleParts } from './parts.js'
import type { Polls } from './polls.js'

/** Older grants are polled when their key returns or a webhook names them. */
const YOUNG_MS = 24 * 3_600_000
const MOST_LISTED = 500
const MOST_POLLED = 20
/** The poll interval grows with the invoice: one thirtieth of its age. */
const PACE = 30
const LEAST_PAUSE_MS = 1000

export function createPollLoop(
  parts: SaleParts & { readonly invoiceCache: InvoiceCache; readonly polls: Polls },
): AuthorityLoop {
  const { store, clock, pollIntervalMs, invoiceCache, polls } = parts
  const everyMs = Math.max(LEAST_PAUSE_MS, pollIntervalMs)

  const age = ({ invoiceId }: Grant): number => invoiceCache.age(invoiceId, clock.now())

  function isDue(grant: Grant): boolean {
    const { state } = invoiceCache.of(grant.invoiceId)
    if (state !== undefined && invoiceOutcome(state) === 'ended') return false
    const pause = Math.max(everyMs, (clock.now() - grant.createdAt) / PACE)
    return age(grant) >= pause
  }

  return {
    name: 'paid-grants',
    everyMs,
    async pass() {
      const young = await store.pendingGrants(clock.now() - YOUNG_MS, MOST_LISTED)
      const due = young.filter(isDue).toSorted((a, b) => (age(a) === age(b) ? 0 : age(b) - age(a)))
      for (const grant of due.slice(0, MOST_POLLED)) {
        // The next poll would time out as well.
        if ((await polls.poll(grant)) === 'unasked') return
      }
    },
  }
}
