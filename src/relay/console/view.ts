// A relay as its pages see it: what it counts, what is stored and its lists, read by functions of the daemon. Times are epoch milliseconds.
import type { KindEntry, ListChange, OperatorLists } from '../policy/index.js'
import type { RelayMetrics } from '../relay.js'
import { type CountedEvents, createRelayHistory } from './history.js'

/** Of its settings. */
export interface RelayFacts {
  readonly relayUrls: readonly string[]
  readonly bind: { readonly host: string; readonly port: number }
  readonly dbPath: string
  readonly durability: 'commit' | 'fsync'
  /** Undefined: everything stays. */
  readonly retention:
    | {
        readonly days: number | undefined
        readonly maxEvents: number | undefined
        readonly maxBytes: number | undefined
        /** Only these are deleted; none: all but gift wraps. */
        readonly kinds?: readonly KindEntry[] | undefined
        /** Keys whose events stay. */
        readonly keepAuthors: readonly string[]
      }
    | undefined
}

/** What the relay counts in memory; totals are since its start. */
export interface RelayFigures
  extends CountedEvents,
    Pick<
      RelayMetrics,
      'connections' | 'connected' | 'subscriptions' | 'held' | 'liveDeliveries' | 'bytesIn' | 'bytesOut'
    > {
  /** Signatures that wait. */
  readonly signatures: number
  readonly signatureCheck: string | null
  readonly readers: { readonly answered: number; readonly waiting: number; readonly replaced: number }
  readonly refusals: ReadonlyMap<string, number>
  /** Delay of the event loop, 99th percentile and longest of the last whole minute. */
  readonly lagSeconds: { readonly p99: number; readonly max: number }
  readonly memoryBytes: number
}

export interface RelayCheck {
  readonly name: string
  readonly ok: boolean
  /** Empty: not said. */
  readonly detail: string
  readonly since: number | null
  readonly informative: boolean
}

/** Counted in the database, in a thread. */
export interface StoredEvents {
  readonly at: number
  readonly events: number
  readonly expiring: number
  /** Bytes of the database in use. */
  readonly bytes: number
  readonly fileBytes: number
  readonly logBytes: number
  /** The most frequent first. */
  readonly kinds: readonly { readonly kind: number; readonly events: number }[]
  /** Of `created_at` in epoch seconds; undefined: there are none. */
  readonly oldest: number | undefined
  readonly newest: number | undefined
}

/** The last count, while one is under way the one before it; and why the last one failed. */
export interface StoredAnswer {
  readonly stored: StoredEvents | undefined
  readonly problem: string | undefined
}

/** Of the relay of this process, or of one beside it, which is known by its metrics and files. None of them waits for the counting of events. */
export interface RelaySource {
  readonly facts: RelayFacts
  readonly isBeside: boolean
  /** Undefined: not known; `unknown` says why. Does not reject. */
  figures(): Promise<RelayFigures | undefined>
  readonly unknown: string
  /** Undefined: the relay does not answer. Does not reject. */
  checks(): Promise<readonly RelayCheck[] | undefined>
  disk(): Promise<{ readonly free: number; readonly size: number } | undefined>
  stored(): Promise<StoredAnswer>
  /** The same object until the lists change. Throws DOCUMENT_DAMAGED, CONSOLE_RELAY_LISTS. */
  lists(): Promise<OperatorLists>
  /** In force and on the disk when it resolves. Throws LIST_ENTRY_INVALID, LIST_FULL, FILE_LOCKED and what `lists` throws. */
  change(change: ListChange, by: string): Promise<void>
}

export type RelayView = ReturnType<typeof createRelayView>
export type RelayActivity = Awaited<ReturnType<RelayView['activity']>>
/** Throws CONSOLE_RELAY_UNREACHABLE while the settings of a relay beside cannot be read. */
export type OpenRelay = () => Promise<RelayView>

/** With what was observed of its counters; `observe` is called in between, so that the hours are whole. */
export function createRelayView(source: RelaySource, clock: { now(): number }) {
  const history = createRelayHistory()

  async function observe(): Promise<RelayFigures | undefined> {
    const figures = await source.figures()
    if (figures) history.add(figures)
    return figures
  }

  return {
    facts: source.facts,
    stored: source.stored,
    lists: source.lists,
    change: source.change,
    observe,
    async activity() {
      const [figures, checks, disk] = await Promise.all([observe(), source.checks(), source.disk()])
      const now = clock.now()
      return {
        ...{ figures, checks, disk },
        unknown: figures ? '' : source.unknown,
        rate: history.rate(now),
        past: source.isBeside ? undefined : history.past(now),
      }
    },
  }
}
