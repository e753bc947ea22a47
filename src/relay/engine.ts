// What all sessions share.

import type { LargeLine } from './connection/large-message-queue.js'
import type { Tally } from './counters.js'
import type { Intake } from './ingest/intake.js'
import type { Lanes } from './ingest/verify-queue.js'
import type { Outage } from './ingest/write-outage.js'
import type { HeapGuard } from './memory/heap-guard.js'
import type { Ceiling, Consumer } from './memory/memory-limit.js'
import type { Room } from './negentropy/reconciliation-budget.js'
import type { Press } from './output/index.js'
import type { Clock, EventStore, Log, Random } from './ports.js'
import type { Queries } from './queries/index.js'
import type { RelaySettings } from './settings.js'
import type { LiveIndex } from './subscriptions/live-index.js'
import type { Subscription } from './subscriptions/subscription.js'

/** What the relay does with all sessions. */
export interface ConnectedSession extends Consumer {
  /** Stops taking messages. Events already taken in are still answered. */
  stopTaking(): void
  /** Ends all subscriptions before the connection is closed. */
  sayGoodbye(): void
}

export interface Engine {
  readonly settings: RelaySettings
  readonly store: Pick<EventStore, 'find' | 'count' | 'listSet'>
  readonly live: LiveIndex<Subscription>
  readonly queries: Queries
  readonly ceiling: Ceiling
  readonly heap: Pick<HeapGuard, 'isTight'>
  readonly large: LargeLine
  /** Of sets that clients reconcile. */
  readonly room: Room
  readonly press: Press
  readonly intake: Intake
  readonly lanes: Lanes
  readonly outage: Pick<Outage, 'isOn'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly random: Random
  readonly log: Log
  readonly tally: Tally
  /** `hostOf` of the relay's addresses (NIP-42). */
  readonly hosts: ReadonlySet<string>
  /** Somebody did something in this turn of the event loop, and is told when it is over. */
  busy(one: { turnEnded(): void }): void
  /** The connection of this session is closed. */
  left(session: ConnectedSession): void
}
