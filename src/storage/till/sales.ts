// The newest invoices of orders with one beginning, for the point of sale.
import type { SaleReads } from '../../till/index.js'
import { sql } from '../dialect.js'
import { endOfPrefix } from '../paging.js'
import { many, type Runner } from '../verbs.js'
import { SALE_ROW } from './console-rows.js'

const LATEST = sql(
  ({ by }) => `SELECT ${SALE_ROW.columns} FROM invoice ${by('invoice_order_ref')}
  WHERE order_ref > ? AND order_ref < ? ORDER BY order_ref DESC, created_at DESC LIMIT ?`,
)

export const saleVerbs = ({ read }: Runner): SaleReads => ({
  latestOfOrders: (prefix, limit) => read(() => many(LATEST, [prefix, endOfPrefix(prefix), limit], SALE_ROW.read)),
})
