// What operators, exports and metrics look at. While the primary is away it comes from a standby, and may be a little older; nothing is decided by it.
import type { TillStore } from '../../../till/index.js'
import type { ReadAnywhere } from '../any-node.js'
import type { Transactions } from '../transactions.js'
import { figureVerbs } from './figures.js'
import { invoiceVerbs } from './invoices.js'
import { letterVerbs } from './letters.js'
import { outboxVerbs } from './outbox.js'
import { paymentVerbs } from './payments.js'

type OverviewVerbs = Pick<
  TillStore,
  'listInvoices' | 'listPayments' | 'backlog' | 'letterBacklog' | 'balance' | 'dayFigures'
>

export function overviewVerbs(transactions: Transactions & { readonly readAnywhere: ReadAnywhere }): OverviewVerbs {
  const anywhere: Transactions = { ...transactions, read: transactions.readAnywhere }
  const { listInvoices } = invoiceVerbs(anywhere)
  const { listPayments } = paymentVerbs(anywhere)
  const { backlog } = outboxVerbs(anywhere)
  const { letterBacklog } = letterVerbs(anywhere)
  return { listInvoices, listPayments, backlog, letterBacklog, ...figureVerbs(anywhere) }
}
