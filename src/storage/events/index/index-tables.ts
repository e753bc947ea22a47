// The index tables as data, and bulk statements for them: one statement of 64 rows costs a third of 64 statements.
import type { Row, Sqlite, SqlValue } from '../../sqlite/sqlite.js'
import type { KeyColumns } from './index-keys.js'

/** One row of an index table, its columns in order. */
export type IndexRow = readonly number[]

/** A statement in its prepared sizes, the largest first. */
export interface BulkStatement {
  readonly width: number
  readonly sizes: readonly { readonly rows: number; readonly sql: string; readonly values: SqlValue[] }[]
}

export interface IndexTable {
  readonly name: string
  /** Approximate positions in the table, one for each row and signed, 48 bits. `NO_ADDRESS`: there is no such row. */
  readonly near: (events: KeyColumns) => Float64Array
  /** The row at this index of `near`. */
  readonly row: (events: KeyColumns, at: number) => IndexRow
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

const table = (
  name: string,
  columns: readonly string[],
  { row, near }: Pick<IndexTable, 'row' | 'near'>,
): IndexTable => ({
  name,
  row,
  near,
  insert: bulk(columns.length, (rows) => `INSERT OR IGNORE INTO ${name} VALUES ${rows}`),
  erase: bulk(columns.length, (rows) => `DELETE FROM ${name} WHERE (${columns.join()}) IN (VALUES ${rows})`),
})

/** A number of a column. */
const of = (column: Float64Array | Uint16Array, at: number): number => column[at] as number

/** A kind has 16 bits, which leaves the upper 32 bits of the place. */
function nearInKinds({ length, kind, place }: KeyColumns): Float64Array {
  const near = new Float64Array(length)
  for (let at = 0; at < length; at++)
    near[at] = (of(kind, at) - 2 ** 15) * 2 ** 32 + Math.floor(of(place, at) / 2 ** 16) + 2 ** 31
  return near
}

export const INDEX_TABLES: readonly IndexTable[] = [
  table('by_id', ['prefix', 'seq'], {
    row: ({ prefix, seq }, at) => [of(prefix, at), of(seq, at)],
    near: ({ prefix, length }) => prefix.subarray(0, length),
  }),
  table('by_time', ['place', 'seq'], {
    row: ({ place, seq }, at) => [of(place, at), of(seq, at)],
    near: ({ place, length }) => place.subarray(0, length),
  }),
  table('by_kind', ['kind', 'place', 'seq'], {
    row: ({ kind, place, seq }, at) => [of(kind, at), of(place, at), of(seq, at)],
    near: nearInKinds,
  }),
  table('by_author', ['author', 'kind', 'place', 'seq'], {
    row: ({ author, kind, place, seq }, at) => [of(author, at), of(kind, at), of(place, at), of(seq, at)],
    near: ({ author, length }) => author.subarray(0, length),
  }),
  table('by_tag', ['hash', 'kind', 'place', 'seq'], {
    row(events, at) {
      const owner = events.ownerOfTag(at)
      return [of(events.tags, at), of(events.kind, owner), of(events.place, owner), of(events.seq, owner)]
    },
    near: ({ tags, tagStart, length }) => tags.subarray(0, tagStart[length]),
  }),
  // Separate from tags, whose hashes clients can choose: a hundred thousand tags that collide with an address would be read with every version.
  table('by_address', ['hash', 'seq'], {
    row: ({ address, seq }, at) => [of(address, at), of(seq, at)],
    near: ({ address, length }) => address.subarray(0, length),
  }),
]
