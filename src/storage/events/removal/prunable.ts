// What removing and pruning would take away, counted without taking it.
import type { Filter } from '../../../nostr/filter/index.js'
import type { EventStore } from '../../../relay/index.js'
import type { EventStats } from '../stats.js'
import { excessOf, mayGo, type Retention, type Spared, sparing } from './removal.js'

const DAY = 86_400

interface Question {
  readonly retention: Retention
  /** Epoch seconds. */
  readonly now: number
}

/** The same steps as `prune` takes: first what is too old, then the oldest of what is still too much. */
export function countPrunable(stats: EventStats, count: EventStore['count'], { retention, now }: Question): number {
  const { days, keepAuthors: authors = [] } = retention
  const kinds = stats.kinds.map(({ kind }) => kind).filter((kind) => mayGo(kind, retention))
  if (kinds.length === 0) return 0
  const free = (filter: Filter) => countRemovable(count, [{ ...filter, kinds }], { authors })
  const aged = days === undefined ? 0 : free({ tags: [], until: now - days * DAY })
  const left = { events: stats.events - aged, bytes: stats.bytes * (1 - aged / Math.max(stats.events, 1)) }
  return Math.min(aged + excessOf(retention, left), free({ tags: [] }))
}

/** How many events `remove` would take away. */
export function countRemovable(count: EventStore['count'], filters: readonly Filter[], spared: Spared): number {
  const work = count(filters, Number.MAX_SAFE_INTEGER, sparing(spared))
  for (;;) {
    const done = work.step()
    if (done) return done.count
  }
}
