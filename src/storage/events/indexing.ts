// When staged events move into the index tables, and when they leave the stage. Readers ignore index rows of events that are staged or gone, so
// an event may have its rows before it leaves, and keep them for a while after it was removed.
import type { Sqlite } from '../sqlite.js'
import { countRows, createGeneration, type Generation, writeSlice } from './generation.js'
import { asStored, type Remembered, unstage } from './remembered.js'

export interface IndexingSizes {
  /** Staged events that make a generation. */
  readonly staged: number
  /** Events whose rows are to be erased that make one. */
  readonly gone: number
  /** Rows of a slice at least, because rows share pages; and at most. */
  readonly slice: number
  readonly maxSlice: number
}

/** Twice as many staged events wait, for a quarter less of processor time; half as many, for a third more. */
export const INDEXING_SIZES: IndexingSizes = { staged: 15_000, gone: 4000, slice: 256, maxSlice: 4096 }

/** A generation is to be done well before the next one is due. */
const HASTE = 1.5

/** Events that leave the stage with one change at least. */
const RELEASE = 64

export interface Indexing {
  /** Begins a generation when there is enough for one; `eager`: when there is anything. Not within a transaction. */
  begin(eager: boolean): void
  /**
   * Within a transaction: writes what its `added` events give reason for, or as much as it may. `lost`: events of the generation that the
   * transaction removes. What it answers is to be called after the commit.
   */
  write(added: number | 'most', lost: number): (() => void) | undefined
  /** Lets events leave the stage that have all their rows. Not within a transaction. */
  release(added: number | 'most'): void
  /** Events have rows to be written or erased, or may leave. */
  isDue(): boolean
}

export function createIndexing(db: Sqlite, remembered: Remembered, sizes: IndexingSizes): Indexing {
  let rowsPerEvent = 0
  /** Rows that the events of late give reason for. */
  let credit = 0

  function begin(eager: boolean): void {
    const { stage, gone, leaving, generation } = remembered
    if (generation || leaving.length > 0) return
    if (eager ? stage.size + gone.size === 0 : stage.size < sizes.staged && gone.size < sizes.gone) return
    const staged = stage.oldest(sizes.staged)
    const next = createGeneration(staged.at(-1)?.seq ?? remembered.indexed, staged, [...gone])
    rowsPerEvent = (HASTE * countRows(next)) / Math.max(staged.length, sizes.gone)
    credit = 0
    remembered.generation = next
  }

  function write(added: number | 'most', lost: number): (() => void) | undefined {
    const { generation } = remembered
    if (!generation) return undefined
    const rows = added === 'most' ? sizes.maxSlice : credit + added * rowsPerEvent
    if (rows < sizes.slice) {
      credit = rows
      return undefined
    }
    const slice = writeSlice(db, generation, Math.min(Math.ceil(rows), sizes.maxSlice))
    if (slice.last) finish(db, generation, generation.staged.length - generation.lost - lost)
    return () => {
      credit = 0
      slice.settle()
      if (slice.last) done(remembered, generation)
    }
  }

  function release(added: number | 'most'): void {
    const { leaving } = remembered
    const count = added === 'most' ? sizes.maxSlice : Math.max(RELEASE, Math.ceil(added * HASTE))
    for (const staged of leaving.splice(Math.max(0, leaving.length - count))) unstage(remembered, asStored(staged))
  }

  return {
    begin,
    write,
    release,
    isDue: () => remembered.generation !== undefined || remembered.leaving.length > 0,
  }
}

function finish(db: Sqlite, { upTo, gone }: Generation, events: number): void {
  db.run('UPDATE progress SET indexed = ?, events = events + ?', [upTo, events])
  if (gone.length > 0)
    db.run('DELETE FROM gone WHERE seq IN (SELECT value FROM json_each(?))', [`[${gone.map(([seq]) => seq).join()}]`])
}

function done(remembered: Remembered, { upTo, staged, gone }: Generation): void {
  remembered.generation = undefined
  remembered.indexed = upTo
  remembered.leaving = [...staged]
  for (const [seq] of gone) remembered.gone.delete(seq)
}
