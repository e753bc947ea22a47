// A relay for the console, of this process or beside it: its view, and the loop that reads its counters in between.
import type { RelayFacts } from '../../../config/index.js'
import { createRelayView, type RelaySource, type RelayView } from '../../../relay/console/index.js'
import type { EventStats } from '../../../storage/index.js'
import type { SystemClock, SystemLog } from '../../../system/index.js'
import type { Part } from '../../runtime.js'
import { createLoop } from '../loop.js'
import { readDisk } from '../metrics.js'
import { createStoredCounts } from './console-stored.js'

export interface RelayReads extends Omit<RelaySource, 'facts' | 'disk' | 'stored'> {
  /** In a thread. Rejects with DATABASE_MISSING and the like. */
  count(): Promise<EventStats>
  close(): Promise<void>
}

export interface ObservedRelay {
  readonly view: RelayView
  /** Differs when open pages shall load themselves again. */
  mark(): string
  /** Reads the counters of a relay of this process; it also closes `reads`. */
  readonly part: Part
}

interface ObservedParts {
  readonly facts: RelayFacts
  readonly reads: RelayReads
  readonly clock: Pick<SystemClock, 'now' | 'sleep'>
  readonly log: SystemLog
}

/** Between two readings of the counters, and between two reloads of open pages. */
const EVERY_MS = 10_000

export function observeRelay({ facts, reads, clock, log }: ObservedParts): ObservedRelay {
  const { dbPath } = facts
  const counts = createStoredCounts({ dbPath, count: reads.count, clock })
  const view = createRelayView({ ...reads, facts, disk: () => readDisk(dbPath), stored: counts.read }, clock)
  const loop = createLoop({
    name: 'console-relay',
    everyMs: EVERY_MS,
    pass: async () => void (await view.observe()),
    sleep: clock.sleep,
    log,
  })
  return {
    view,
    mark: () => `${Math.floor(clock.now() / EVERY_MS)} ${counts.at()}`,
    part: {
      name: 'console-relay',
      start: async (signal) => (reads.isBeside ? undefined : loop.start(signal)),
      async stop() {
        if (!reads.isBeside) await loop.stop()
        await counts.settled()
        await reads.close()
      },
    },
  }
}
