// The index tables as data, and bulk statements for them: one statement of 64 rows costs a third of 64 statements.
import type { Row, Sqlite, SqlValue } from '../../sqlite/sqlite.js'
import { type KeyColumns, NO_ADDRESS } from './key-columns.js'

/** One row of an index table, its columns in order. */
export type IndexRow = readonly number[]

/** A statement in its prepared sizes, the largest first. */
export interface BulkStatement {
  readonly width: number
  readonly sizes: readonly { readonly rows: number; readonly sql: string; readonly values: SqlValue[] }[]
}

export interface IndexTable {
  readonly name: string
  /** Number of rows of the event at `at` in this table. */
  readonly count: (events: KeyColumns, at: number) => number
  /** Row number `nth`, from 0. */
  readonly row: (events: KeyColumns, at: number, nth: number) => IndexRow
  /** Approximate position in the table, 48 bits. */
  readonly near: (events: KeyColumns, at: number, nth: number) => number
  /** Existing rows stay. */
  readonly insert: BulkStatement
  /** Missing rows are ignored. */
  readonly erase: BulkStatement
}

const SIZES = [64, 8, 1]

/** `sql` builds the statement from the text of its rows. */
export function bulk(width: number, sql: (rows: string) => string): BulkStatement {
  const row = `(${repeated('?', width)})`
  const sizes = SIZES.map((rows) => ({
    rows,
    sql: sql(repeated(row, rows)),
    values: new Array<SqlValue>(rows * width).fill(null),
  }))
  return { width, sizes }
}

/** Runs a statement for the rows from `start` to `end`; default: all. */
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

/** Fills the reused array of values with as many rows as fit. */
function fill(values: SqlValue[], rows: readonly Row[], start: number, width: number): void {
  for (let to = 0, at = start; to < values.length; at++) {
    const row = rows[at]
    for (let column = 0; column < width; column++) values[to++] = row?.[column] ?? null
  }
}

function repeated(text: string, times: number): string {
  return Array.from({ length: times }, () => text).join()
}

/** Most first columns are signed 48-bit numbers. */
const HALF = 2 ** 47

const table = (
  name: string,
  columns: readonly string[],
  { count = () => 1, row, near }: Pick<IndexTable, 'row' | 'near'> & Partial<Pick<IndexTable, 'count'>>,
): IndexTable => ({
  name,
  count,
  row,
  near,
  insert: bulk(columns.length, (rows) => `INSERT OR IGNORE INTO ${name} VALUES ${rows}`),
  erase: bulk(columns.length, (rows) => `DELETE FROM ${name} WHERE (${columns.join()}) IN (VALUES ${rows})`),
})

/** A number of a column. */
const of = (column: Float64Array | Uint16Array, at: number): number => column[at] as number

export const INDEX_TABLES: readonly IndexTable[] = [
  table('by_id', ['prefix', 'seq'], {
    row: ({ prefix, seq }, at) => [of(prefix, at), of(seq, at)],
    near: ({ prefix }, at) => of(prefix, at) + HALF,
  }),
  table('by_time', ['place', 'seq'], {
    row: ({ place, seq }, at) => [of(place, at), of(seq, at)],
    near: ({ place }, at) => of(place, at) + HALF,
  }),
  table('by_kind', ['kind', 'place', 'seq'], {
    row: ({ kind, place, seq }, at) => [of(kind, at), of(place, at), of(seq, at)],
    // A kind has 16 bits, which leaves the upper 32 bits of the place.
    near: ({ kind, place }, at) => of(kind, at) * 2 ** 32 + Math.floor((of(place, at) + HALF) / 2 ** 16),
  }),
  table('by_author', ['author', 'kind', 'place', 'seq'], {
    row: ({ author, kind, place, seq }, at) => [of(author, at), of(kind, at), of(place, at), of(seq, at)],
    near: ({ author }, at) => of(author, at) + HALF,
  }),
  table('by_tag', ['hash', 'kind', 'place', 'seq'], {
    count: (events, at) => events.tagCount(at),
    row: (events, at, nth) => [events.tag(at, nth), of(events.kind, at), of(events.place, at), of(events.seq, at)],
    near: (events, at, nth) => events.tag(at, nth) + HALF,
  }),
  // Separate from tags, whose hashes clients can choose: a hundred thousand tags that collide with an address would be read with every version.
  table('by_address', ['hash', 'seq'], {
    count: ({ address }, at) => (address[at] === NO_ADDRESS ? 0 : 1),
    row: ({ address, seq }, at) => [of(address, at), of(seq, at)],
    near: ({ address }, at) => of(address, at) + HALF,
  }),
]
