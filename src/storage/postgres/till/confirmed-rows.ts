// Confirmed payments for reports, in the order of the index `payment_confirmed`: each page goes on where the one before ended.
import type { ReportStore } from '../../../till/index.js'
import { numericAmountCell } from '../../sqlite/columns.js'
import { CONFIRMED_ROW, confirmationOrder, confirmedSource } from '../../till/confirmed-source.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'

const SOURCE = {
  table: CONFIRMED_ROW.with({ amount: ['payment.amount', numericAmountCell] }),
  from: 'payment LEFT JOIN invoice ON invoice.id = payment.invoice_id',
  order: confirmationOrder(/^\d{1,20}$/),
}

export function reportVerbs({ read }: Transactions): ReportStore {
  const page = createPages(read)
  return {
    confirmedRows: async ({ limit, cursor, ...span }) => page(confirmedSource(SOURCE, span, cursor), { limit, cursor }),
  }
}
