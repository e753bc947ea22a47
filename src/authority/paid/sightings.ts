// What is remembered of invoices in this process: when each was last asked about, and what the service said then.
import type { InvoiceState, ScanTexts } from '../ports.js'

export interface Sighting {
  /** Epoch milliseconds of the last poll; undefined: never polled. */
  readonly polledAt: number | undefined
  /** Undefined: the service could not be asked. */
  readonly state: InvoiceState | 'gone' | undefined
}

const NOTHING: Sighting = { polledAt: undefined, state: undefined }

/** Of how many invoices something is remembered; forgetting one only allows a poll too early. */
const MOST = 10_000
/** Of how many the texts for a wallet's page are kept; with its code each is about 20 KB. */
const MOST_SCANS = 500

export function createSightings(most = MOST, mostScans = MOST_SCANS) {
  const known = new Map<string, Sighting>()
  const scans = new Map<string, ScanTexts>()

  function withScan(invoiceId: string, sighting: Sighting): Sighting {
    const [{ state }, scan] = [sighting, scans.get(invoiceId)]
    return state === undefined || state === 'gone' || !scan ? sighting : { ...sighting, state: { ...state, scan } }
  }

  /** The state without the texts, which go where less is kept. */
  function withoutScan(invoiceId: string, state: Sighting['state']): Sighting['state'] {
    if (state === undefined || state === 'gone' || !state.scan) return state
    const { scan, ...rest } = state
    keep(scans, invoiceId, scan, mostScans)
    return rest
  }

  return {
    of: (invoiceId: string): Sighting => withScan(invoiceId, known.get(invoiceId) ?? NOTHING),
    /** Milliseconds since the last poll; endless when there was none, or when the clock was set back since. */
    age(invoiceId: string, now: number): number {
      const { polledAt } = known.get(invoiceId) ?? NOTHING
      return polledAt === undefined || polledAt > now ? Number.POSITIVE_INFINITY : now - polledAt
    },
    remember(invoiceId: string, news: Partial<Sighting>): void {
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

/** As the newest; beyond `most` the oldest goes. */
function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

export type Sightings = ReturnType<typeof createSightings>
