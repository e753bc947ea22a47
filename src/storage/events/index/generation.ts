// A generation: a batch of events that moves into the index tables. Rows are sorted, because neighbours share pages and a page is then written
// once. The move runs in slices within other transactions.
import type { Sqlite } from '../../sqlite/sqlite.js'
import type { IndexKeys } from './index-keys.js'
import { inTableOrder, NEAR_BITS, type OrderedRows } from './index-order.js'
import { INDEX_TABLES, type IndexRow, type IndexTable, runBulk } from './index-tables.js'
import type { KeyColumns } from './key-columns.js'

/** The work on one part of a table. New rows and rows of deleted events go in one pass, because they share pages. */
interface Work {
  readonly table: IndexTable
  /** Bounds of the part, in terms of `near`. */
  readonly from: number
  readonly to: number
  /** Sorted when its turn comes, because sorting everything would block the event loop. `NONE` once written. */
  rows: OrderedRows | undefined
  at: number
}

export interface Generation {
  readonly upTo: number
  /** Number of events whose rows are inserted. */
  readonly staged: number
  /** Deleted events whose rows are erased. */
  readonly tombstones: ReadonlyMap<number, IndexKeys>
  /** How many of these events were deleted since it began. */
  lost: number
  begun: boolean
  /** Inserted and erased events. */
  readonly entries: KeyColumns
  readonly work: readonly Work[]
}

const NONE: OrderedRows = { length: 0, row: () => [] }

/** Rows that are sorted at a time, in a few milliseconds. */
const PART_ROWS = 32_768

/** Appends the deleted events to those in `entries`. */
export function createGeneration(upTo: number, entries: KeyColumns, tombstones: Generation['tombstones']): Generation {
  const staged = entries.length
  for (const [seq, keys] of tombstones) entries.add(seq, keys)
  const work = INDEX_TABLES.flatMap((table) => partsOf(table, Math.ceil(rowsIn(table, entries) / PART_ROWS)))
  return { upTo, staged, tombstones, lost: 0, begun: false, entries, work }
}

/** Hashes and key prefixes are spread evenly over 48 bits. The tables by time and kind hold one row per event, which is few. */
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

function rowsIn({ count }: IndexTable, entries: KeyColumns): number {
  let rows = 0
  for (let at = 0; at < entries.length; at++) rows += count(entries, at)
  return rows
}

/** Number of rows to write. */
export const countIndexRows = ({ entries }: Generation): number =>
  INDEX_TABLES.reduce((rows, table) => rows + rowsIn(table, entries), 0)

export interface WrittenSlice {
  /** True when nothing is left to write. */
  readonly last: boolean
  /** Call after the commit. Without it the same rows are written again next time. */
  settle(): void
}

/** Writes up to `count` rows within the current transaction. */
export function writeSlice(db: Sqlite, generation: Generation, count: number): WrittenSlice {
  if (!generation.begun) db.run('UPDATE progress SET begun = ?', [generation.upTo])
  const advances: [Work, number][] = []
  let left = count
  for (const work of generation.work) {
    if (left <= 0) break
    work.rows ??= inTableOrder(work.table, generation.entries, work.from, work.to)
    const end = Math.min(work.at + left, work.rows.length)
    if (end === work.at) continue
    writeRows(db, work.table, rowsBetween(work.rows, work.at, end), generation.tombstones)
    advances.push([work, end])
    left -= end - work.at
  }
  return {
    last: left > 0,
    settle() {
      generation.begun = true
      for (const [work, at] of advances) {
        const isDone = at === work.rows?.length
        work.at = isDone ? 0 : at
        if (isDone) work.rows = NONE
      }
    },
  }
}

function writeRows(
  db: Sqlite,
  table: IndexTable,
  rows: readonly IndexRow[],
  tombstones: Generation['tombstones'],
): void {
  const isGone = (row: IndexRow) => tombstones.has(row.at(-1) ?? 0)
  const outdated = rows.filter(isGone)
  runBulk(db, table.erase, outdated)
  runBulk(db, table.insert, outdated.length === 0 ? rows : rows.filter((row) => !isGone(row)))
}

function rowsBetween(ordered: OrderedRows, from: number, to: number): readonly IndexRow[] {
  const rows: IndexRow[] = []
  for (let at = from; at < to; at++) rows.push(ordered.row(at))
  return rows
}
