// One bounded step of the console's search through the invoices, as statements: both kinds of database run them.
import { foldText } from '../../lib/fold-text.js'
import type { InvoiceRow, InvoiceTraits, ScanRequest, ScanStep } from '../../till/index.js'
import { positionOf, when } from '../paging.js'
import { integerCell, type RowMapping } from '../sqlite/columns.js'
import type { Row, SqlValue } from '../sqlite/sqlite.js'

/** How one kind of database reads the invoices and compares their traits. */
export interface ScanDialect {
  readonly table: RowMapping<InvoiceRow>
  /** The invoices, in the order of their index. */
  readonly from: string
  /** True when the column has the folded text that is bound: right for ASCII, where lower case is all there is to fold. */
  contains(column: string): string
  /** True when the column holds anything but ASCII: the program folds it, as no database does. */
  isBeyondAscii(column: string): string
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

/** Finds the matches from there on, and what `stepOf` has to look at itself: a step never reads beyond its span. */
export function matchesInSpan(dialect: ScanDialect, request: ScanRequest, last: Row | undefined): Statement {
  const [endAt = null, endSeq = null] = last ?? BEFORE_ALL
  const [from, ...rest] = spanOf(request)
  const match = anyOf(dialect, request.traits)
  const foreign = wordsOf(request.traits) === undefined ? 'false' : beyondAscii(dialect)
  const [status, ...ofStatus] = when('AND status = ?', request.status) ?? ['']
  return {
    sql: `SELECT ${dialect.table.columns}, CASE WHEN ${match.sql} THEN 1 ELSE 0 END, memo, order_ref, created_at, seq
      FROM ${dialect.from}
      WHERE ${SPAN} AND (created_at, seq) >= (?, ?) ${status} AND (${match.sql} OR ${foreign}) ${NEWEST_FIRST} LIMIT ?`,
    values: [
      ...match.values,
      ...[last ? endAt : from, ...rest, endAt, endSeq, ...ofStatus, ...match.values],
      foreign === 'false' ? request.limit + 1 : request.span,
    ],
  }
}

/** What the step found, and where the next one begins. */
export function stepOf(
  { table }: ScanDialect,
  { limit, traits }: ScanRequest,
  last: Row | undefined,
  candidates: readonly Row[],
): ScanStep {
  const words = wordsOf(traits)
  const rows = candidates.filter((row) => isMatch(row, words))
  const shown = rows.slice(0, limit)
  const lastRow = rows.length > limit ? shown.at(-1) : last
  return {
    items: shown.map(table.read),
    next: lastRow?.slice(-2).join('-') ?? null,
    reachedAt: lastRow ? integerCell.read(lastRow.at(-2) ?? null) : null,
  }
}

/** Columns behind those of the invoice: whether the database found it, its texts, its position. */
function isMatch(row: Row, words: string | undefined): boolean {
  const [found, ...texts] = row.slice(-5, -2)
  if (Number(found) === 1) return true
  return words !== undefined && texts.some((text) => typeof text === 'string' && foldText(text).includes(words))
}

/** The folded text that is searched for. No stored text has U+0000, and not every database takes one. */
function wordsOf({ text }: InvoiceTraits): string | undefined {
  return text === undefined || text.includes('\0') ? undefined : foldText(text)
}

const beyondAscii = ({ isBeyondAscii }: ScanDialect): string =>
  `${isBeyondAscii('memo')} OR ${isBeyondAscii('order_ref')}`

/** What was examined before ends at the cursor, else at `to`. */
function spanOf({ from = 0, to, cursor }: ScanRequest): readonly [SqlValue, ...SqlValue[]] {
  const [at, seq] = cursor === undefined ? startAt(to) : positionOf(cursor)
  return [from, at, at, seq]
}

const startAt = (to: number | undefined): readonly [bigint, bigint] => (to === undefined ? AFTER_ALL : [BigInt(to), 0n])

/** In order of what it costs to compare. Without a trait nothing matches. */
function anyOf({ table, contains, isFiatAmount }: ScanDialect, traits: InvoiceTraits): Statement {
  const { amount, fiatAmount } = traits
  const words = wordsOf(traits)
  const exact = amount === undefined ? undefined : table.only('amount').change({ amount })
  const parts = [
    exact && ([exact.sql, ...exact.values] as const),
    when(contains('memo'), words),
    when(contains('order_ref'), words),
    when(isFiatAmount, fiatAmount),
  ].filter((part) => part !== undefined)
  return { sql: parts.map(([sql]) => sql).join(' OR ') || 'false', values: parts.flatMap(([, ...values]) => values) }
}
