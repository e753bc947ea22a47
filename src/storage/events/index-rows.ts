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
  /** How many these are. */
  readonly count: (keys: IndexKeys) => number
  /** Where a row lies among the others, roughly: 48 bits. */
  readonly near: (row: IndexRow) => number
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

const table = (
  name: string,
  columns: readonly string[],
  rowsOf: IndexTable['rowsOf'],
  others: Partial<Pick<IndexTable, 'count' | 'near'>> = {},
): IndexTable => ({
  name,
  rowsOf,
  count: others.count ?? (() => 1),
  near: others.near ?? firstColumn,
  insert: bulk(columns.length, (rows) => `INSERT OR IGNORE INTO ${name} VALUES ${rows}`),
  erase: bulk(columns.length, (rows) => `DELETE FROM ${name} WHERE (${columns.join()}) IN (VALUES ${rows})`),
})

/** Columns are of 48 bits with a sign. */
const HALF = 2 ** 47
const firstColumn = ([first = 0]: IndexRow): number => first + HALF
/** A kind has 16 bits, so that the upper 32 of the place are left. */
const kindAndPlace = ([kind = 0, place = 0]: IndexRow): number => kind * 2 ** 32 + Math.floor((place + HALF) / 2 ** 16)

export const INDEX_TABLES: readonly IndexTable[] = [
  table('by_id', ['prefix', 'seq'], ({ prefix }, seq) => [[prefix, seq]]),
  table('by_time', ['place', 'seq'], ({ place }, seq) => [[place, seq]]),
  table('by_kind', ['kind', 'place', 'seq'], ({ kind, place }, seq) => [[kind, place, seq]], {
    near: kindAndPlace,
  }),
  table('by_author', ['author', 'kind', 'place', 'seq'], ({ author, kind, place }, seq) => [
    [author, kind, place, seq],
  ]),
  table(
    'by_tag',
    ['hash', 'kind', 'place', 'seq'],
    ({ tags, kind, place }, seq) => tags.map((hash) => [hash, kind, place, seq]),
    { count: ({ tags }) => tags.length },
  ),
]

export const NEAR_BITS = 48
/** Below 2^53, in which doubles are exact, a row's key stands above its number. */
const KEY_BITS = 53

/** The rows about in the order of their table, so that neighbours share pages; comparing whole rows would hold up the loop ten times as long. */
export function inTableOrder({ near }: IndexTable, rows: readonly IndexRow[]): readonly IndexRow[] {
  const numbers = 2 ** Math.ceil(Math.log2(rows.length + 1))
  const coarse = 2 ** (NEAR_BITS + Math.log2(numbers) - KEY_BITS)
  const keys = Float64Array.from(rows, (row, at) => Math.floor(near(row) / coarse) * numbers + at)
  keys.sort()
  return Array.from(keys, (key) => rows[key % numbers] ?? [])
}
