// A generation of events on its way into the index tables: many at once and sorted, because rows that come in order share pages, and a page is
// written once for all of them. It moves in slices, each within somebody's transaction.
import type { Sqlite } from '../sqlite.js'
import type { IndexKeys } from './index-keys.js'
import { byColumns, INDEX_TABLES, type IndexRow, type IndexTable, runBulk } from './index-rows.js'
import type { Staged } from './stage.js'

/** What is to be done to one table. */
interface Work {
  readonly table: IndexTable
  readonly erase: boolean
  /** Made and sorted when its turn comes: all tables together would hold up the loop for too long. */
  rows: readonly IndexRow[] | undefined
  at: number
}

export interface Generation {
  readonly upTo: number
  /** Events whose rows are to be written. */
  readonly staged: readonly Staged[]
  /** Events that are no more, whose rows are to be erased. */
  readonly gone: readonly (readonly [number, IndexKeys])[]
  /** Of `staged`, how many were removed since it began. */
  lost: number
  begun: boolean
  readonly work: readonly Work[]
}

export function createGeneration(upTo: number, staged: readonly Staged[], gone: Generation['gone']): Generation {
  const work = INDEX_TABLES.flatMap((table) => [
    { table, erase: true, rows: undefined, at: 0 },
    { table, erase: false, rows: undefined, at: 0 },
  ])
  return { upTo, staged, gone, lost: 0, begun: false, work }
}

/** How many rows it is about. */
export function countRows({ staged, gone }: Generation): number {
  const single = INDEX_TABLES.length - 1
  let rows = (staged.length + gone.length) * single
  for (const { keys } of staged) rows += keys.tags.length
  for (const [, keys] of gone) rows += keys.tags.length
  return rows
}

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
    runBulk(db, work.erase ? work.table.erase : work.table.insert, rows, work.at, end)
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

/** Forgotten as soon as all are written. */
function sortedRows(work: Work, { staged, gone }: Generation): readonly IndexRow[] {
  if (work.at > 0 && work.at === work.rows?.length) {
    work.rows = []
    work.at = 0
  }
  if (work.rows !== undefined) return work.rows
  const { rowsOf } = work.table
  const rows = work.erase
    ? gone.flatMap(([seq, keys]) => rowsOf(keys, seq))
    : staged.flatMap(({ seq, keys }) => rowsOf(keys, seq))
  work.rows = rows.sort(byColumns)
  return work.rows
}
