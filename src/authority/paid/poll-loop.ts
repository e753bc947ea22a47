// Looks after pending grants, so that a key whose payment was confirmed meanwhile is let in at once. Best effort: each claim looks for itself.
import type { AuthorityLoop } from '../api.js'
import type { Grant } from '../model.js'
import type { SaleParts } from './parts.js'
import type { Polls } from './polls.js'
import type { Sightings } from './sightings.js'
import { verdictOn } from './verdict.js'

/** Older ones are asked about when their key comes back, or when a webhook names them. */
const YOUNG_MS = 24 * 3_600_000
const MOST_LISTED = 500
const MOST_POLLED = 20
/** The older an invoice, the rarer it is asked about: every thirtieth of its age. */
const PACE = 30
const LEAST_PAUSE_MS = 1000

export function createPollLoop(
  parts: SaleParts & { readonly sightings: Sightings; readonly polls: Polls },
): AuthorityLoop {
  const { store, clock, pollIntervalMs, sightings, polls } = parts
  const everyMs = Math.max(LEAST_PAUSE_MS, pollIntervalMs)

  const age = ({ invoiceId }: Grant): number => sightings.age(invoiceId, clock.now())

  function isDue(grant: Grant): boolean {
    const { state } = sightings.of(grant.invoiceId)
    if (state !== undefined && verdictOn(state) === 'ended') return false
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
        // The next one would wait for the same silence.
        if ((await polls.poll(grant)) === 'unasked') return
      }
    },
  }
}
