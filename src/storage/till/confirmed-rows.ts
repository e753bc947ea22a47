// Confirmed payments for reports, in the order of the index `payment_confirmed`: each page goes on where the one before ended.
import type { ConfirmedRow, ReportStore } from '../../till/index.js'
import { type Order, readPage } from '../paging.js'
import { amountCell, createTable, integerCell, nullable, textCell, wordCell } from '../sqlite/columns.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { grinRateCell, quoteCell } from './tables.js'

const ROW = createTable<ConfirmedRow>({
  confirmedAt: ['payment.confirmed_at', integerCell],
  amount: ['payment.amount', amountCell],
  rail: ['payment.rail', textCell],
  kind: [
    `CASE WHEN payment.invoice_id IS NOT NULL THEN 'sale' WHEN payment.user_id IS NOT NULL THEN 'user' ELSE 'unmatched' END`,
    wordCell('sale', 'user', 'unmatched'),
  ],
  fiat: ['invoice.fiat', nullable(quoteCell)],
  grinRate: ['invoice.grin_rate', nullable(grinRateCell)],
  tip: ['invoice.tip', nullable(textCell)],
})

/** Named, so that a plan without this index is an error instead of a slow search. */
const FROM = 'payment INDEXED BY payment_confirmed LEFT JOIN invoice ON invoice.id = payment.invoice_id'

/** That of the index; amounts from 2^63 up are negative there. SQLite begins at the moment and amount of the cursor, and skips to its row. */
const CONFIRMATION: Order = {
  columns: ['payment.confirmed_at', 'payment.amount', 'payment.seq'],
  next: '>',
  parse(cursor) {
    const parts = /^(\d{1,16})-(-?\d{1,19})-(\d{1,19})$/.exec(cursor)
    return parts?.slice(1).map(BigInt)
  },
}

export function reportVerbs(db: Sqlite): ReportStore {
  return {
    async confirmedRows({ from, to, limit, cursor }) {
      const where = [
        ["payment.settlement = 'confirmed'"] as const,
        // A cursor is a bound too, and the closer one: with both, SQLite would read the pages before again.
        cursor === undefined ? (['payment.confirmed_at >= ?', from] as const) : undefined,
        ['payment.confirmed_at < ?', to] as const,
      ]
      return readPage(db, { table: ROW, from: FROM, where, order: CONFIRMATION }, { limit, cursor })
    },
  }
}
