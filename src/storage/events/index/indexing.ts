// When staged events move into the index tables, and when they leave the stage. Readers ignore index rows of events that are staged or gone, so
// an event may have its rows before it leaves, and keep them for a while after it was removed.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { Remembered } from '../write/writer-state.js'
import { countRows, createGeneration, type Generation, writeSlice } from './generation.js'

export interface IndexingSizes {
  /** Staged events that make a generation. */
  readonly staged: number
  /** The same by what they take of the memory. */
  readonly bytes?: number
  /** Events whose rows are to be erased that make one. */
  readonly gone: number
  /** Rows of a slice at least, because rows share pages; and at most. */
  readonly slice: number
  readonly maxSlice: number
}

/** Indexed at once an event costs four times as much as staged and moved like this. */
export const INDEXING_SIZES: IndexingSizes = { staged: 30_000, gone: 30_000, slice: 256, maxSlice: 4096 }

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

export function createIndexing(db: Sqlite, remembered: Remembered, sizes: IndexingSizes): Indexing {
  const { bytes: stagedBytes = STAGED_BYTES } = sizes
  let rowsPerEvent = 0
  let rowsPerByte = 0
  /** Rows that the events of late give reason for. */
  let credit = 0

  function begin(eager: boolean): void {
    const { stage, gone, generation } = remembered
    if (generation) return
    if (eager ? stage.size + gone.size === 0 : !isFull(remembered)) return
    const staged = stage.turn()
    const next = createGeneration(staged.at(-1)?.seq ?? remembered.indexed, staged, new Map(gone))
    const all = countRows(next)
    const rows = HASTE * all
    rowsPerEvent = rows / Math.max(staged.length, sizes.gone)
    rowsPerByte = rows / stagedBytes
    // Where nearly everything was replaced meanwhile there is less than one slice, which would never be due, and its slabs would never be given back.
    credit = all < sizes.slice ? sizes.slice : 0
    remembered.generation = next
  }

  const isFull = ({ stage: { size, bytes }, gone, goneTags }: Remembered): boolean =>
    size >= sizes.staged || bytes + goneTags * TAG_BYTES >= stagedBytes || gone.size >= sizes.gone

  const rowsFor = ({ events, bytes }: Growth): number => Math.max(events * rowsPerEvent, bytes * rowsPerByte)

  function write(growth: Growth | 'most', lost: number): (() => void) | undefined {
    const { generation, stage } = remembered
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
      if (slice.last) done(remembered, generation)
    }
  }

  return { begin, write }
}

function finish(db: Sqlite, { upTo, gone }: Generation, events: number): void {
  db.run('UPDATE progress SET indexed = ?, events = events + ?', [upTo, events])
  if (gone.size > 0)
    db.run('DELETE FROM gone WHERE seq IN (SELECT value FROM json_each(?))', [`[${[...gone.keys()].join()}]`])
}

function done(remembered: Remembered, { upTo, gone }: Generation): void {
  remembered.generation = undefined
  remembered.indexed = upTo
  remembered.stage.drop()
  for (const [seq, { tags }] of gone) {
    remembered.gone.delete(seq)
    remembered.goneTags -= tags.length
  }
}
