// Confirmed payments for reports, as data: both kinds of database read their pages from it, in the order of their index.
import type { ConfirmedRow } from '../../till/index.js'
import type { Order, Source } from '../paging.js'
import { amountCell, createTable, integerCell, nullable, textCell, wordCell } from '../sqlite/columns.js'
import { grinRateCell, quoteCell } from './tables.js'

export const CONFIRMED_ROW = createTable<ConfirmedRow>({
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

/** `amount`: how a stored amount stands in a cursor. */
export const confirmationOrder = (amount: RegExp): Order => ({
  columns: ['payment.confirmed_at', 'payment.amount', 'payment.seq'],
  next: '>',
  parse(cursor) {
    const [, at = '', sum = '', seq = ''] = /^(\d{1,16})-(-?\d{1,20})-(\d{1,16})$/.exec(cursor) ?? []
    return amount.test(sum) ? [at, sum, seq].map(BigInt) : undefined
  },
})

/** Those confirmed at or after `from`, or after the cursor, and before `to`. */
export const confirmedSource = (
  source: Omit<Source<ConfirmedRow>, 'where'>,
  { from, to }: { readonly from: number; readonly to: number },
  cursor: string | undefined,
): Source<ConfirmedRow> => ({
  ...source,
  where: [
    ["payment.settlement = 'confirmed'"],
    // A cursor is a bound too, and the closer one: with both, SQLite would read the pages before again.
    cursor === undefined ? ['payment.confirmed_at >= ?', from] : undefined,
    ['payment.confirmed_at < ?', to],
  ],
})
