// The services that all sessions share.

import type { Clock, Log } from '../lib/ports.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { LargeMessageQueue } from './connection/large-message-queue.js'
import type { Counters } from './counters.js'
import type { EventIntake } from './ingest/intake.js'
import type { VerifyQueue } from './ingest/verify-queue.js'
import type { WriteOutage } from './ingest/write-outage.js'
import type { HeapGuard } from './memory/heap-guard.js'
import type { MemoryConsumer, MemoryLimit } from './memory/memory-limit.js'
import type { ReconciliationBudget } from './negentropy/reconciliation-budget.js'
import type { FrameWriter } from './output/index.js'
import type { EventStore } from './ports.js'
import type { QueryScheduler } from './queries/index.js'
import type { RelaySettings } from './settings.js'
import type { LiveIndex } from './subscriptions/live-index.js'
import type { Subscription } from './subscriptions/subscription.js'

/** A session, as the relay sees it. */
export interface ConnectedSession extends MemoryConsumer {
  /** Stops taking messages. Events already taken in are still answered. */
  stopTaking(): void
  /** Ends all subscriptions before the connection is closed. */
  sayGoodbye(): void
}

export interface Engine {
  readonly settings: RelaySettings
  readonly store: Pick<EventStore, 'find' | 'count' | 'listSet'>
  readonly live: LiveIndex<Subscription>
  readonly queries: QueryScheduler
  readonly memoryLimit: MemoryLimit
  readonly heap: Pick<HeapGuard, 'isTight'>
  readonly largeMessages: LargeMessageQueue
  /** Memory budget of sets that clients reconcile. */
  readonly reconciliationBudget: ReconciliationBudget
  readonly frameWriter: FrameWriter
  readonly intake: EventIntake
  readonly verifyQueue: VerifyQueue
  readonly writeOutage: Pick<WriteOutage, 'isOn'>
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly random: RandomBytes
  readonly log: Log
  readonly counters: Counters
  /** Host and port of the relay's addresses (NIP-42). */
  readonly hosts: ReadonlySet<string>
  /** Registers an object whose `turnEnded` is called at the end of this turn of the event loop. */
  busy(one: { turnEnded(): void }): void
  /** The connection of this session is closed. */
  left(session: ConnectedSession): void
}
