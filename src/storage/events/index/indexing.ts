// Decides when staged events move into the index tables, and when they leave the stage. Readers ignore index rows of staged and deleted events, so
// rows may exist early and outlive their events.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { WriterState } from '../write/writer-state.js'
import { type Generation, type IndexingPlan, preparing, writeSlice } from './generation.js'

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
export interface Growth {
  /** The larger of added and removed. */
  readonly events: number
  /** Sum of `weightOf`. */
  readonly bytes: number
}

export interface Indexing {
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

export function createIndexing(db: Sqlite, state: WriterState, sizes: IndexingSizes): Indexing {
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
