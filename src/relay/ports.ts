// The ports of the relay. The store is synchronous because SQLite is: when a call returns, its data is written.
import type { EventText, NostrEvent } from '../nostr/event/index.js'
import type { Filter } from '../nostr/filter/index.js'

/** A position in the log. */
export interface LogMark {
  /** From 1, without gaps. 0 in an embedded log: no position is kept. */
  readonly pos: number
  /** Epoch milliseconds by the clock of the writer. In a shared log the store raises it to that of the entry before. */
  readonly at: number
  /** Version of the rules that decide the entry's events; absent: those of this program. */
  readonly rules?: number
}

/**
 * The outcome of storing an event; the last five are refusals. `foreign`: a deletion that names an event or address of another author; `too much`:
 * a deletion that names many large events.
 */
export type StoreOutcome = 'stored' | 'duplicate' | 'replaced' | 'deleted' | 'expired' | 'foreign' | 'too much'

/** A page of an answer: texts of events, separated by line breaks. */
export interface EventPage {
  readonly bytes: Buffer
  /** The end of each text. The next text begins after the line break. */
  readonly ends: readonly number[]
}

/** A wait for a part of an answer that another thread reads. */
export interface Waiting {
  /** Calls back once, never within this call, with the estimated milliseconds of the other thread's work. Later calls replace earlier ones. */
  whenReady(resume: (ms: number) => void): void
}

/** A query whose parts may be read by another thread. */
export interface WaitingReads {
  /** As `next` of the query, or a wait: call again when it is over. */
  next(): EventPage | Waiting | undefined
  /** Bytes of parts that were read and not returned yet. */
  heldBytes(): number
  /** Releases them, and ends all waits: the query is not continued. */
  drop(): void
}

/** A running query. It holds nothing that needs to be released, except in `waiting`. */
export interface StoredQuery {
  /** Present only where waiting pays. Callers that may wait use it in place of `next`; both continue the same answer. */
  readonly waiting?: WaitingReads | undefined
  /**
   * Returns the next events, newest first (within one second the lowest id first), each event once; undefined at the end. Takes at most a few
   * hundred microseconds.
   */
  next(): EventPage | undefined
}

/** Long work, done in slices. */
export interface SlicedWork<T> {
  /** Runs one slice. Undefined: not finished, call again in a later turn. */
  step(): T | undefined
}

export interface Count {
  readonly count: number
  /** True: there are more, and `count` is the limit. */
  readonly limited: boolean
}

/** One entry of a set to reconcile (NIP-77). */
export interface SetEntry {
  /** Epoch seconds. */
  readonly created_at: number
  /** 64 hex. */
  readonly id: string
}

/** A listing in progress. */
export interface SetListing extends SlicedWork<readonly SetEntry[] | 'too many'> {
  /** Entries held so far. */
  readonly listed: number
}

export interface FindOptions {
  /** Decides by its text whether an event is shown. Absent: all are. */
  readonly visible?: (text: Buffer) => boolean
}

/**
 * The stored events. Expired events are never returned. Gift wraps stay until the operator removes them: a deletion by their own key has no
 * effect. Methods throw the library's error when the disk or the database fails; the call then has no effect.
 */
export interface EventStore {
  /**
   * Stores a batch in one transaction, which decides about duplicates, replaceable and addressable versions, deletions (NIP-09) and expiry.
   * Answers in order, after the commit: an answered event survives a killed process. Ids and signatures are valid, and no event is ephemeral.
   * Decides by the time of the mark; by the clock without one.
   */
  append(events: readonly EventText[], mark?: LogMark): readonly StoreOutcome[]
  /** Resolves when everything appended so far is on the disk (fsync). */
  synced(): Promise<void>
  /** True: the event is stored. Cheap, because it looks at recent events only; false proves nothing. */
  knows(id: string): boolean
  /** Queries stored events: newest first up to each filter's limit (already bounded), each event once. */
  find(filters: readonly Filter[], options?: FindOptions): StoredQuery
  /** Counts the events that match at least one filter, up to `max`. Ignores limits of filters. */
  count(filters: readonly Filter[], max: number, options?: FindOptions): SlicedWork<Count>
  /** Lists time and id of every match, by time, then by id; 'too many' beyond `max`. Of a filter with a limit the newest. */
  listSet(filters: readonly Filter[], max: number, options?: FindOptions): SetListing
}

/** Checks signatures off the event loop. */
export interface Verifier {
  /** `done` is called once, in the order of submission, never within this call. */
  submit(event: NostrEvent, done: (genuine: boolean) => void): void
}

export type Decision =
  | { readonly action: 'accept' }
  | { readonly action: 'reject'; readonly message: string }
  /** The client gets an accepting OK, but the event is not stored. */
  | { readonly action: 'shadowReject' }

/** The origin of an event, in the words of the plugin protocol (specification: relay, 7). */
export interface EventSource {
  readonly type: 'IP4' | 'IP6' | 'Import' | 'Stream' | 'Sync' | 'Stored'
  /** Address, or name of the file or relay. */
  readonly info: string
}

export interface WriteRequest {
  readonly event: NostrEvent
  readonly source: EventSource
  /** Authenticated keys of the connection (NIP-42); 64 hex. */
  readonly authed: readonly string[]
  /** Epoch seconds. */
  readonly receivedAt: number
}

/** The write policy (specification: relay, 6). */
export interface WritePolicy {
  /** The local rules, before the signature check: the text of the first broken rule, or undefined. */
  refusalFor(request: WriteRequest): string | undefined
  /** The remote checks, after the signature check: authority and plugin. Undefined: there are none. Never rejects. */
  readonly ask: ((request: WriteRequest) => Promise<Decision>) | undefined
}
