// Deletes events: expired ones, those that the operator names, those beyond retention. Works in slices, so that the relay keeps serving.
import { setImmediate } from 'node:timers/promises'
import { authorAt, GIFT_WRAP_KIND, idsIn, kindAt } from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { EventStore, FindOptions, KindEntry, Spared } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { prefixOf } from '../index/index-keys.js'
import { withoutLimit } from '../query/count.js'
import { bytesOf, type EventStats } from '../stats.js'
import { asStored, findByPrefix, readEvents, type Stored } from '../write/lookups.js'
import { type EventWriter, NO_CHANGE } from '../write/writer.js'
import type { WriterState } from '../write/writer-state.js'

/** Retention rules. Gift wraps always stay. */
export interface EventRetention {
  /** Maximum number of events; the oldest are deleted. */
  readonly maxEvents?: number | undefined
  /** Maximum size of the file; the oldest events are deleted. */
  readonly maxBytes?: number | undefined
  /** Maximum age in days. */
  readonly days?: number | undefined
  /** Authors whose events stay; 64 hex. */
  readonly keepAuthors?: readonly string[]
  /** Only these kinds are deleted; absent: all. */
  readonly kinds?: readonly KindEntry[]
}

export interface Removal {
  /** Deletes a slice of expired events; returns their number. */
  sweep(): number
  /** Deletes all matching events, including gift wraps unless spared; returns their number. Ignores limits of filters. */
  remove(filters: readonly Filter[], spared?: Spared): Promise<number>
  /** Applies retention; returns the number of deleted events. */
  prune(retention: EventRetention): Promise<number>
}

/** Removes what `remove` and `prune` name. */
type Remove = (filters: readonly Filter[], spared?: Spared) => Promise<number>

export interface SlicedRemoval extends Removal {
  /** `prune` as removals by age: with limits of size, all events of the last second go too. */
  pruneBy(retention: EventRetention, remove: Remove): Promise<number>
}

export interface RemovalParts {
  readonly db: Sqlite
  readonly state: WriterState
  readonly writer: EventWriter
  readonly find: EventStore['find']
  /** Epoch seconds. */
  readonly now: () => number
}

/** Expired events per transaction, within its bytes. */
const SLICE = 200
/** Other events per transaction: each takes up to 0.1 ms of the event loop. */
const REMOVED_AT_ONCE = 32
const DAY = 86_400
/** Bytes per transaction, with at least one event: a text of 20 kB may have two thousand index rows, or refuse as many events. */
const SLICE_BYTES = 65_536
const EXPIRED = `
  SELECT e.seq, length(e.text) FROM (SELECT expires, seq FROM expiry WHERE expires <= ? ORDER BY expires, seq LIMIT ?) x
  CROSS JOIN event e ON e.seq = x.seq`
const KINDS = `WITH RECURSIVE step (kind) AS (
  SELECT min(kind) FROM by_kind UNION ALL SELECT (SELECT min(kind) FROM by_kind WHERE kind > step.kind) FROM step WHERE kind IS NOT NULL
) SELECT kind FROM step WHERE kind IS NOT NULL`
const OLDEST = 'SELECT place, seq FROM by_kind WHERE kind = ? AND place > ? ORDER BY place LIMIT ?'

