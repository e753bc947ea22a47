// Confirmed payments for reports, in the order of the index `payment_confirmed`: each page goes on where the one before ended.
import type { ReportStore } from '../../till/index.js'
import { readPage } from '../paging.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { CONFIRMED_ROW, confirmationOrder, confirmedSource } from './confirmed-source.js'

const SOURCE = {
  table: CONFIRMED_ROW,
  /** Named, so that a plan without this index is an error instead of a slow search. */
  from: 'payment INDEXED BY payment_confirmed LEFT JOIN invoice ON invoice.id = payment.invoice_id',
  /** Amounts from 2^63 up are negative in a file. SQLite begins at the moment and amount of the cursor, and skips to its row. */
  order: confirmationOrder(/^-?\d{1,19}$/),
}

export const reportVerbs = (db: Sqlite): ReportStore => ({
  confirmedRows: async ({ limit, cursor, ...span }) =>
    readPage(db, confirmedSource(SOURCE, span, cursor), { limit, cursor }),
})
