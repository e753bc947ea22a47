// The index tables as data, and writing to them many rows at a time: a statement of 64 rows costs a third of 64 statements.
import type { Row, Sqlite, SqlValue } from '../sqlite.js'
import type { IndexKeys } from './index-keys.js'

/** What one row of an index table holds, its columns in order. */
export type IndexRow = readonly number[]

/** One statement in the sizes in which it is prepared, the largest first. */
export interface BulkStatement {
  readonly width: number
  readonly sizes: readonly { readonly rows: number; readonly sql: string; readonly values: SqlValue[] }[]
}

export interface IndexTable {
  readonly name: string
  readonly rowsOf: (keys: IndexKeys, seq: number) => readonly IndexRow[]
  /** Rows that are there already stay. */
  readonly insert: BulkStatement
  /** Rows that are not there are no error. */
  readonly erase: BulkStatement
}

const SIZES = [64, 8, 1]

/** `sql` makes a statement of the text of its rows. */
export function bulk(width: number, sql: (rows: string) => string): BulkStatement {
  const row = `(${repeated('?', width)})`
  const sizes = SIZES.map((rows) => ({
    rows,
    sql: sql(repeated(row, rows)),
    values: new Array<SqlValue>(rows * width).fill(null),
  }))
  return { width, sizes }
}

/** Runs a statement for the rows from `start` up to `end`, by default for all. */
export function runBulk(
  db: Sqlite,
  statement: BulkStatement,
  rows: readonly Row[],
  start = 0,
  end = rows.length,
): void {
  let at = start
  for (const { rows: count, sql, values } of statement.sizes)
    for (; end - at >= count; at += count) {
      fill(values, rows, at, statement.width)
      db.run(sql, values)
    }
}

/** The values of as many rows as there is room for; the room is used again and again. */
function fill(values: SqlValue[], rows: readonly Row[], start: number, width: number): void {
  for (let to = 0, at = start; to < values.length; at++) {
    const row = rows[at]
    for (let column = 0; column < width; column++) values[to++] = row?.[column] ?? null
  }
}

function repeated(text: string, times: number): string {
  return Array.from({ length: times }, () => text).join()
}

const table = (name: string, columns: readonly string[], rowsOf: IndexTable['rowsOf']): IndexTable => ({
  name,
  rowsOf,
  insert: bulk(columns.length, (rows) => `INSERT OR IGNORE INTO ${name} VALUES ${rows}`),
  erase: bulk(columns.length, (rows) => `DELETE FROM ${name} WHERE (${columns.join()}) IN (VALUES ${rows})`),
})

export const INDEX_TABLES: readonly IndexTable[] = [
  table('by_id', ['prefix', 'seq'], ({ prefix }, seq) => [[prefix, seq]]),
  table('by_time', ['place', 'seq'], ({ place }, seq) => [[place, seq]]),
  table('by_kind', ['kind', 'place', 'seq'], ({ kind, place }, seq) => [[kind, place, seq]]),
  table('by_author', ['author', 'kind', 'place', 'seq'], ({ author, kind, place }, seq) => [
    [author, kind, place, seq],
  ]),
  table('by_tag', ['hash', 'kind', 'place', 'seq'], ({ tags, kind, place }, seq) =>
    tags.map((hash) => [hash, kind, place, seq]),
  ),
]

/** Ascending, column by column. */
export function byColumns(a: IndexRow, b: IndexRow): number {
  for (let at = 0; at < a.length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
