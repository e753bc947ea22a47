// What operators, exports and metrics look at. While the primary is away it comes from a standby, and may be a little older; nothing is decided by it.
import type { TillStore } from '../../../till/index.js'
import { LEASES_IN_ROWS } from '../../till/leases.js'
import { commonTillVerbs } from '../../till/store.js'
import type { ReadAnywhere } from '../any-node.js'
import { postgresRunner } from '../run-verb.js'
import type { Transactions } from '../transactions.js'

type OverviewVerbs = Pick<
  TillStore,
  'listInvoices' | 'listPayments' | 'backlog' | 'letterBacklog' | 'balance' | 'dayFigures'
>

export function overviewVerbs(transactions: Transactions & { readonly readAnywhere: ReadAnywhere }): OverviewVerbs {
  const runner = postgresRunner({ ...transactions, read: transactions.readAnywhere })
  const { listInvoices, listPayments, backlog, letterBacklog, balance, dayFigures } = commonTillVerbs(
    runner,
    LEASES_IN_ROWS,
  )
  return { listInvoices, listPayments, backlog, letterBacklog, balance, dayFigures }
}