export function createRemoval({ db, state, writer, find, now }: RemovalParts): SlicedRemoval {
  function removeStored(stored: readonly Stored[]): number {
    if (stored.length > 0) writer.commit(() => ({ ...NO_CHANGE, removed: stored }))
    return stored.length
  }

  function sweep(): number {
    let room = SLICE_BYTES
    const seqs: number[] = []
    for (const [seq, bytes] of db.all(EXPIRED, [now(), SLICE])) {
      room -= Number(bytes)
      if (room < 0 && seqs.length > 0) break
      seqs.push(Number(seq))
    }
    return seqs.length === 0 ? 0 : removeStored(readEvents(db, seqs))
  }

  async function remove(filters: readonly Filter[], spared: Spared = {}): Promise<number> {
    const query = find(filters.map(withoutLimit), sparing(spared))
    let removed = 0
    for (let page = query.next(); page !== undefined; page = query.next()) {
      const ids = idsIn(page)
      for (let start = 0; start < ids.length; start += REMOVED_AT_ONCE) {
        removed += removeStored(storedById(ids.slice(start, start + REMOVED_AT_ONCE)))
        await setImmediate()
      }
    }
    return removed
  }

  function storedById(ids: readonly string[]): readonly Stored[] {
    const { stage, tombstones } = state
    const known = (seq: number) => tombstones.has(seq) || stage.holds(seq)
    const onDisk = findByPrefix(db, ids.map(prefixOf), known)
    return ids.flatMap((id) => {
      const staged = stage.get(id)
      const stored = staged ? asStored(staged) : onDisk.get(id)
      return stored ? [stored] : []
    })
  }

  /** Indexes everything, because pruning reads the tables only. */
  async function indexAll(): Promise<void> {
    const last = state.nextSeq - 1
    while (state.indexed < last && writer.step(true)) await setImmediate()
  }

  async function prune(retention: EventRetention): Promise<number> {
    await indexAll()
    const { kinds, keep, removed } = await pruneAged(retention, remove)
    return removed + (await removeOldest(kinds, keep, excess(retention)))
  }

  async function pruneBy(retention: EventRetention, removeFrom: Remove): Promise<number> {
    await indexAll()
    const { kinds, keep, removed } = await pruneAged(retention, removeFrom)
    const until = await timeOfOldest(kinds, keep, excess(retention))
    if (until === undefined) return removed
    return removed + (await removeFrom([{ kinds, tags: [], until }], { authors: [...keep] }))
  }

  async function pruneAged(retention: EventRetention, removeFrom: Remove) {
    const { days, keepAuthors = [] } = retention
    const kinds = prunableKinds(retention)
    const isAged = days !== undefined && kinds.length > 0
    const filters = isAged ? [{ kinds, tags: [], until: now() - days * DAY }] : []
    const removed = isAged ? await removeFrom(filters, { authors: keepAuthors }) : 0
    return { kinds, keep: new Set(keepAuthors), removed }
  }

  const excess = ({ maxEvents, maxBytes }: EventRetention): number =>
    excessOf({ maxEvents, maxBytes }, { events: state.events, bytes: bytesOf(db) })

  const prunableKinds = (retention: EventRetention): readonly number[] =>
    db
      .all(KINDS)
      .map(([kind]) => Number(kind))
      .filter((kind) => mayGo(kind, retention))

  async function removeOldest(kinds: readonly number[], keep: ReadonlySet<string>, count: number): Promise<number> {
    let removed = 0
    for (const free of oldestFirst(kinds, keep)) {
      if (removed >= count) break
      removed += removeStored(free.slice(0, count - removed))
      await setImmediate()
    }
    return removed
  }

  /** The time up to which there are so many events; undefined: none are asked for. */
  async function timeOfOldest(
    kinds: readonly number[],
    keep: ReadonlySet<string>,
    count: number,
  ): Promise<number | undefined> {
    let [seen, until]: [number, number | undefined] = [0, undefined]
    for (const free of oldestFirst(kinds, keep)) {
      if (seen >= count) break
      const some = free.slice(0, count - seen)
      seen += some.length
      until = some.at(-1)?.event.created_at ?? until
      await setImmediate()
    }
    return until
  }

  /** Some events at a time, without those of kept authors. */
  function* oldestFirst(kinds: readonly number[], keep: ReadonlySet<string>): Generator<readonly Stored[]> {
    let after = Number.MIN_SAFE_INTEGER
    for (;;) {
      const oldest = oldestOf(kinds, after)
      const last = oldest.at(-1)
      if (last === undefined) return
      const seqs = oldest.map(([, seq]) => seq).filter((seq) => !state.tombstones.has(seq))
      const free = readEvents(db, seqs).filter(({ event }) => !keep.has(event.pubkey))
      yield [...free].sort((a, b) => a.keys.place - b.keys.place)
      after = last[0]
    }
  }

  /** Places and numbers of the next oldest events of all kinds. Events at a shared place may be left for the next run. */
  function oldestOf(kinds: readonly number[], after: number): readonly (readonly [number, number])[] {
    const all = kinds.flatMap((kind) =>
      db.all(OLDEST, [kind, after, REMOVED_AT_ONCE]).map(([place, seq]) => [Number(place), Number(seq)] as const),
    )
    return all.sort(([a], [b]) => a - b).slice(0, REMOVED_AT_ONCE)
  }

  return { sweep, remove, prune, pruneBy }
}

/** Hides spared events. */
function sparing({ authors = [], kinds = [] }: Spared): FindOptions {
  const [keys, kept] = [new Set(authors), new Set(kinds)]
  if (keys.size + kept.size === 0) return {}
  return { visible: (text) => !keys.has(authorAt(text, 0)) && !kept.has(kindAt(text, 0)) }
}

/** True when retention applies to this kind. Asked once for each stored kind. */
const mayGo = (kind: number, { kinds }: EventRetention): boolean =>
  kind !== GIFT_WRAP_KIND && (kinds === undefined || kinds.some((entry) => isOf(entry, kind)))

const isOf = (entry: KindEntry, kind: number): boolean =>
  typeof entry === 'number' ? entry === kind : entry.first <= kind && kind <= entry.last

/** Number of surplus events. For bytes an estimate by mean size, because the space of a single event is unknown. */
function excessOf(
  { maxEvents = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY }: EventRetention,
  { events, bytes }: { readonly events: number; readonly bytes: number },
): number {
  const beyond = bytes > maxBytes ? Math.ceil(events * (1 - maxBytes / bytes)) : 0
  return Math.max(events - maxEvents, beyond, 0)
}

interface Question {
  readonly retention: EventRetention
  /** Epoch seconds. */
  readonly now: number
}

/** Counts in the same steps as `prune`: first by age, then the oldest surplus. */
export function countPrunable(stats: EventStats, count: EventStore['count'], { retention, now }: Question): number {
  const { days, keepAuthors: authors = [] } = retention
  const kinds = stats.kinds.map(({ kind }) => kind).filter((kind) => mayGo(kind, retention))
  if (kinds.length === 0) return 0
  const free = (filter: Filter) => countRemovable(count, [{ ...filter, kinds }], { authors })
  const aged = days === undefined ? 0 : free({ tags: [], until: now - days * DAY })
  const left = { events: stats.events - aged, bytes: stats.bytes * (1 - aged / Math.max(stats.events, 1)) }
  return Math.min(aged + excessOf(retention, left), free({ tags: [] }))
}

/** Counts the events that `remove` would delete. */
export function countRemovable(count: EventStore['count'], filters: readonly Filter[], spared: Spared): number {
  const work = count(filters, Number.MAX_SAFE_INTEGER, sparing(spared))
  for (;;) {
    const done = work.step()
    if (done) return done.count
  }
}
