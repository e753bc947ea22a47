// The searches of the operator's console: by index where there is one, else one bounded step through the invoices after the other.
import type { DeskReads, InvoiceTraits, ScanRequest, ScanStep } from '../../till/index.js'
import { endOfPrefix, positionOf, when } from '../paging.js'
import { amountCell, integerCell } from '../sqlite/columns.js'
import type { Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { INVOICE_ROW } from './desk-rows.js'

const SELECT = `SELECT ${INVOICE_ROW.columns} FROM invoice`

export function searchVerbs(db: Sqlite): Pick<DeskReads, 'invoicesOfOrder' | 'invoicesById' | 'scanInvoices'> {
  return {
    async invoicesOfOrder(orderRef, limit) {
      const exact = db.all(
        `${SELECT} INDEXED BY invoice_order_ref WHERE order_ref = ? ORDER BY created_at DESC, seq DESC LIMIT ?`,
        [orderRef, limit],
      )
      const longer = db.all(
        `${SELECT} INDEXED BY invoice_order_ref WHERE order_ref > ? AND order_ref < ? ORDER BY order_ref LIMIT ?`,
        [orderRef, endOfPrefix(orderRef), limit - exact.length],
      )
      return [...exact, ...longer].map(INVOICE_ROW.read)
    },
    invoicesById: async (prefix, limit) =>
      db
        .all(`${SELECT} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`, [prefix, endOfPrefix(prefix), limit])
        .map(INVOICE_ROW.read),
    scanInvoices: async (request) => scan(db, request),
  }
}

/** Creation time and order of arrival: before those of the newest row, and after those of the oldest. */
const AFTER_ALL = [BigInt(Number.MAX_SAFE_INTEGER), 0n] as const
const BEFORE_ALL = [-1n, -1n] as const

/** Both ends are plain times: of two comparisons of rows SQLite would seek one only, and read on to the end of the table. */
const SOURCE = `invoice INDEXED BY invoice_created
  WHERE created_at BETWEEN ? AND ? AND (created_at, seq) < (?, ?)`
const NEWEST_FIRST = 'ORDER BY created_at DESC, seq DESC'
const LAST_OF_SPAN = `SELECT created_at, seq FROM ${SOURCE} ${NEWEST_FIRST} LIMIT 1 OFFSET ?`

/** Finds the oldest row that the step examines, then the matches from there on: a step never reads beyond its span. */
function scan(db: Sqlite, { traits, status, from = 0, to, cursor, span, limit }: ScanRequest): ScanStep {
  const [startAt, startSeq] = startOf(cursor, to)
  const last = db.get(LAST_OF_SPAN, [from, startAt, startAt, startSeq, span - 1])
  const [endAt = null, endSeq = null] = last ?? BEFORE_ALL
  const match = anyOf(traits)
  const filter = status === undefined ? { sql: '', values: [] } : { sql: 'AND status = ?', values: [status] }
  const rows = db.all(
    `SELECT ${INVOICE_ROW.columns}, created_at, seq FROM ${SOURCE} AND (created_at, seq) >= (?, ?) ${filter.sql}
     AND (${match.sql}) ${NEWEST_FIRST} LIMIT ?`,
    [last ? endAt : from, startAt, startAt, startSeq, endAt, endSeq, ...filter.values, ...match.values, limit + 1],
  )
  const shown = rows.slice(0, limit)
  const lastRow = rows.length > limit ? shown.at(-1) : last
  return {
    items: shown.map(INVOICE_ROW.read),
    next: lastRow?.slice(-2).join('-') ?? null,
    reachedAt: lastRow ? integerCell.read(lastRow.at(-2) ?? null) : null,
  }
}

/** What was examined before ends at the cursor, else at `to`. Throws BAD_CURSOR. */
function startOf(cursor: string | undefined, to: number | undefined): readonly [bigint, bigint] {
  if (cursor !== undefined) return positionOf(cursor)
  return to === undefined ? AFTER_ALL : [BigInt(to), 0n]
}

/** In order of what it costs to compare. Without a trait nothing matches. */
function anyOf({ text, amount, fiatAmount }: InvoiceTraits): {
  readonly sql: string
  readonly values: readonly SqlValue[]
} {
  const parts = [
    when('amount = ?', amount === undefined ? undefined : amountCell.write(amount)),
    when('instr(lower(memo), lower(?)) > 0', text),
    when('instr(lower(order_ref), lower(?)) > 0', text),
    when("CAST(json_extract(fiat, '$.amount') AS REAL) = CAST(? AS REAL)", fiatAmount),
  ].filter((part) => part !== undefined)
  return { sql: parts.map(([sql]) => sql).join(' OR ') || '0', values: parts.flatMap(([, ...values]) => values) }
}
