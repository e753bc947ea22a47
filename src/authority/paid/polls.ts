// Asking the invoicing service about invoices: never twice at once about one, and no more often than the interval allows.
import type { Grant } from '../model.js'
import { createSingleFlight } from '../single-flight.js'
import type { SaleParts } from './parts.js'
import type { Sightings } from './sightings.js'
import { type Verdict, verdictOn } from './verdict.js'

/** `unasked`: the service gave no answer that could be used. */
export type PollOutcome = Verdict | 'unasked'

export interface Polls {
  /** Asks, unless the last poll was less than the interval ago. A settled invoice makes its grant a paid one. */
  poll(grant: Grant): Promise<PollOutcome>
  /** Asks whatever the interval says: after a poll of this invoice that is under way, which may have come too early; at most one waits so. */
  pollAnew(grant: Grant): Promise<PollOutcome>
}

export function createPolls(parts: SaleParts & { readonly sightings: Sightings }): Polls {
  const { store, clock, log, payments, pollIntervalMs, sightings } = parts
  const flights = createSingleFlight<PollOutcome>()
  const queued = createSingleFlight<PollOutcome>()

  async function settle({ invoiceId, pubkey, resource }: Grant): Promise<PollOutcome> {
    // Spent, replaced or taken back by the operator while the service was asked.
    if ((await store.settleGrant(invoiceId, clock.now())) === 'unknown') return 'waiting'
    sightings.forget(invoiceId)
    log.info({ invoice: invoiceId, pubkey, resource }, 'paid for')
    return 'settled'
  }

  async function ask(grant: Grant): Promise<PollOutcome> {
    sightings.remember(grant.invoiceId, { polledAt: clock.now() })
    // Why it gave no answer is known to whoever watches the service; a line for each poll would say nothing more.
    const state = await payments.readInvoice(grant.invoiceId).catch(() => undefined)
    if (state === undefined) return 'unasked'
    sightings.remember(grant.invoiceId, { state })
    const verdict = verdictOn(state)
    return verdict === 'settled' ? settle(grant) : verdict
  }

  const pollNow = (grant: Grant) => flights.share(grant.invoiceId, () => ask(grant))

  return {
    async poll(grant) {
      const { invoiceId } = grant
      const isDue = sightings.age(invoiceId, clock.now()) >= pollIntervalMs
      if (isDue || flights.running(invoiceId)) return pollNow(grant)
      const { state } = sightings.of(invoiceId)
      return state !== undefined && verdictOn(state) === 'ended' ? 'ended' : 'waiting'
    },
    pollAnew(grant) {
      const running = flights.running(grant.invoiceId)
      if (!running) return pollNow(grant)
      return queued.share(grant.invoiceId, () => running.then(() => pollNow(grant)))
    },
  }
}
