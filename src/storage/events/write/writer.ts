// The only writer of a relay's events. A change is one transaction, which also moves some staged events into the index tables.

import { weightOf } from '../../../nostr/event/index.js'
import { inTransaction, type Row, type Sqlite } from '../../sqlite/sqlite.js'
import { type Generation, type IndexingPlan, preparing, writeSlice } from '../index/generation.js'
import { bulk, runBulk } from '../index/index-tables.js'
import type { SearchIndex } from '../search/search-index.js'
import type { Decided } from './decide.js'
import { DELETION_KIND, type Mark } from './deletions.js'
import type { Stored } from './lookups.js'
import { hasRows, recordChange, type WriterState } from './writer-state.js'

export interface EventWriter {
  /** Carries out the decision of `plan` in one transaction. Throws the database's error; the call then has no effect. */
  commit(plan: () => Decided): Decided
  /** Runs a slice of pending indexing; with `eager`, even if little is pending. False: nothing to do. */
  step(eager: boolean): boolean
}

/** An empty change. */
export const NO_CHANGE: Decided = { outcomes: [], added: [], removed: [], marks: [] }

/** Estimated WAL bytes of a deleted event, and of a slice. */
const REMOVED_BYTES = 4096
const SLICE_BYTES = 200_000

interface Parts {
  readonly db: Sqlite
  readonly state: WriterState
  readonly sizes: IndexingSizes
  readonly search?: Pick<SearchIndex, 'write'>
  /** Called after every commit that changed something. */
  readonly wrote: (bytes: number) => void
}

export function createEventWriter({ db, state, sizes, search, wrote }: Parts): EventWriter {
  const indexing = createIndexing(db, state, sizes)

  function change(plan: () => Decided, most: boolean): Decided {
    let settle: (() => void) | undefined
    let settleSearch: (() => void) | undefined
    const decided = inTransaction(db, () => {
      const planned = plan()
      writeAdded(db, planned)
      writeRemoved(db, planned.removed, (seq) => hasRows(state, seq))
      const { indexed, moving } = countRemoved(planned)
      // `progress` counts only events with all their rows.
      if (indexed > 0) db.run('UPDATE progress SET events = events - ?', [indexed])
      settle = indexing.write(most ? 'most' : growthOf(planned), moving)
      settleSearch = search?.write(planned)
      return planned
    })
    recordChange(state, decided)
    settle?.()
    settleSearch?.()
    const bytes = bytesOf(decided) + (settle ? SLICE_BYTES : 0)
    if (bytes > 0) wrote(bytes)
    return decided
  }

  function countRemoved({ removed }: Decided) {
    const { indexed: limit, generation } = state
    let [indexed, moving] = [0, 0]
    for (const { seq } of removed)
      if (seq <= limit) indexed++
      else if (generation && seq <= generation.upTo) moving++
    return { indexed, moving }
  }

  return {
    commit(plan) {
      indexing.begin(false)
      return change(plan, false)
    },
    step(eager) {
      indexing.begin(eager)
      if (!state.generation) return false
      change(() => NO_CHANGE, true)
      return true
    },
  }
}

/** Deletions count like additions: one deletion may remove two thousand events. */
function growthOf({ added, removed }: Decided): Growth {
  let bytes = 0
  for (const { text } of added) bytes += weightOf(text)
  return { events: Math.max(added.length, removed.length), bytes }
}

function bytesOf({ added, removed }: Decided): number {
  let bytes = removed.length * REMOVED_BYTES
  for (const { text } of added) bytes += text.bytes.length
  return bytes
}

// SQL of a change, without the index tables.

const EVENT = bulk(3, (rows) => `INSERT INTO event VALUES ${rows}`)
const EXPIRY = bulk(2, (rows) => `INSERT INTO expiry VALUES ${rows}`)
const GONE = bulk(2, (rows) => `INSERT OR REPLACE INTO gone VALUES ${rows}`)
const MARK = bulk(
  3,
  (rows) =>
    `INSERT INTO deletion VALUES ${rows} ON CONFLICT (target) DO UPDATE SET until = excluded.until, seq = excluded.seq WHERE excluded.until > until`,
)

