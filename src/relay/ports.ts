// What the relay needs from outside. The store is synchronous because SQLite is: an answer means that it is written.
import type { EventText, NostrEvent } from '../nostr/event/index.js'
import type { Filter } from '../nostr/filter/index.js'

/**
 * What became of an event that was to be stored; the last five are refusals. `foreign`: a deletion that names what is somebody else's; `too much`: one that
 * names large events, and many of them. */
export type StoreOutcome = 'stored' | 'duplicate' | 'replaced' | 'deleted' | 'expired' | 'foreign' | 'too much'

/** A part of an answer: events' texts one after the other, a line break between them. */
export interface EventPage {
  readonly bytes: Buffer
  /** Where each text ends; the next one begins after the line break. */
  readonly ends: readonly number[]
}

/** A stored query under way. Abandoning it needs no word. */
export interface StoredQuery {
  /** The next events, newest first (of one second the lowest id first), each event once; undefined: no more. At most a few hundred microseconds. */
  next(): EventPage | undefined
}

/** Something long that is done in slices. */
export interface SlicedWork<T> {
  /** Undefined: not ready yet, call again in a later turn. */
  step(): T | undefined
}

export interface Count {
  readonly count: number
  /** There are more; `count` is the ceiling. */
  readonly limited: boolean
}

/** One entry of a set to reconcile (NIP-77). */
export interface SetEntry {
  /** Epoch seconds. */
  readonly created_at: number
  /** 64 hex. */
  readonly id: string
}

/** A list under way. */
export interface SetListing extends SlicedWork<readonly SetEntry[] | 'too many'> {
  /** Entries that it holds by now. */
  readonly listed: number
}

export interface FindOptions {
  /** Leaves out stored events by their text; absent: all are shown. */
  readonly visible?: (text: Buffer) => boolean
}

/**
 * The stored events. Expired ones are never answered. Gift wraps stay until they are removed by the operator: no deletion by their own key touches them.
 * Throws the library's error when the disk or the database fails; then nothing of the call happened.
 */
export interface EventStore {
  /**
   * One transaction: duplicates, replaceable and addressable versions, deletions (NIP-09) and expiry are decided in it. Answers in the order
   * given, after the commit: what is answered survives a killed process. Ids and signatures are right, no event is ephemeral.
   */
  append(events: readonly EventText[]): readonly StoreOutcome[]
  /** Resolves when everything appended so far is on the disk (fsync). */
  synced(): Promise<void>
  /** True for events that are surely stored: cheap, looks at recent ones only. */
  knows(id: string): boolean
  /** Newest first by each filter's limit (already bounded), events of several filters once. */
  find(filters: readonly Filter[], options?: FindOptions): StoredQuery
  /** How many events the filters match together, up to `max`; limits of filters do not count. */
  count(filters: readonly Filter[], max: number, options?: FindOptions): SlicedWork<Count>
  /** Time and id of every match, oldest first, then by id; undefined when there are more than `max`. Limits of filters do not count. */
  listSet(filters: readonly Filter[], max: number, options?: FindOptions): SetListing
}

/** Checks signatures beside the event loop. */
export interface Verifier {
  /** `done` is called once, in the order of submission, never within this call. */
  submit(event: NostrEvent, done: (genuine: boolean) => void): void
}

export type Decision =
  | { readonly action: 'accept' }
  | { readonly action: 'reject'; readonly message: string }
  /** The client is told that all is well, and nothing is stored. */
  | { readonly action: 'shadowReject' }

/** Where an event came from; the words of the plugin protocol (specification: relay, 7). */
export interface EventSource {
  readonly type: 'IP4' | 'IP6' | 'Import' | 'Stream' | 'Sync' | 'Stored'
  /** Address, or name of the file or relay. */
  readonly info: string
}

export interface WriteRequest {
  readonly event: NostrEvent
  readonly source: EventSource
  /** Keys that this connection proved (NIP-42); 64 hex. */
  readonly authed: readonly string[]
  /** Epoch seconds. */
  readonly receivedAt: number
}

/** Who may write what (specification: relay, 6). */
export interface WritePolicy {
  /** What needs neither the signature nor anybody else: the text of the first broken rule, or undefined. */
  refusalFor(request: WriteRequest): string | undefined
  /** Asked after the signature was checked: the authority, the plugin. Undefined when nobody else is to be asked: accepted. Never rejects. */
  readonly ask: ((request: WriteRequest) => Promise<Decision>) | undefined
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Milliseconds since some moment, with fractions; never set, never back. */
  monotonic(): number
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export interface Random {
  bytes(length: number): Uint8Array
}

export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}
