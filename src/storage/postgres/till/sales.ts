// The newest invoices of orders with one beginning, for the point of sale.
import type { SaleReads } from '../../../till/index.js'
import { endOfPrefix } from '../../paging.js'
import type { Transactions } from '../transactions.js'
import { SALE_ROW } from './desk-rows.js'

const LATEST = `SELECT ${SALE_ROW.columns} FROM invoice
  WHERE order_ref > ? AND order_ref < ? ORDER BY order_ref DESC, created_at DESC LIMIT ?`

export const saleVerbs = ({ read }: Transactions): SaleReads => ({
  latestOfOrders: (prefix, limit) =>
    read(async (db) => (await db.all(LATEST, [prefix, endOfPrefix(prefix), limit])).map(SALE_ROW.read)),
})
