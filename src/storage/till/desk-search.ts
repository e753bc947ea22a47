// The searches of the operator's console: by index where there is one, else one bounded step through the invoices after the other.
import type { DeskReads } from '../../till/index.js'
import { endOfPrefix } from '../paging.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { INVOICE_ROW } from './desk-rows.js'
import { lastOfSpan, matchesInSpan, type ScanDialect, stepOf } from './desk-scan.js'

const SELECT = `SELECT ${INVOICE_ROW.columns} FROM invoice`

const DIALECT: ScanDialect = {
  table: INVOICE_ROW,
  from: 'invoice INDEXED BY invoice_created',
  contains: (column) => `instr(lower(${column}), ?) > 0`,
  isBeyondAscii: (column) => `${column} GLOB '*[^' || char(1) || '-' || char(127) || ']*'`,
  isFiatAmount: "CAST(json_extract(fiat, '$.amount') AS REAL) = CAST(? AS REAL)",
}

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
    async scanInvoices(request) {
      const span = lastOfSpan(DIALECT, request)
      const last = db.get(span.sql, span.values)
      const { sql, values } = matchesInSpan(DIALECT, request, last)
      return stepOf(DIALECT, request, last, db.all(sql, values))
    },
  }
}
