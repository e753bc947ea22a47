// What is remembered of invoices in this process: when each was last asked about, and what the service said then.
import type { InvoiceState } from '../ports.js'

export interface Sighting {
  /** Epoch milliseconds of the last poll; undefined: never polled. */
  readonly polledAt: number | undefined
  /** Undefined: the service could not be asked. */
  readonly state: InvoiceState | 'gone' | undefined
}

const NOTHING: Sighting = { polledAt: undefined, state: undefined }

/** Of how many invoices something is remembered; forgetting one only allows a poll too early. */
const MOST = 10_000

export function createSightings(most = MOST) {
  const known = new Map<string, Sighting>()
  return {
    of: (invoiceId: string): Sighting => known.get(invoiceId) ?? NOTHING,
    /** Milliseconds since the last poll; endless when there was none, or when the clock was set back since. */
    age(invoiceId: string, now: number): number {
      const { polledAt } = known.get(invoiceId) ?? NOTHING
      return polledAt === undefined || polledAt > now ? Number.POSITIVE_INFINITY : now - polledAt
    },
    remember(invoiceId: string, news: Partial<Sighting>): void {
      const before = known.get(invoiceId) ?? NOTHING
      known.delete(invoiceId)
      known.set(invoiceId, { ...before, ...news })
      const [oldest] = known.keys()
      if (known.size > most && oldest !== undefined) known.delete(oldest)
    },
    forget(invoiceId: string): void {
      known.delete(invoiceId)
    },
  }
}

export type Sightings = ReturnType<typeof createSightings>
