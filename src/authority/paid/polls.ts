// Polls invoices of the invoicing service: one request per invoice at a time, no more often than the interval allows.
import type { Grant } from '../model.js'
import { createSingleFlight } from '../single-flight.js'
import type { InvoiceCache } from './invoice-cache.js'
import { type InvoiceOutcome, invoiceOutcome } from './invoice-outcome.js'
import type { SaleParts } from './parts.js'

/** `unasked`: the service gave no usable answer. */
type PollOutcome = InvoiceOutcome | 'unasked'

export interface Polls {
  /** Polls unless the last poll is more recent than the interval. A settled invoice marks its grant paid. */
  poll(grant: Grant): Promise<PollOutcome>
  /** Polls regardless of the interval, after a poll of this invoice that is running now; at most one such poll is queued. */
  pollAnew(grant: Grant): Promise<PollOutcome>
}

export function createPolls(parts: SaleParts & { readonly invoiceCache: InvoiceCache }): Polls {
  const { store, clock, log, payments, pollIntervalMs, invoiceCache } = parts
  const flights = createSingleFlight<PollOutcome>()
  const queued = createSingleFlight<PollOutcome>()

  async function settle({ invoiceId, pubkey, resource }: Grant): Promise<PollOutcome> {
    // The grant was spent, replaced or voided during the request.
    if ((await store.settleGrant(invoiceId, clock.now())) === 'unknown') return 'waiting'
    invoiceCache.forget(invoiceId)
    log.info({ invoice: invoiceId, pubkey, resource }, 'paid for')
    return 'settled'
  }

  async function ask(grant: Grant): Promise<PollOutcome> {
    invoiceCache.remember(grant.invoiceId, { polledAt: clock.now() })
    // The watch on the service logs failures once; a line per poll would add nothing.
    const state = await payments.readInvoice(grant.invoiceId).catch(() => undefined)
    if (state === undefined) return 'unasked'
    invoiceCache.remember(grant.invoiceId, { state })
    const outcome = invoiceOutcome(state)
    return outcome === 'settled' ? settle(grant) : outcome
  }

  const pollNow = (grant: Grant) => flights.share(grant.invoiceId, () => ask(grant))

  return {
    async poll(grant) {
      const { invoiceId } = grant
      const isDue = invoiceCache.age(invoiceId, clock.now()) >= pollIntervalMs
      if (isDue || flights.running(invoiceId)) return pollNow(grant)
      const { state } = invoiceCache.of(invoiceId)
      return state !== undefined && invoiceOutcome(state) === 'ended' ? 'ended' : 'waiting'
    },
    pollAnew(grant) {
      const running = flights.running(grant.invoiceId)
      if (!running) return pollNow(grant)
      return queued.share(grant.invoiceId, () => running.then(() => pollNow(grant)))
    },
  }
}
