// What a console observed of a relay: events of the last 24 hours by hour, and the rate of now, from counters that only grow.

/** Totals since the start of the relay. */
export interface CountedEvents {
  readonly at: number
  readonly startedAt: number
  readonly accepted: number
  readonly refused: number
  /** By kind; what has no counter of its own is under -1. */
  readonly kinds: ReadonlyMap<number, number>
}

const HOUR_MS = 3_600_000
const HOURS = 24
/** The rate is that of at least this time, and of at most that: an older reading says nothing about now. */
const [RATE_LEAST_MS, RATE_MOST_MS] = [5000, 120_000]

/** Times of a start that is computed from its age differ a little. */
const SAME_START_MS = 5000

/** Counters of another process began at 0. */
const isOfSameProcess = (last: CountedEvents, reading: CountedEvents): boolean =>
  Math.abs(last.startedAt - reading.startedAt) < SAME_START_MS && last.accepted <= reading.accepted

interface HourCounts {
  accepted: number
  refused: number
  readonly kinds: Map<number, number>
}

/** One hour, from a whole hour of UTC on; the last one goes on. */
export interface RelayHour extends Readonly<HourCounts> {
  readonly start: number
}

/** The last 24 hours, oldest first, observed from `since` on. */
export interface RelayPast {
  readonly since: number
  readonly hours: readonly RelayHour[]
}

export function createRelayHistory() {
  const hours = new Map<number, HourCounts>()
  let since: number | undefined
  let last: CountedEvents | undefined
  let before: CountedEvents | undefined

  function hourOf(at: number): HourCounts {
    const start = at - (at % HOUR_MS)
    const known = hours.get(start)
    if (known) return known
    const fresh: HourCounts = { accepted: 0, refused: 0, kinds: new Map() }
    hours.set(start, fresh)
    for (const other of hours.keys()) if (other <= start - HOURS * HOUR_MS) hours.delete(other)
    return fresh
  }

  /** What came since `base`; without one, since the start of the relay. */
  function count(reading: CountedEvents, base: CountedEvents | undefined): void {
    const hour = hourOf(reading.at)
    hour.accepted += reading.accepted - (base?.accepted ?? 0)
    hour.refused += reading.refused - (base?.refused ?? 0)
    for (const [kind, events] of reading.kinds) {
      const more = events - (base?.kinds.get(kind) ?? 0)
      if (more > 0) hour.kinds.set(kind, (hour.kinds.get(kind) ?? 0) + more)
    }
  }

  return {
    /** What was counted between two readings belongs to the hour of the later one. */
    add(reading: CountedEvents): void {
      since ??= reading.at
      const base = last && isOfSameProcess(last, reading) ? last : undefined
      const elapsed = base ? reading.at - base.at : 0
      if (base && elapsed >= 0 && elapsed < RATE_LEAST_MS) return
      // Unless the relay has just begun, its first counts belong to hours that were not observed.
      if (base || reading.at - reading.startedAt < HOUR_MS) count(reading, base)
      before = elapsed > 0 ? base : undefined // else the clock was set back
      last = { ...reading, kinds: new Map(reading.kinds) }
    },
    /** Accepted events per second between the last two readings. */
    rate(now: number): { readonly perSecond: number; readonly overSeconds: number } | undefined {
      if (!last || !before || now - last.at > RATE_MOST_MS || last.at - before.at > RATE_MOST_MS) return undefined
      const seconds = (last.at - before.at) / 1000
      return { perSecond: (last.accepted - before.accepted) / seconds, overSeconds: Math.round(seconds) }
    },
    /** The last 24 hours up to that of `now`; undefined before the first reading. */
    past(now: number): RelayPast | undefined {
      if (since === undefined) return undefined
      const current = now - (now % HOUR_MS)
      const starts = Array.from({ length: HOURS }, (_, at) => current - (HOURS - 1 - at) * HOUR_MS)
      return {
        since,
        hours: starts.map((start) => ({
          start,
          ...(hours.get(start) ?? { accepted: 0, refused: 0, kinds: new Map() }),
        })),
      }
    },
  }
}