function writeAdded(db: Sqlite, { added, marks }: Pick<Decided, 'added' | 'marks'>): void {
  const rows: Row[] = []
  const expiring: Row[] = []
  for (const { seq, text, keys } of added) {
    const { expires } = keys
    rows.push([seq, text.bytes, expires ?? null])
    if (expires !== undefined) expiring.push([expires, seq])
  }
  runBulk(db, EVENT, rows)
  runBulk(db, EXPIRY, expiring)
  runBulk(
    db,
    MARK,
    marks.map(({ target, until, seq }) => [target, until, seq]),
  )
}

/** `isIndexed`: index rows of the event may exist. They are erased later, in bulk. */
function writeRemoved(db: Sqlite, removed: readonly Stored[], isIndexed: (seq: number) => boolean): void {
  if (removed.length === 0) return
  const seqs = `[${removed.map(({ seq }) => seq).join()}]`
  db.run('DELETE FROM event WHERE seq IN (SELECT value FROM json_each(?))', [seqs])
  const left = removed.filter(({ seq }) => isIndexed(seq))
  runBulk(
    db,
    GONE,
    left.map(({ seq, keys }) => [seq, JSON.stringify(keys)]),
  )
  for (const { seq, event, keys } of removed) {
    if (keys.expires !== undefined) db.run('DELETE FROM expiry WHERE expires = ? AND seq = ?', [keys.expires, seq])
    if (event.kind === DELETION_KIND) forgetMarks(db, seq)
  }
}

const FORGET_EXPIRED = `DELETE FROM deletion WHERE target IN (SELECT value FROM json_each(?))
  AND EXISTS (SELECT 1 FROM event e WHERE e.seq = deletion.seq AND e.expires <= ?)`

/** Makes room for new marks where an expired deletion, which refuses nothing, is not swept yet. `now` is epoch seconds. */
export function forgetExpiredMarks(db: Sqlite, marks: readonly Mark[], now: number): void {
  if (marks.length > 0) db.run(FORGET_EXPIRED, [JSON.stringify(marks.map(({ target }) => target)), now])
}

/** A deletion that is itself deleted, by the operator or by age, no longer refuses events. */
const forgetMarks = (db: Sqlite, seq: number): number => db.run('DELETE FROM deletion WHERE seq = ?', [seq])

// Decides when staged events move into the index tables, and when they leave the stage. Readers ignore index rows of staged and deleted events, so
// rows may exist early and outlive their events.

export interface IndexingSizes {
  /** Number of staged events that starts a generation. */
  readonly staged: number
  /** The same by memory. */
  readonly bytes?: number
  /** Number of deleted events that starts one. */
  readonly tombstones: number
  /** Minimum and maximum rows of a slice. Rows share pages, hence the minimum. */
  readonly slice: number
  readonly maxSlice: number
}

/** Indexing each event at once would cost four times as much. */
export const INDEXING_SIZES: IndexingSizes = { staged: 30_000, tombstones: 30_000, slice: 256, maxSlice: 4096 }

/** 64 MiB; the next generation gathers while one moves. */
const STAGED_BYTES = 67_108_864

/** Charge per tag of a deleted event: four times its memory, because every part of a generation visits all of them. */
const TAG_BYTES = 64

/** Values that a call prepares, in less than a millisecond; with fewer events and tombstones, a generation is prepared when it begins. */
const VALUES_AT_ONCE = 30_000
const SMALL = 2000

/** Factor by which a generation finishes before the next one is due. */
const HASTE = 1.5

/** The growth of stage and tombstones by a transaction. */
interface Growth {
  /** The larger of added and removed. */
  readonly events: number
  /** Sum of `weightOf`. */
  readonly bytes: number
}

interface Indexing {
  /**
   * Starts a generation when there is enough for one; with `eager`, when there is anything. Calls after it prepare its rows, some at a time. Not
   * within a transaction.
   */
  begin(eager: boolean): void
  /**
   * Within a transaction: writes rows in proportion to its growth, or as many as allowed. `lost`: events of the generation that the transaction
   * deletes. Call the result after the commit.
   */
  write(growth: Growth | 'most', lost: number): (() => void) | undefined
}

