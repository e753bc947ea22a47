// Decides when staged events move into the index tables, and when they leave the stage. Readers ignore index rows of staged and deleted events, so
// rows may exist early and outlive their events.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { WriterState } from '../write/writer-state.js'
import { countIndexRows, createGeneration, type Generation, writeSlice } from './generation.js'

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
  /** Starts a generation when there is enough for one; with `eager`, when there is anything. Not within a transaction. */
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

  function begin(eager: boolean): void {
    const { stage, tombstones, generation } = state
    if (generation) return
    if (eager ? stage.size + tombstones.size === 0 : !isFull(state)) return
    const staged = stage.rotate()
    const last = staged.seq[staged.length - 1]
    const next = createGeneration(staged.length > 0 ? (last as number) : state.indexed, staged, new Map(tombstones))
    const all = countIndexRows(next)
    const rows = HASTE * all
    rowsPerEvent = rows / Math.max(next.staged, sizes.tombstones)
    rowsPerByte = rows / stagedBytes
    // If nearly everything was replaced meanwhile, the rest is less than a slice: it would never be due, and its slabs would never be released.
    credit = all < sizes.slice ? sizes.slice : 0
    state.generation = next
  }

  const isFull = ({ stage: { size, bytes }, tombstones, tombstoneTags }: WriterState): boolean =>
    size >= sizes.staged || bytes + tombstoneTags * TAG_BYTES >= stagedBytes || tombstones.size >= sizes.tombstones

  const rowsFor = ({ events, bytes }: Growth): number => Math.max(events * rowsPerEvent, bytes * rowsPerByte)

  function write(growth: Growth | 'most', lost: number): (() => void) | undefined {
    const { generation, stage } = state
    if (!generation) return undefined
    const rows = growth === 'most' ? sizes.maxSlice : credit + rowsFor(growth)
    if (rows < sizes.slice) {
      credit = rows
      return undefined
    }
    // Beyond the memory of both generations, everything due is written, however long it takes.
    const isLate = stage.bytes > 2 * stagedBytes
    const count = isLate ? Math.ceil(rows) : Math.min(Math.ceil(rows), sizes.maxSlice)
    const slice = writeSlice(db, generation, count)
    if (slice.last) writeProgress(db, generation, generation.staged - generation.lost - lost)
    return () => {
      credit = Math.max(0, rows - count)
      slice.settle()
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
