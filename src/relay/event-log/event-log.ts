// The log of a relay: the order in which its events are decided. Embedded, it is the process itself; shared, all front ends apply the same entries
// in the same order, each to its own store (specification: scale-out, 7).
import type { Clock } from '../../lib/ports.js'
import { classOf, type EventText } from '../../nostr/event/index.js'
import type { Filter } from '../../nostr/filter/index.js'
import type { ListChange } from '../policy/index.js'
import type { LogMark } from '../ports.js'

/** An event on its way through the log. Its signature is valid, and the write policy accepted it. Ephemeral events travel too. */
export interface LogEvent {
  readonly text: EventText
}

/** What decisions depend on besides events; all front ends apply the last `settings` entry, whatever their own configuration says. */
export interface LogSettings {
  /** Whether the recipient of a gift wrap may delete it (NIP-09). */
  readonly giftWrapRecipientDelete: boolean
}

/** Exceptions from a removal. */
export interface Spared {
  /** 64 hex. */
  readonly authors?: readonly string[]
  readonly kinds?: readonly number[]
}

/** An entry that is not a batch of events. */
export type LogChange =
  /** Deletes the matching events that are stored at this position. Limits of filters are ignored. */
  | { readonly type: 'remove'; readonly filters: readonly Filter[]; readonly spared?: Spared }
  /** A change of the operator's lists. `by` goes to the audit log of every front end. */
  | { readonly type: 'lists'; readonly change: ListChange; readonly by: string }
  /** The first entry with this id of an authorization event (NIP-98) uses it, and `by` is its author; others are refused until `until` (epoch seconds). */
  | { readonly type: 'used'; readonly id: string; readonly until: number; readonly by: string }
  | { readonly type: 'settings'; readonly settings: LogSettings }

/** `isOwn`: this process appended all of its events, and the objects are those given to `append`. */
type EventsEntry<Own extends LogEvent = LogEvent> = LogMark &
  (
    | { readonly isOwn: true; readonly events: readonly Own[] }
    | { readonly isOwn: false; readonly events: readonly LogEvent[] }
  )

export interface ChangeEntry extends LogMark {
  readonly change: LogChange
}

/** Why the store could not apply an entry: nothing of it was written or answered. */
interface NotApplied {
  readonly cause: unknown
}

/** Gets all entries in order: the next one when the call has returned, or its promise has resolved. */
export interface LogFollower<Own extends LogEvent = LogEvent> {
  /** What was not applied comes again after a pause from a shared log; an embedded one takes it as failed. */
  applyEvents(entry: EventsEntry<Own>): NotApplied | undefined
  /** When it rejects, the entry comes again from a shared log. */
  applyChange(entry: ChangeEntry): Promise<void>
  /** No place in the log was found for these events within the log's patience. They may still come, in an entry with `isOwn: false`. */
  failed(events: readonly Own[], cause: unknown): void
}

/** Decisions up to a position, for the comparison of front ends. */
export interface LogDigest {
  readonly pos: number
  /** 32 bytes. */
  readonly digest: Uint8Array
}

/**
 * An entry is durable when it comes to the follower: whatever happens, all front ends get it at this position. An event is answered only after its
 * entry was applied.
 */
export interface EventLog<Own extends LogEvent = LogEvent> {
  /**
   * Hands over events, at least one. Never throws. Their entries come to the follower in the order of `append`; a log may divide a batch among
   * entries, and may join batches. Those of an embedded log come within this call.
   */
  append(events: readonly Own[]): void
  /** Resolves when the change was applied by this process. Rejects when no place was found within the log's patience; it may still be applied later. */
  appendChange(change: LogChange): Promise<void>
  /**
   * Hands every entry after position `after` to the follower. Called once, before the first `append`. What ends the following for good
   * (RELAY_DIVERGED, DATABASE_WENT_BACK) reaches the process by the adapter's own `failure`: then it stops.
   */
  follow(after: number, follower: LogFollower<Own>): void
  /** Called after each entry whose position is a multiple of 1,024. Returns at once. */
  report(digest: LogDigest): void
}

/** A log as the relay uses it. */
export interface RelayLog<Own extends LogEvent> extends Pick<EventLog<Own>, 'append'> {
  /** Called once, before the first `append`. */
  follow(follower: Pick<LogFollower<Own>, 'applyEvents' | 'failed'>): void
}

// The log of a relay that runs alone: its entries come back within the call, without a position. What the store cannot write has failed.

/** After so many single failures in a row the store is at fault, not an event. */
const TOO_MANY_FAILURES = 2

const NONE: LogFollower = { applyEvents: () => undefined, applyChange: async () => {}, failed: () => {} }

export function createEmbeddedLog<Own extends LogEvent>({ now }: Pick<Clock, 'now'>): EventLog<Own> {
  let follower: LogFollower<Own> = NONE

  const apply = (events: readonly Own[]): NotApplied | undefined =>
    follower.applyEvents({ pos: 0, at: now(), isOwn: true, events })

  /** One event that the database rejects must not affect the others. Ephemeral ones do not need it. */
  function applySingly(events: readonly Own[], first: NotApplied): void {
    let [failures, last] = [0, first]
    apply(events.filter(isEphemeral))
    for (const event of events) {
      if (isEphemeral(event)) continue
      const problem = failures < TOO_MANY_FAILURES ? apply([event]) : last
      if (problem) follower.failed([event], problem.cause)
      failures = problem ? failures + 1 : 0
      last = problem ?? last
    }
  }

  return {
    append(events) {
      const problem = apply(events)
      if (!problem) return
      if (events.length === 1) follower.failed(events, problem.cause)
      else applySingly(events, problem)
    },
    appendChange: async (change) => follower.applyChange({ pos: 0, at: now(), change }),
    follow(_after, next) {
      follower = next
    },
    report() {},
  }
}

const isEphemeral = ({ text }: LogEvent): boolean => classOf(text.event.kind) === 'ephemeral'
