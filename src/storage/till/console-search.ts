// What begins with what somebody typed, and the searches of the operator's console: by index where there is one, else one bounded step through
// the invoices after the other.
import { foldText } from '../../lib/fold-text.js'
import type {
  ConsoleReads,
  IdSearch,
  InvoiceRow,
  InvoiceTraits,
  SaleReads,
  ScanRequest,
  ScanStep,
  SearchableId,
} from '../../till/index.js'
import { type Dialect, type Sql, sql, textOf } from '../dialect.js'
import { endOfPrefix, positionOf, when } from '../paging.js'
import { integerCell, textCell } from '../sqlite/columns.js'
import type { Row, SqlValue } from '../sqlite/sqlite.js'
import { all, get, many, type Runner, type Verb } from '../verbs.js'
import { INVOICE_ROW, SALE_ROW } from './console-rows.js'

const SELECT = `SELECT ${INVOICE_ROW.columns} FROM invoice`
const OF_ORDER = sql(
  ({ by }) => `${SELECT} ${by('invoice_order_ref')} WHERE order_ref = ? ORDER BY created_at DESC, seq DESC LIMIT ?`,
)
const OF_LONGER_ORDER = sql(
  ({ by }) => `${SELECT} ${by('invoice_order_ref')} WHERE order_ref > ? AND order_ref < ? ORDER BY order_ref LIMIT ?`,
)
const BY_ID = `${SELECT} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`

type SearchVerbs = Pick<ConsoleReads, 'invoicesOfOrder' | 'invoicesById' | 'scanInvoices'>

export const searchVerbs = ({ read }: Runner): SearchVerbs => ({
  invoicesOfOrder: (orderRef, limit) => read(() => invoicesOfOrder(orderRef, limit)),
  invoicesById: (prefix, limit) => read(() => many(BY_ID, [prefix, endOfPrefix(prefix), limit], INVOICE_ROW.read)),
  scanInvoices: (request) => read(() => scanInvoices(request)),
})

function* invoicesOfOrder(orderRef: string, limit: number): Verb<readonly InvoiceRow[]> {
  const exact = yield* all(OF_ORDER, [orderRef, limit])
  const longer = yield* all(OF_LONGER_ORDER, [orderRef, endOfPrefix(orderRef), limit - exact.length])
  return [...exact, ...longer].map(INVOICE_ROW.read)
}

/** One bounded step. Throws BAD_CURSOR. */
function* scanInvoices(request: ScanRequest): Verb<ScanStep> {
  const last = yield* get(LAST_OF_SPAN, [...spanOf(request), request.span - 1])
  const matches = matchesInSpan(request, last)
  return stepOf(request, last, yield* all(matches.sql, matches.values))
}

/** Creation time and order of arrival: before those of the newest row, and after those of the oldest. */
const AFTER_ALL = [BigInt(Number.MAX_SAFE_INTEGER), 0n] as const
const BEFORE_ALL = [-1n, -1n] as const

/** Both ends are plain times: of two comparisons of rows SQLite would seek one only, and read on to the end of the table. */
const SPAN = 'created_at BETWEEN ? AND ? AND (created_at, seq) < (?, ?)'
const NEWEST_FIRST = 'ORDER BY created_at DESC, seq DESC'

interface Condition {
  readonly sql: Sql
  readonly values: readonly SqlValue[]
}

/** Finds the oldest row that the step examines; none: the step reaches the end. */
const LAST_OF_SPAN = sql(
  ({ by }) =>
    `SELECT created_at, seq FROM invoice ${by('invoice_created')} WHERE ${SPAN} ${NEWEST_FIRST} LIMIT 1 OFFSET ?`,
)