function createIndexing(db: Sqlite, state: WriterState, sizes: IndexingSizes): Indexing {
  const { bytes: stagedBytes = STAGED_BYTES } = sizes
  let rowsPerEvent = 0
  let rowsPerByte = 0
  /** Rows owed by recent events. */
  let credit = 0
  let preparation: Iterator<number, IndexingPlan> | undefined

  function begin(eager: boolean): void {
    const { stage, tombstones, generation } = state
    if (generation) {
      prepare(generation)
      return
    }
    if (eager ? stage.size + tombstones.size === 0 : !isFull(state)) return
    const keys = stage.rotate()
    const { length: staged, lastSeq: upTo = state.indexed } = keys
    const next: Generation = { upTo, staged, tombstones: new Map(tombstones), lost: 0, begun: false, plan: undefined }
    preparation = preparing(keys, next.tombstones)
    state.generation = next
    if (staged + tombstones.size < SMALL) prepare(next)
  }

  /** Prepares some of the generation; when it is late, all. */
  function prepare(generation: Generation): void {
    let left = isLate() ? Number.POSITIVE_INFINITY : VALUES_AT_ONCE
    while (preparation && left > 0) {
      const step = preparation.next()
      if (step.done) usePlan(generation, step.value)
      else left -= step.value
    }
  }

  function usePlan(generation: Generation, plan: IndexingPlan): void {
    preparation = undefined
    generation.plan = plan
    const rows = HASTE * plan.rows
    rowsPerEvent = rows / Math.max(generation.staged, sizes.tombstones)
    rowsPerByte = rows / stagedBytes
    // If nearly everything was replaced meanwhile, the rest is less than a slice: it would never be due, and its slabs would never be released.
    credit = plan.rows < sizes.slice ? sizes.slice : 0
  }

  /** True beyond the memory of two generations: everything due is done, however long it takes. */
  const isLate = (): boolean => state.stage.bytes > 2 * stagedBytes

  const isFull = ({ stage: { size, bytes }, tombstones, tombstoneTags }: WriterState): boolean =>
    size >= sizes.staged || bytes + tombstoneTags * TAG_BYTES >= stagedBytes || tombstones.size >= sizes.tombstones

  const rowsFor = ({ events, bytes }: Growth): number => Math.max(events * rowsPerEvent, bytes * rowsPerByte)

  function write(growth: Growth | 'most', lost: number): (() => void) | undefined {
    const { generation } = state
    if (!generation?.plan) return undefined
    const rows = growth === 'most' ? sizes.maxSlice : credit + rowsFor(growth)
    if (rows < sizes.slice) {
      credit = rows
      return undefined
    }
    const count = isLate() ? Math.ceil(rows) : Math.min(Math.ceil(rows), sizes.maxSlice)
    const slice = writeSlice(db, generation, generation.plan, count)
    if (slice.last) writeProgress(db, generation, generation.staged - generation.lost - lost)
    return () => {
      credit = Math.max(0, rows - count)
      slice.settle()
      if (generation.tombstones.size > 0) state.erasures++
      if (slice.last) finishGeneration(state, generation)
    }
  }

  return { begin, write }
}

function writeProgress(db: Sqlite, { upTo, tombstones }: Generation, events: number): void {
  db.run('UPDATE progress SET indexed = ?, events = events + ?', [upTo, events])
  if (tombstones.size > 0)
    db.run('DELETE FROM gone WHERE seq IN (SELECT value FROM json_each(?))', [`[${[...tombstones.keys()].join()}]`])
}

function finishGeneration(state: WriterState, { upTo, tombstones }: Generation): void {
  state.generation = undefined
  state.indexed = upTo
  state.stage.drop()
  for (const [seq, { tags }] of tombstones) {
    state.tombstones.delete(seq)
    state.tombstoneTags -= tags.length
  }
}
