// Polls invoices of the invoicing service: one request per invoice at a time, no more often than the interval allows.
import type { Clock, Log } from '../../lib/ports.js'
import type { AuthorityLoop, Sale } from '../api.js'
import type { Grant } from '../model.js'
import type { GrantStore, InvoiceState, PaymentService, ScanTexts } from '../ports.js'
import { createSingleFlight } from '../single-flight.js'

// In-memory cache of invoices: when each was last polled, and its state then.

interface CachedInvoice {
  /** Epoch milliseconds of the last poll; undefined: never polled. */
  readonly polledAt: number | undefined
  /** Undefined: no poll succeeded. */
  readonly state: InvoiceState | 'gone' | undefined
}

const NOTHING: CachedInvoice = { polledAt: undefined, state: undefined }

/** Cached invoices. Evicting one only permits an early poll. */
const MOST = 10_000
/** Cached texts for wallet pages; with its QR code each is about 20 KB. */
const MOST_SCANS = 500

export function createInvoiceCache(most = MOST, mostScans = MOST_SCANS) {
  const known = new Map<string, CachedInvoice>()
  const scans = new Map<string, ScanTexts>()

  function withScan(invoiceId: string, sighting: CachedInvoice): CachedInvoice {
    const [{ state }, scan] = [sighting, scans.get(invoiceId)]
    return state === undefined || state === 'gone' || !scan ? sighting : { ...sighting, state: { ...state, scan } }
  }

  /** The state without the scan texts, which have a smaller cache. */
  function withoutScan(invoiceId: string, state: CachedInvoice['state']): CachedInvoice['state'] {
    if (state === undefined || state === 'gone' || !state.scan) return state
    const { scan, ...rest } = state
    keep(scans, invoiceId, scan, mostScans)
    return rest
  }

  return {
    of: (invoiceId: string): CachedInvoice => withScan(invoiceId, known.get(invoiceId) ?? NOTHING),
    /** Milliseconds since the last poll; infinite without one, or when the clock was set back since. */
    age(invoiceId: string, now: number): number {
      const { polledAt } = known.get(invoiceId) ?? NOTHING
      return polledAt === undefined || polledAt > now ? Number.POSITIVE_INFINITY : now - polledAt
    },
    remember(invoiceId: string, news: Partial<CachedInvoice>): void {
      const before = known.get(invoiceId) ?? NOTHING
      const { state = before.state } = news
      keep(known, invoiceId, { ...before, ...news, state: withoutScan(invoiceId, state) }, most)
    },
    forget(invoiceId: string): void {
      known.delete(invoiceId)
      scans.delete(invoiceId)
    },
  }
}

/** Inserts as the newest entry; above `most` the oldest is evicted. */
function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

export type InvoiceCache = ReturnType<typeof createInvoiceCache>

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
