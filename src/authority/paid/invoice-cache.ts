// In-memory cache of invoices: when each was last polled, and its state then.
import type { InvoiceState, ScanTexts } from '../ports.js'

export interface CachedInvoice {
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
