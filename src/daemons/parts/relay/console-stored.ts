// The last count of stored events. Counting ten million takes seconds, so a thread does it, seldom, and no page waits for it.
import { statSync } from 'node:fs'
import { messageOf } from '../../../lib/errors.js'
import type { Clock } from '../../../lib/ports.js'
import type { StoredAnswer, StoredEvents } from '../../../relay/console/index.js'
import type { EventStats } from '../../../storage/index.js'
import { pause } from './latest.js'

interface StoredParts {
  readonly dbPath: string
  /** In a thread. */
  readonly count: () => Promise<EventStats>
  readonly clock: Pick<Clock, 'now'>
}

/** Least time between two counts, and its least ratio to the time that counting takes: a hundredth of a disk at most. */
const EVERY_MS = 60_000
const REST = 100
/** A page waits so long for the first count: long enough for a small relay. */
const PATIENCE_MS = 15

export function createStoredCounts({ dbPath, count, clock }: StoredParts) {
  let stored: StoredEvents | undefined
  let problem: string | undefined
  let running: Promise<void> | undefined
  let next = 0

  async function countNow(): Promise<void> {
    const begin = clock.now()
    try {
      stored = { at: begin, ...(await count()), ...filesOf(dbPath) }
      problem = undefined
    } catch (thrown) {
      problem = messageOf(thrown)
    }
    const end = clock.now()
    next = end + Math.max(EVERY_MS, REST * (end - begin))
    running = undefined
  }

  return {
    async read(): Promise<StoredAnswer> {
      const now = clock.now()
      // The clock may have been set back.
      if (!running && (now >= next || (stored && now < stored.at))) running = countNow()
      if (!stored && !problem) await Promise.race([running, pause(PATIENCE_MS)])
      return { stored, problem }
    },
    /** When the shown count was made. */
    at: (): number => stored?.at ?? 0,
    /** Waits for a count that is under way. */
    settled: async (): Promise<void> => running,
  }
}

function filesOf(path: string): Pick<StoredEvents, 'fileBytes' | 'logBytes'> {
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return { fileBytes: sizeOf(path), logBytes: sizeOf(`${path}-wal`) }
}
