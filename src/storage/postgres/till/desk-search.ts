// The searches of the operator's console: by index where there is one, else one bounded step through the invoices after the other.
import type { DeskReads } from '../../../till/index.js'
import { endOfPrefix } from '../../paging.js'
import { lastOfSpan, matchesInSpan, type ScanDialect, stepOf } from '../../till/desk-scan.js'
import type { Transactions } from '../transactions.js'
import { INVOICE_ROW } from './desk-rows.js'

const SELECT = `SELECT ${INVOICE_ROW.columns} FROM invoice`
const OF_ORDER = `${SELECT} WHERE order_ref = ? ORDER BY created_at DESC, seq DESC LIMIT ?`
const OF_LONGER_ORDER = `${SELECT} WHERE order_ref > ? AND order_ref < ? ORDER BY order_ref LIMIT ?`
const BY_ID = `${SELECT} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`

const DIALECT: ScanDialect = {
  table: INVOICE_ROW,
  from: 'invoice',
  contains: (column) => `strpos(lower(${column} COLLATE "C"), ?::text COLLATE "C") > 0`,
  isBeyondAscii: (column) => `octet_length(${column}) > char_length(${column})`,
  isFiatAmount: "(fiat::json ->> 'amount')::numeric = ?::numeric",
}

export function searchVerbs({
  read,
}: Pick<Transactions, 'read'>): Pick<DeskReads, 'invoicesOfOrder' | 'invoicesById' | 'scanInvoices'> {
  return {
    invoicesOfOrder: (orderRef, limit) =>
      read(async (db) => {
        const exact = await db.all(OF_ORDER, [orderRef, limit])
        const longer = await db.all(OF_LONGER_ORDER, [orderRef, endOfPrefix(orderRef), limit - exact.length])
        return [...exact, ...longer].map(INVOICE_ROW.read)
      }),
    invoicesById: (prefix, limit) =>
      read(async (db) => (await db.all(BY_ID, [prefix, endOfPrefix(prefix), limit])).map(INVOICE_ROW.read)),
    scanInvoices: (request) =>
      read(async (db) => {
        const span = lastOfSpan(DIALECT, request)
        const last = await db.get(span.sql, span.values)
        const { sql, values } = matchesInSpan(DIALECT, request, last)
        return stepOf(DIALECT, request, last, await db.all(sql, values))
      }),
  }
}
