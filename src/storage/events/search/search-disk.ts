// Statements on the search index. Row ids exceed the numbers of the library, so they are passed as text or bigint.
import type { Sqlite } from '../../sqlite/sqlite.js'

/** Rows of the index, both included. */
export interface RowRange {
  readonly newest: bigint
  readonly oldest: bigint
}

interface SearchPage {
  /** Texts with line breaks; an empty line stands for a deleted or expired event. */
  readonly bytes: Buffer | undefined
  readonly rows: number
  /** The last row; undefined without rows. */
  readonly last: bigint | undefined
}

export interface SearchDisk {
  /** The newest matches of an expression in a range. */
  page(expression: string, range: RowRange, count: number, now: number): SearchPage
  /** True when at most `count` events in the range match. */
  isRare(expression: string, range: RowRange, count: number): boolean
  /** The row that ends the newest `count` events of a range; undefined when the range has fewer. */
  rowAfter(range: RowRange, count: number): bigint | undefined
}

const FOUND = `SELECT rowid AS row FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?3 AND ?2
  ORDER BY rowid DESC LIMIT ?4`
const PAGE = `
  SELECT CAST(group_concat(coalesce(e.text, x''), x'0a') AS BLOB), count(*), CAST(min(f.row) AS TEXT)
  FROM (${FOUND}) f LEFT JOIN search_row r ON r.row = f.row
  LEFT JOIN event e ON e.seq = r.seq AND (e.expires IS NULL OR e.expires > ?5)`
const RARE = 'SELECT 1 FROM search WHERE search MATCH ?1 AND rowid BETWEEN ?3 AND ?2 LIMIT 1 OFFSET ?4'
const ROW_AFTER = `SELECT CAST(row AS TEXT) FROM search_row WHERE row BETWEEN ?2 AND ?1
  ORDER BY row DESC LIMIT 1 OFFSET ?3`

export function createSearchDisk(db: Sqlite): SearchDisk {
  return {
    page(expression, { newest, oldest }, count, now) {
      const [text, rows, last] = db.get(PAGE, [expression, newest, oldest, BigInt(count), BigInt(now)]) ?? []
      const bytes = text instanceof Uint8Array ? Buffer.from(text.buffer, text.byteOffset, text.byteLength) : undefined
      return { bytes, rows: Number(rows), last: rowOf(last) }
    },
    isRare: (expression, { newest, oldest }, count) =>
      db.get(RARE, [expression, newest, oldest, BigInt(count)]) === undefined,
    rowAfter: ({ newest, oldest }, count) => rowOf(db.get(ROW_AFTER, [newest, oldest, BigInt(count)])?.[0]),
  }
}

const rowOf = (text: unknown): bigint | undefined => (typeof text === 'string' ? BigInt(text) : undefined)
