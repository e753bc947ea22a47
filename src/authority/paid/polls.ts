// Polls invoices of the invoicing service: one request per invoice at a time, no more often than the interval allows.
import type { AuthorityLoop, Sale } from '../api.js'
import type { Grant } from '../model.js'
import type { Clock, GrantStore, InvoiceState, Log, PaymentService } from '../ports.js'
import { createSingleFlight } from '../single-flight.js'
import type { InvoiceCache } from './invoice-cache.js'

/** What a sale works with. */
export interface SaleParts {
  readonly store: GrantStore
  readonly clock: Clock
  readonly log: Log
  readonly domain: string
  readonly sale: Sale
  /** Least time between two polls of one invoice. */
  readonly pollIntervalMs: number
  readonly payments: PaymentService
}

/** What the state of an invoice means for its pending grant (specification: names, 9). `settled`: paid. `ended`: can never be paid, a new invoice is due. */
type InvoiceOutcome = 'settled' | 'ended' | 'waiting'

/** Any other status, `paid` and `open` included, means `waiting`. */
const MEANING: ReadonlyMap<string, InvoiceOutcome> = new Map([
  ['confirmed', 'settled'],
  ['expired', 'ended'],
  ['cancelled', 'ended'],
])

export const invoiceOutcome = (state: InvoiceState | 'gone'): InvoiceOutcome =>
  state === 'gone' ? 'ended' : (MEANING.get(state.status) ?? 'waiting')

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

// Polls pending grants in the background, so that a paid key is admitted at once. Best effort: each claim polls for itself.

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
