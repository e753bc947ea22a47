// What the relay's pages ask of the daemon. Times are epoch milliseconds. No answer waits for the counting of stored events.

export const LIST_NAMES = [
  'bannedKeys',
  'bannedKinds',
  'blockedAddresses',
  'bannedEvents',
  'allowedKeys',
  'allowedKinds',
  'admins',
] as const
export type RelayListName = (typeof LIST_NAMES)[number]

/** Undefined: no such rule. */
interface Retention {
  readonly days: number | undefined
  readonly maxEvents: number | undefined
  readonly maxBytes: number | undefined
  /** Only these kinds and ranges are deleted: `1`, `20000-29999`; empty: all but gift wraps. */
  readonly kinds: readonly string[]
  /** Keys whose events stay. */
  readonly keepAuthors: number
}

/** Of its settings. */
export interface RelaySetup {
  /** Of its document; null: none is set. */
  readonly name: string | null
  /** Its public addresses, else the one it listens at. */
  readonly addresses: readonly string[]
  readonly database: string
  readonly durability: 'commit' | 'fsync'
  readonly retention: Retention | null
  /** The relay is another process: what it keeps in memory is known only from its metrics. */
  readonly isBeside: boolean
}

export interface RelayCheck {
  readonly name: string
  readonly ok: boolean
  /** Empty: not said. */
  readonly detail: string
  readonly since: number | null
  readonly informative: boolean
}

/** What the relay counts in memory; totals are since its start. */
export interface RelayFigures {
  readonly at: number
  readonly startedAt: number
  readonly connections: number
  readonly connected: number
  readonly subscriptions: number
  /** Accepted events without an answer yet, and signatures that wait. */
  readonly held: number
  readonly signatures: number
  readonly signatureCheck: string | null
  readonly readers: { readonly answered: number; readonly waiting: number; readonly replaced: number }
  readonly accepted: number
  readonly refused: number
  /** By kind; what has no counter of its own is under -1. */
  readonly kinds: ReadonlyMap<number, number>
  readonly refusals: ReadonlyMap<string, number>
  readonly liveDeliveries: number
  readonly bytesIn: number
  readonly bytesOut: number
  /** Delay of the event loop, 99th percentile and longest of the last whole minute. */
  readonly lagSeconds: { readonly p99: number; readonly max: number }
  readonly memoryBytes: number
}

/** One hour, from a whole hour of UTC on; the last one goes on. */
export interface RelayHour {
  readonly start: number
  readonly accepted: number
  readonly refused: number
  readonly kinds: ReadonlyMap<number, number>
}

export interface RelayActivity {
  /** Undefined: it is not known, and `unknown` says why. */
  readonly figures: RelayFigures | undefined
  readonly unknown: string
  /** Accepted events per second over the last `overSeconds`; undefined: known from the next look on. */
  readonly rate: { readonly perSecond: number; readonly overSeconds: number } | undefined
  /** The last 24 hours, oldest first, observed from `since` on; undefined: not kept for a relay of another process. */
  readonly past: { readonly since: number; readonly hours: readonly RelayHour[] } | undefined
  /** Undefined: the relay does not answer. */
  readonly checks: readonly RelayCheck[] | undefined
  readonly disk: { readonly free: number; readonly size: number } | undefined
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
  /** Of `created_at`; null: there are none. */
  readonly oldest: number | null
  readonly newest: number | null
}

/** The last count; while one is under way the one before it. */
export interface StoredAnswer {
  readonly stored: StoredEvents | undefined
  /** Why the last count failed. */
  readonly problem: string | undefined
}

export interface RelayListEntry {
  /** Hex, decimal, address or network. */
  readonly entry: string
  /** `npub1…` of a key; else null. */
  readonly npub: string | null
  /** Null: written by hand, without a time. */
  readonly since: number | null
  readonly reason: string
}

interface RelayListPage {
  readonly counts: Readonly<Record<RelayListName, number>>
  /** Newest first. */
  readonly entries: readonly RelayListEntry[]
  /** The last entry of this page; null: there are no more. */
  readonly next: string | null
}

interface RelayListQuestion {
  readonly list: RelayListName
  /** The beginning of an entry, or an npub; empty: all. */
  readonly prefix: string
  /** The last entry of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/** What a change is about, before it is made. */
export interface RelayListSubject {
  /** In its stored form. */
  readonly entry: string
  readonly npub: string | null
  /** On the list; undefined: it is not. */
  readonly listed: RelayListEntry | undefined
  /** The list that adding takes it off. */
  readonly opposite: RelayListName | undefined
  readonly isOnOpposite: boolean
}

export interface RelayListChange {
  readonly do: 'add' | 'remove'
  readonly list: RelayListName
  readonly entry: string
  readonly reason: string
}

/** Every verb throws CONSOLE_RELAY_UNREACHABLE while the settings of a relay beside cannot be read. */
export interface RelayDesk {
  /** What does not change while the relay runs. */
  setup(): Promise<RelaySetup>
  activity(): Promise<RelayActivity>
  stored(): Promise<StoredAnswer>
  /** Differs when open pages shall load themselves again. Cheap. */
  mark(): string
  /** Throws DOCUMENT_DAMAGED, CONSOLE_RELAY_LISTS. */
  list(question: RelayListQuestion): Promise<RelayListPage>
  /** `text`: as typed; keys may be npub. Throws LIST_ENTRY_INVALID, NOSTR_CODE_INVALID and what `list` throws. */
  subject(list: RelayListName, text: string): Promise<RelayListSubject>
  /** In force and on the disk when it resolves; `by` is the person. Throws LIST_ENTRY_INVALID, LIST_FULL, FILE_LOCKED and what `list` throws. */
  change(change: RelayListChange, by: string): Promise<void>
}
