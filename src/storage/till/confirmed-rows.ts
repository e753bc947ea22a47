// Confirmed payments for reports, in the order of the index `payment_confirmed`: each page goes on where the one before ended.
import type { ConfirmedRow, ReportStore } from '../../till/index.js'
import { sql } from '../dialect.js'
import { type Order, readPage } from '../paging.js'
import { amountCell, createTable, integerCell, nullable, textCell, wordCell } from '../sqlite/columns.js'
import type { Runner } from '../verbs.js'
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

const FROM = sql(({ by }) => `payment ${by('payment_confirmed')} LEFT JOIN invoice ON invoice.id = payment.invoice_id`)

/** A cursor names an amount as it is stored: in a file those from 2^63 up are negative. */
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 64n - 1n]

const ORDER: Order = {
  columns: ['payment.confirmed_at', 'payment.amount', 'payment.seq'],
  next: '>',
  parse(cursor) {
    const position = /^(\d{1,16})-(-?\d{1,20})-(\d{1,16})$/.exec(cursor)?.slice(1).map(BigInt)
    const [, amount = LEAST] = position ?? []
    return LEAST <= amount && amount <= MOST ? position : undefined
  },
}

export const reportVerbs = ({ read }: Runner): ReportStore => ({
  /** Those confirmed at or after `from`, or after the cursor, and before `to`. */
  confirmedRows: ({ limit, cursor, from, to }) =>
    read(() => {
      const where = [
        ["payment.settlement = 'confirmed'"] as const,
        // A cursor is a bound too, and the closer one: with both, SQLite would read the pages before again.
        cursor === undefined ? (['payment.confirmed_at >= ?', from] as const) : undefined,
        ['payment.confirmed_at < ?', to] as const,
      ]
      return readPage({ table: ROW, from: FROM, where, order: ORDER }, { limit, cursor })
    }),
})
