// What all sessions share.
import type { Ceiling } from './ceiling.js'
import type { HeapGuard } from './heap-guard.js'
import type { Intake } from './intake.js'
import type { Lanes } from './lanes.js'
import type { LargeLine } from './large-line.js'
import type { LiveIndex } from './live/index.js'
import type { Room } from './negentropy/index.js'
import type { Outage } from './outage.js'
import type { Press } from './output/index.js'
import type { Clock, EventStore, Log, Random } from './ports.js'
import type { Queries } from './queries/index.js'
import type { Session } from './session.js'
import type { RelaySettings } from './settings.js'
import type { Subscription } from './subscription.js'
import type { Tally } from './tally.js'

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
  readonly clock: Pick<Clock, 'now'>
  readonly random: Random
  readonly log: Log
  readonly tally: Tally
  /** `hostOf` of the relay's addresses (NIP-42). */
  readonly hosts: ReadonlySet<string>
  /** Somebody did something in this turn of the event loop, and is told when it is over. */
  busy(one: { turnEnded(): void }): void
  /** This session's connection is gone. */
  left(session: Session): void
}