/** Finds the matches from there on, and what `stepOf` has to look at itself: a step never reads beyond its span. */
function matchesInSpan(request: ScanRequest, last: Row | undefined): Condition {
  const [endAt = null, endSeq = null] = last ?? BEFORE_ALL
  const [from, ...rest] = spanOf(request)
  const match = anyOf(request.traits)
  const isFolded = wordsOf(request.traits) !== undefined
  const [status, ...ofStatus] = when('AND status = ?', request.status) ?? ['']
  return {
    sql: (dialect) => {
      const matches = textOf(match.sql, dialect)
      return `SELECT ${INVOICE_ROW.columns}, CASE WHEN ${matches} THEN 1 ELSE 0 END, memo, order_ref, created_at, seq
      FROM invoice ${dialect.by('invoice_created')}
      WHERE ${SPAN} AND (created_at, seq) >= (?, ?) ${textOf(status, dialect)}
        AND (${matches} OR ${isFolded ? beyondAscii(dialect) : 'false'}) ${NEWEST_FIRST} LIMIT ?`
    },
    values: [
      ...match.values,
      ...[last ? endAt : from, ...rest, endAt, endSeq, ...ofStatus, ...match.values],
      isFolded ? request.span : request.limit + 1,
    ],
  }
}

/** What the step found, and where the next one begins. */
function stepOf({ limit, traits }: ScanRequest, last: Row | undefined, candidates: readonly Row[]): ScanStep {
  const words = wordsOf(traits)
  const rows = candidates.filter((row) => isMatch(row, words))
  const shown = rows.slice(0, limit)
  const lastRow = rows.length > limit ? shown.at(-1) : last
  return {
    items: shown.map(INVOICE_ROW.read),
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

const beyondAscii = ({ texts }: Dialect): string =>
  `${texts.isBeyondAscii('memo')} OR ${texts.isBeyondAscii('order_ref')}`

/** What was examined before ends at the cursor, else at `to`. */
function spanOf({ from = 0, to, cursor }: ScanRequest): readonly [SqlValue, ...SqlValue[]] {
  const [at, seq] = cursor === undefined ? startAt(to) : positionOf(cursor)
  return [from, at, at, seq]
}

const startAt = (to: number | undefined): readonly [bigint, bigint] => (to === undefined ? AFTER_ALL : [BigInt(to), 0n])

/** In order of what it costs to compare. Without a trait nothing matches. */
function anyOf(traits: InvoiceTraits): Condition {
  const { amount, fiatAmount } = traits
  const words = wordsOf(traits)
  const exact = amount === undefined ? undefined : INVOICE_ROW.only('amount').change({ amount })
  const parts = [
    exact && ([exact.sql, ...exact.values] as const),
    when(({ texts }) => texts.contains('memo'), words),
    when(({ texts }) => texts.contains('order_ref'), words),
    when(({ texts }) => texts.isFiatAmount, fiatAmount),
  ].filter((part) => part !== undefined)
  return {
    sql: (dialect) => parts.map(([sql]) => textOf(sql, dialect)).join(' OR ') || 'false',
    values: parts.flatMap(([, ...values]) => values),
  }
}

/** An event has a row for each receiver, all with its id. */
const idsOf = (table: string): string => `SELECT DISTINCT id FROM ${table} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`
const IDS: Readonly<Record<SearchableId, string>> = {
  invoice: idsOf('invoice'),
  payment: idsOf('payment'),
  event: idsOf('event'),
}

/** Ids are ASCII: what begins with the prefix is before the prefix and the highest character there is. */
export const idVerbs = ({ read }: Runner): IdSearch => ({
  idsLike: (kind, prefix, limit) =>
    read(() => many(IDS[kind], [prefix, endOfPrefix(prefix), limit], ([id = null]) => textCell.read(id))),
})

const LATEST = sql(
  ({ by }) => `SELECT ${SALE_ROW.columns} FROM invoice ${by('invoice_order_ref')}
  WHERE order_ref > ? AND order_ref < ? ORDER BY order_ref DESC, created_at DESC LIMIT ?`,
)

/** The newest invoices of orders with one beginning, for the point of sale. */
export const saleVerbs = ({ read }: Runner): SaleReads => ({
  latestOfOrders: (prefix, limit) => read(() => many(LATEST, [prefix, endOfPrefix(prefix), limit], SALE_ROW.read)),
})
