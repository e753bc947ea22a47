// One bounded step of the console's search through the invoices, as statements: both kinds of database run them.
import type { InvoiceRow, InvoiceTraits, ScanRequest, ScanStep } from '../../till/index.js'
import { positionOf, when } from '../paging.js'
import { integerCell, type RowMapping } from '../sqlite/columns.js'
import type { Row, SqlValue } from '../sqlite/sqlite.js'

/** How one kind of database reads the invoices and compares their traits. */
export interface ScanDialect {
  readonly table: RowMapping<InvoiceRow>
  /** The invoices, in the order of their index. */
  readonly from: string
  /** True when the column has the text that is bound, whatever the case of its letters. */
  contains(column: string): string
  /** True when the price in fiat money is the number that is bound. */
  readonly isFiatAmount: string
}

/** Creation time and order of arrival: before those of the newest row, and after those of the oldest. */
const AFTER_ALL = [BigInt(Number.MAX_SAFE_INTEGER), 0n] as const
const BEFORE_ALL = [-1n, -1n] as const

/** Both ends are plain times: of two comparisons of rows SQLite would seek one only, and read on to the end of the table. */
const SPAN = 'created_at BETWEEN ? AND ? AND (created_at, seq) < (?, ?)'
const NEWEST_FIRST = 'ORDER BY created_at DESC, seq DESC'

interface Statement {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Finds the oldest row that the step examines; none: the step reaches the end. Throws BAD_CURSOR. */
export function lastOfSpan({ from }: ScanDialect, request: ScanRequest): Statement {
  return {
    sql: `SELECT created_at, seq FROM ${from} WHERE ${SPAN} ${NEWEST_FIRST} LIMIT 1 OFFSET ?`,
    values: [...spanOf(request), request.span - 1],
  }
}

/** Finds the matches from there on: a step never reads beyond its span. */
export function matchesInSpan(dialect: ScanDialect, request: ScanRequest, last: Row | undefined): Statement {
  const [endAt = null, endSeq = null] = last ?? BEFORE_ALL
  const [from, ...rest] = spanOf(request)
  const match = anyOf(dialect, request.traits)
  const [status, ...ofStatus] = when('AND status = ?', request.status) ?? ['']
  return {
    sql: `SELECT ${dialect.table.columns}, created_at, seq FROM ${dialect.from}
      WHERE ${SPAN} AND (created_at, seq) >= (?, ?) ${status} AND (${match.sql}) ${NEWEST_FIRST} LIMIT ?`,
    values: [last ? endAt : from, ...rest, endAt, endSeq, ...ofStatus, ...match.values, request.limit + 1],
  }
}

/** What the step found, and where the next one begins. */
export function stepOf(
  { table }: ScanDialect,
  { limit }: ScanRequest,
  last: Row | undefined,
  rows: readonly Row[],
): ScanStep {
  const shown = rows.slice(0, limit)
  const lastRow = rows.length > limit ? shown.at(-1) : last
  return {
    items: shown.map(table.read),
    next: lastRow?.slice(-2).join('-') ?? null,
    reachedAt: lastRow ? integerCell.read(lastRow.at(-2) ?? null) : null,
  }
}

/** What was examined before ends at the cursor, else at `to`. */
function spanOf({ from = 0, to, cursor }: ScanRequest): readonly [SqlValue, ...SqlValue[]] {
  const [at, seq] = cursor === undefined ? startAt(to) : positionOf(cursor)
  return [from, at, at, seq]
}

const startAt = (to: number | undefined): readonly [bigint, bigint] => (to === undefined ? AFTER_ALL : [BigInt(to), 0n])

/** In order of what it costs to compare. Without a trait nothing matches. */
function anyOf({ table, contains, isFiatAmount }: ScanDialect, { text, amount, fiatAmount }: InvoiceTraits): Statement {
  // No stored text has U+0000, and not every database takes one.
  const words = text?.includes('\0') ? undefined : text
  const exact = amount === undefined ? undefined : table.only('amount').change({ amount })
  const parts = [
    exact && ([exact.sql, ...exact.values] as const),
    when(contains('memo'), words),
    when(contains('order_ref'), words),
    when(isFiatAmount, fiatAmount),
  ].filter((part) => part !== undefined)
  return { sql: parts.map(([sql]) => sql).join(' OR ') || 'false', values: parts.flatMap(([, ...values]) => values) }
}
