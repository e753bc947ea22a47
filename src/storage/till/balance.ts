// The balance of a till from its stored sums, which both kinds of database keep in their own way.
import type { PaymentStore, PaymentSum, Settlement } from '../../till/index.js'
import { SETTLEMENTS } from '../../till/model.js'
import { amountOfSum } from '../sqlite/columns.js'
import type { SqlValue } from '../sqlite/sqlite.js'

export type Balance = Awaited<ReturnType<PaymentStore['balance']>>

/** A settlement without a sum has none. */
export function balanceOf(sums: readonly (readonly [settlement: SqlValue | undefined, sum: PaymentSum])[]): Balance {
  const known = new Map(sums)
  const none: PaymentSum = { count: 0, amount: amountOfSum(0n) }
  const entries = SETTLEMENTS.map((settlement): [Settlement, PaymentSum] => [settlement, known.get(settlement) ?? none])
  return Object.fromEntries(entries) as Record<Settlement, PaymentSum>
}
