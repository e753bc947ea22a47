// Front ends of a relay on one log, each with what its store would have applied.
import { onTestFinished } from 'vitest'
import type { LogEvent, LogFollower } from '../../../src/relay/index.js'
import type { DatabasePlace } from '../../../src/storage/postgres/place.js'
import { openSharedLog, type SharedLog, type SharedLogParts } from '../../../src/storage/postgres/relay-log/log.js'
import { systemClock, systemRandom } from '../../../src/system/index.js'
import { aText } from '../event-builders.js'

/** A log as a process opens it, which nothing follows yet. */
export async function logOn(place: DatabasePlace, parts: Partial<SharedLogParts> = {}): Promise<SharedLog<LogEvent>> {
  const log = await openSharedLog<LogEvent>({
    ...SYSTEM,
    patienceMs: 10_000,
    days: 7,
    version: '0.0.0',
    place,
    ...parts,
  })
  onTestFinished(log.close)
  return log
}

const SYSTEM = { clock: systemClock, random: systemRandom }

export interface FrontEnd {
  readonly log: SharedLog<LogEvent>
  /** Positions and contents of events, or types of changes, in the order in which they were applied. */
  readonly entries: { readonly pos: number; readonly contents: readonly string[]; readonly isOwn: boolean }[]
  /** The contents of all events that were applied. */
  readonly contents: string[]
  /** Of own events that were applied as such: monotonic times by content. */
  readonly answered: Map<string, number>
  readonly failed: string[]
  position(): number
  close(): Promise<void>
}

export const anEvent = (content: string): LogEvent => ({ text: aText({ content }) })

export type LogOptions = Partial<SharedLogParts> & {
  readonly after?: number
  /** Called for each entry before it counts as applied. */
  readonly applying?: LogFollower['applyEvents']
}

/** A process of its own, as far as the log is concerned. */
export async function frontEndOn(place: DatabasePlace, options: LogOptions = {}): Promise<FrontEnd> {
  const { after = 0, applying, ...parts } = options
  const log = await logOn(place, parts)
  let position = after
  const frontEnd: FrontEnd = {
    log,
    entries: [],
    contents: [],
    answered: new Map(),
    failed: [],
    position: () => position,
    close: log.close,
  }
  log.follow(after, {
    applyEvents(entry) {
      const problem = applying?.(entry)
      if (problem) return problem
      const contents = entry.events.map(({ text }) => text.event.content)
      position = entry.pos
      frontEnd.entries.push({ pos: entry.pos, contents, isOwn: entry.isOwn })
      frontEnd.contents.push(...contents)
      if (entry.isOwn) for (const content of contents) frontEnd.answered.set(content, performance.now())
      return undefined
    },
    applyChange: async ({ pos, change }) => {
      position = pos
      frontEnd.entries.push({ pos, contents: [change.type], isOwn: false })
    },
    failed: (events) => void frontEnd.failed.push(...events.map(({ text }) => text.event.content)),
  })
  return frontEnd
}
