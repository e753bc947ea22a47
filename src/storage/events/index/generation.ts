// A generation: a batch of events that moves into the index tables. Rows are sorted, because neighbours share pages and a page is then written
// once. The move runs in slices within other transactions.

import type { Sqlite } from '../../sqlite/sqlite.js'
import type { StagedKeys } from '../staging/stage.js'
import type { IndexKeys, KeyColumns } from './index-keys.js'
import { INDEX_TABLES, type IndexRow, type IndexTable, runBulk } from './index-tables.js'

/** The work on one part of a table. New rows and rows of deleted events go in one pass, because they share pages. */
interface TablePart {
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
  /** Undefined until it is prepared. */
  plan: IndexingPlan | undefined
}

/** What a generation writes. */
export interface IndexingPlan {
  /** Inserted and erased events. */
  readonly entries: KeyColumns
  /** Number of rows to write. */
  readonly rows: number
  readonly work: readonly TablePart[]
}

const NONE: OrderedRows = { length: 0, row: () => [] }

/** Rows that are sorted at a time, in a millisecond or two. */
const PART_ROWS = 16_384

/** Tombstones that a step of preparing adds. */
const TOMBSTONES_AT_ONCE = 2048

/** Copies and counts what will be written, in steps of a millisecond or less; yields the number of values of each step. */
export function* preparing(keys: StagedKeys, tombstones: Generation['tombstones']): Iterator<number, IndexingPlan> {
  const entries = yield* keys.copying()
  for (const [seq, one] of tombstones) {
    entries.add(seq, one)
    if (entries.length % TOMBSTONES_AT_ONCE === 0) yield 16 * TOMBSTONES_AT_ONCE
  }
  let rows = 0
  const work: TablePart[] = []
  for (const table of INDEX_TABLES) {
    const near = table.near(entries)
    const count = countBetween(near)
    rows += count
    work.push(...partsOf(table, Math.ceil(count / PART_ROWS)))
    yield near.length
  }
  return { entries, rows, work }
}

/** Hashes and key prefixes are spread evenly over 48 bits. The tables by time and kind hold one row per event, which is few. */
const partsOf = (table: IndexTable, count: number): readonly TablePart[] =>
  equalRanges(count).map((range) => ({ table, ...range, rows: undefined, at: 0 }))

interface WrittenSlice {
  /** True when nothing is left to write. */
  readonly last: boolean
  /** Call after the commit. Without it the same rows are written again next time. */
  settle(): void
}

/** Writes up to `count` rows of the plan within the current transaction. */
export function writeSlice(db: Sqlite, generation: Generation, plan: IndexingPlan, count: number): WrittenSlice {
  if (!generation.begun) db.run('UPDATE progress SET begun = ?', [generation.upTo])
  const advances: [TablePart, number][] = []
  let left = count
  for (const work of plan.work) {
    if (left <= 0) break
    work.rows ??= inTableOrder(work.table, plan.entries, work.from, work.to)
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

// Sorts the rows of many events roughly in table order, so that neighbours share pages. Sorting numbers instead of rows is ten times as fast, and
// each row is built only when it is written.

interface OrderedRows {
  readonly length: number
  row(at: number): IndexRow
}

const NEAR_BITS = 48
/** `near` is signed. */
const HALF = 2 ** (NEAR_BITS - 1)
/** Within the 53 exact bits of a double, the row's position in the table stands above its number. */
const SORTED_BITS = 53

/** Rows whose `near` is at least `from` and below `to`. */
export function inTableOrder(table: IndexTable, events: KeyColumns, from = -HALF, to = HALF): OrderedRows {
  const near = table.near(events)
  const numberBits = Math.ceil(Math.log2(near.length + 1))
  const [numbers, coarse] = [2 ** numberBits, 2 ** Math.max(0, NEAR_BITS + numberBits - SORTED_BITS)]
  const sorted = new Float64Array(countBetween(near, from, to))
  let length = 0
  for (let at = 0; at < near.length; at++) {
    const place = near[at] as number
    if (place >= from && place < to) sorted[length++] = Math.floor((place + HALF) / coarse) * numbers + at
  }
  sorted.sort()
  return { length, row: (at) => table.row(events, (sorted[at] ?? 0) % numbers) }
}

/** Number of rows with a position in this range. */
export function countBetween(near: Float64Array, from = -HALF, to = HALF): number {
  let count = 0
  for (let at = 0; at < near.length; at++) {
    const place = near[at] as number
    if (place >= from && place < to) count++
  }
  return count
}

/** Bounds of `count` ranges of the same width, together all positions. */
export function equalRanges(count: number): readonly { readonly from: number; readonly to: number }[] {
  const bound = (at: number): number => Math.round((at * 2 ** NEAR_BITS) / count) - HALF
  return Array.from({ length: count }, (_, at) => ({ from: bound(at), to: bound(at + 1) }))
}
