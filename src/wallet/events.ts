// What happened between two states of a wallet, as events. Pure: the rows say it, also of a change that another window committed.
import { balanceOf, type WalletBalance } from './coins/balance.js'
import type { WalletState } from './ledger.js'
import type { WalletTransaction } from './model.js'
import { heightOf } from './rows.js'

/**
 * `created`: a new entry of the log: an S1 that was answered or begun, an invoice, what a restore found. `posted`: a node took its
 * transaction. `confirmed`, `cancelled`, `reverted`: its status. `reopened`: it was cancelled, and its S1 came again.
 */
export type PaymentEventType = 'created' | 'posted' | 'confirmed' | 'cancelled' | 'reverted' | 'reopened'

/** A payment as it is after the event; `kind` says whether it was sent or received. */
export interface PaymentEvent {
  readonly type: PaymentEventType
  readonly transaction: WalletTransaction
}

/** One thing that happened to a wallet. */
export type WalletEvent =
  | PaymentEvent
  /** The tip of the chain at the last refresh. */
  | { readonly type: 'height'; readonly height: number }
  /** The sums of all accounts with the confirmations of `balance`. */
  | { readonly type: 'balance'; readonly balance: WalletBalance }
  /** Comes after the events of one change, and after a change that has none, such as a new address. */
  | { readonly type: 'changed' }
  /** The node or the storage failed; the subscription goes on. */
  | { readonly type: 'failed'; readonly error: unknown }

/** The name of an event. */
export type WalletEventType = WalletEvent['type']

/** The confirmations of a balance, as in grin-wallet. */
export const MIN_CONFIRMATIONS = 10

/** In this order: height, payments by their place in the log, balance, `changed`. None for one revision. */
export function eventsBetween(before: WalletState, after: WalletState): WalletEvent[] {
  if (before.revision === after.revision) return []
  const [was, is] = [heightOf(before), heightOf(after)]
  const rows = [...after.transaction.values()].filter((row) => before.transaction.get(`${row.id}`) !== row)
  const payments = rows
    .sort((a, b) => a.id - b.id)
    .flatMap((row) =>
      paymentEvents(before.transaction.get(`${row.id}`), row).map((type) => ({ type, transaction: row })),
    )
  const balance = totalOf(after)
  return [
    ...(was === is ? [] : [{ type: 'height' as const, height: is }]),
    ...payments,
    ...(isSame(totalOf(before), balance) ? [] : [{ type: 'balance' as const, balance }]),
    { type: 'changed' },
  ]
}

/** A payment that is new and confirmed already has both events. */
function paymentEvents(before: WalletTransaction | undefined, after: WalletTransaction): PaymentEventType[] {
  const wasPosted = after.postedAt !== undefined && after.postedAt !== before?.postedAt
  return [
    ...(before ? [] : ['created' as const]),
    ...(wasPosted ? ['posted' as const] : []),
    ...statusEvent(before?.status ?? 'pending', after.status),
  ]
}

function statusEvent(before: WalletTransaction['status'], after: WalletTransaction['status']): PaymentEventType[] {
  if (before === after) return []
  return [after === 'pending' ? 'reopened' : after]
}

const totalOf = (state: WalletState): WalletBalance =>
  balanceOf([...state.output.values()], heightOf(state), MIN_CONFIRMATIONS)

/** The height alone is no change of a balance. */
const isSame = (a: WalletBalance, b: WalletBalance): boolean =>
  (Object.keys(a) as (keyof WalletBalance)[]).every((sum) => sum === 'height' || a[sum] === b[sum])
