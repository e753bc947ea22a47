// When staged events move into the index tables, and when they leave the stage. Readers ignore index rows of events that are staged or gone, so
// an event may have its rows before it leaves, and keep them for a while after it was removed.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { WriterState } from '../write/writer-state.js'
import { countIndexRows, createGeneration, type Generation, writeSlice } from './generation.js'

export interface IndexingSizes {
  /** Staged events that make a generation. */
  readonly staged: number
  /** The same by what they take of the memory. */
  readonly bytes?: number
  /** Events whose rows are to be erased that make one. */
  readonly tombstones: number
  /** Rows of a slice at least, because rows share pages; and at most. */
  readonly slice: number
  readonly maxSlice: number
}

/** Indexed at once an event costs four times as much as staged and moved like this. */
export const INDEXING_SIZES: IndexingSizes = { staged: 30_000, tombstones: 30_000, slice: 256, maxSlice: 4096 }

/** 64 MiB; while one generation moves the next one gathers. */
const STAGED_BYTES = 67_108_864

/** What a tag of an event that is no more counts: four times what it takes of the memory, because every part of a generation goes through all of them. */
const TAG_BYTES = 64

/** A generation is to be done well before the next one is due. */
const HASTE = 1.5

/** What a transaction adds to the stage, and to what is to be erased. */
export interface Growth {
  /** Added or removed, whichever are more. */
  readonly events: number
  /** Sum of `weightOf`. */
  readonly bytes: number
}

export interface Indexing {
  /** Begins a generation when there is enough for one; `eager`: when there is anything. Not within a transaction. */
  begin(eager: boolean): void
  /**
   * Within a transaction: writes what its growth gives reason for, or as much as it may. `lost`: events of the generation that the
   * transaction removes. What it answers is to be called after the commit.
   */
  write(growth: Growth | 'most', lost: number): (() => void) | undefined
}

export function createIndexing(db: Sqlite, state: WriterState, sizes: IndexingSizes): Indexing {
  const { bytes: stagedBytes = STAGED_BYTES } = sizes
  let rowsPerEvent = 0
  let rowsPerByte = 0
  /** Rows that the events of late give reason for. */
  let credit = 0

  function begin(eager: boolean): void {
    const { stage, tombstones, generation } = state
    if (generation) return
    if (eager ? stage.size + tombstones.size === 0 : !isFull(state)) return
    const staged = stage.rotate()
    const next = createGeneration(staged.at(-1)?.seq ?? state.indexed, staged, new Map(tombstones))
    const all = countIndexRows(next)
    const rows = HASTE * all
    rowsPerEvent = rows / Math.max(staged.length, sizes.tombstones)
    rowsPerByte = rows / stagedBytes
    // Where nearly everything was replaced meanwhile there is less than one slice, which would never be due, and its slabs would never be given back.
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
    // Both generations together: beyond that what is due is written, however long it takes.
    const isLate = stage.bytes > 2 * stagedBytes
    const count = isLate ? Math.ceil(rows) : Math.min(Math.ceil(rows), sizes.maxSlice)
    const slice = writeSlice(db, generation, count)
    if (slice.last) finish(db, generation, generation.staged.length - generation.lost - lost)
    return () => {
      credit = Math.max(0, rows - count)
      slice.settle()
      if (slice.last) done(state, generation)
    }
  }

  return { begin, write }
}

function finish(db: Sqlite, { upTo, tombstones }: Generation, events: number): void {
  db.run('UPDATE progress SET indexed = ?, events = events + ?', [upTo, events])
  if (tombstones.size > 0)
    db.run('DELETE FROM gone WHERE seq IN (SELECT value FROM json_each(?))', [`[${[...tombstones.keys()].join()}]`])
}

function done(state: WriterState, { upTo, tombstones }: Generation): void {
  state.generation = undefined
  state.indexed = upTo
  state.stage.drop()
  for (const [seq, { tags }] of tombstones) {
    state.tombstones.delete(seq)
    state.tombstoneTags -= tags.length
  }
}
