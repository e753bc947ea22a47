// A generation of events on its way into the index tables: many at once and sorted, because rows that come in order share pages, and a page is
// written once for all of them. It moves in slices, each within somebody's transaction.
import type { Sqlite } from '../sqlite.js'
import type { IndexKeys } from './index-keys.js'
import { INDEX_TABLES, type IndexRow, type IndexTable, inTableOrder, NEAR_BITS, runBulk } from './index-rows.js'
import type { Staged } from './stage.js'

/** What is to be done to a part of one table: new rows and those of events that are no more go in one pass, because they share pages as well. */
interface Work {
  readonly table: IndexTable
  /** Where the part begins and ends, as `near` tells it. */
  readonly from: number
  readonly to: number
  /** Made and sorted when its turn comes: all together would hold up the loop for too long. */
  rows: readonly IndexRow[] | undefined
  at: number
}

export interface Generation {
  readonly upTo: number
  /** Events whose rows are to be written. */
  readonly staged: readonly Staged[]
  /** Events that are no more, whose rows are to be erased. */
  readonly gone: ReadonlyMap<number, IndexKeys>
  /** Of `staged`, how many were removed since it began. */
  lost: number
  begun: boolean
  readonly work: readonly Work[]
}

/** Rows that are made and sorted at once: a few milliseconds. */
const PART_ROWS = 32_768

export function createGeneration(upTo: number, staged: readonly Staged[], gone: Generation['gone']): Generation {
  const work = INDEX_TABLES.flatMap((table) => partsOf(table, Math.ceil(rowsIn(table, staged, gone) / PART_ROWS)))
  return { upTo, staged, gone, lost: 0, begun: false, work }
}

/** Hashes and beginnings of keys fill their 48 bits evenly; the tables by time and kind have as many rows as there are events, which is few. */
function partsOf(table: IndexTable, count: number): readonly Work[] {
  const step = 2 ** NEAR_BITS / count
  return Array.from({ length: count }, (_, at) => ({
    table,
    from: at * step,
    to: (at + 1) * step,
    rows: undefined,
    at: 0,
  }))
}

function rowsIn({ count }: IndexTable, staged: readonly Staged[], gone: Generation['gone']): number {
  let rows = 0
  for (const { keys } of staged) rows += count(keys)
  for (const keys of gone.values()) rows += count(keys)
  return rows
}

/** How many rows it is about. */
export const countRows = ({ staged, gone }: Generation): number =>
  INDEX_TABLES.reduce((rows, table) => rows + rowsIn(table, staged, gone), 0)

export interface WrittenSlice {
  /** Nothing is left to write. */
  readonly last: boolean
  /** To be called when the transaction is committed; otherwise the same rows are written again next time. */
  settle(): void
}

/** Writes up to `count` rows, in a transaction. */
export function writeSlice(db: Sqlite, generation: Generation, count: number): WrittenSlice {
  if (!generation.begun) db.run('UPDATE progress SET begun = ?', [generation.upTo])
  const moved: [Work, number][] = []
  let left = count
  for (const work of generation.work) {
    if (left <= 0) break
    const rows = sortedRows(work, generation)
    const end = Math.min(work.at + left, rows.length)
    if (end === work.at) continue
    writeRows(db, work.table, rows.slice(work.at, end), generation.gone)
    moved.push([work, end])
    left -= end - work.at
  }
  return {
    last: left > 0,
    settle() {
      generation.begun = true
      for (const [work, at] of moved) work.at = at
    },
  }
}

function writeRows(db: Sqlite, table: IndexTable, rows: readonly IndexRow[], gone: Generation['gone']): void {
  const isGone = (row: IndexRow) => gone.has(row.at(-1) ?? 0)
  const erased = rows.filter(isGone)
  runBulk(db, table.erase, erased)
  runBulk(db, table.insert, erased.length === 0 ? rows : rows.filter((row) => !isGone(row)))
}

/** Forgotten as soon as all are written. */
function sortedRows(work: Work, generation: Generation): readonly IndexRow[] {
  if (work.at > 0 && work.at === work.rows?.length) {
    work.rows = []
    work.at = 0
  }
  work.rows ??= inTableOrder(work.table, rowsOf(work, generation))
  return work.rows
}

function rowsOf({ table: { rowsOf, near }, from, to }: Work, { staged, gone }: Generation): readonly IndexRow[] {
  const rows: IndexRow[] = []
  const add = (keys: IndexKeys, seq: number): void => {
    for (const row of rowsOf(keys, seq)) {
      const place = near(row)
      if (place >= from && place < to) rows.push(row)
    }
  }
  for (const { seq, keys } of staged) add(keys, seq)
  for (const [seq, keys] of gone) add(keys, seq)
  return rows
}
