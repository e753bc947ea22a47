// Cancels a transaction: its context goes, its inputs are free again, its outputs that the chain never saw are dropped.
import { walletCannotCancel, walletSlateUnknown } from '../errors.js'
import type { Draft } from '../ledger.js'
import type { WalletOutput, WalletTransaction } from '../model.js'
import type { WalletParts } from '../parts.js'
import { heightIn, statusOnChain, unspentRow } from '../rows.js'

/**
 * Cancels by the id of the log, or by slate. What the other side holds stays valid: an S2 or I2 that left may still be mined, and a
 * refresh then confirms it. Only spending the inputs elsewhere stops an I2 or a posted transaction. Throws WALLET_CANNOT_CANCEL or
 * WALLET_SLATE_UNKNOWN.
 */
export const cancel = ({ ledger }: WalletParts, target: number | string): Promise<WalletTransaction> =>
  ledger.change((draft) => cancelIn(draft, rowOf(draft, target)))

/** The sending half comes first in a payment to oneself. */
function rowOf(draft: Draft, target: number | string): WalletTransaction {
  const rows = draft.rows('transaction').filter((row) => row.id === target || row.slateId === target)
  const row = rows.find(({ status, kind }) => status === 'pending' && kind === 'sent') ?? rows.find(isOpen) ?? rows[0]
  if (!row) throw walletSlateUnknown(`${target}`)
  return row
}

const isOpen = ({ status }: WalletTransaction): boolean => status === 'pending' || status === 'reverted'

/** Throws WALLET_CANNOT_CANCEL. */
export function cancelIn(draft: Draft, row: WalletTransaction): WalletTransaction {
  const why = isOpen(row) ? spenderOf(draft, row) : `it is ${row.status}`
  if (why !== undefined) throw walletCannotCancel(row.id, why)
  for (const { commitment } of row.outputs)
    if (draft.get('output', commitment)?.transaction === row.id) draft.remove('output', commitment)
  for (const commitment of row.inputs) free(draft, row, draft.get('output', commitment))
  if (row.slateId !== undefined && isOwner(row)) draft.remove('context', row.slateId)
  const cancelled: WalletTransaction = { ...row, status: 'cancelled', cancelledHeight: heightIn(draft) }
  draft.put('transaction', cancelled)
  return cancelled
}

/** A payment to oneself: the context belongs to the side that began. */
const isOwner = ({ written }: WalletTransaction): boolean => written !== 'S2' && written !== 'I2'

function spenderOf(draft: Draft, { outputs, id }: WalletTransaction): string | undefined {
  // After a reorganisation an output that a pending transaction spends is `reverted`, not `locked`.
  const spent = outputs
    .map(({ commitment }) => draft.get('output', commitment))
    .find((one) => one && statusOnChain(draft, one) === 'locked')
  return spent?.spentBy === undefined || spent.spentBy === id
    ? undefined
    : `transaction ${spent.spentBy} spends its output`
}

/** The input as it was before this transaction took it. */
function free(draft: Draft, { id }: WalletTransaction, input: WalletOutput | undefined): void {
  if (input?.spentBy !== id) return
  const maker = draft.get('transaction', `${input.transaction}`)
  const wasOnChain = maker?.status === 'confirmed'
  const status = input.status !== 'locked' ? input.status : wasOnChain ? 'unspent' : 'unconfirmed'
  draft.put('output', { ...unspentRow(input), status })
}
