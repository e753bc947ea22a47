// What may happen to an invoice, as SQL: precondition and new status of every write come from the table in till/invoices/transitions.ts.
import { type Happening, statusAfter, statusesBefore } from '../../till/invoices/transitions.js'

/** `status = 'open'`, or `status IN (…)`: word by word as partial indexes have it. */
export function mayBe(happening: Happening): string {
  const [first, ...more] = statusesBefore(happening).map((status) => `'${status}'`)
  return more.length === 0 ? `status = ${first}` : `status IN (${[first, ...more].join(', ')})`
}

/** `status = 'paid'`, for SET. */
export const becomes = (happening: Happening): string => `status = '${statusAfter(happening)}'`

/** Of an invoice whose time is over at ?. */
export const IS_OVER = `${mayBe('time-over')} AND expires_at <= ?`
/** id, now */
export const EXPIRE = `UPDATE invoice SET ${becomes('time-over')} WHERE id = ? AND ${IS_OVER}`
/** id */
export const CANCEL = `UPDATE invoice SET ${becomes('cancelled')} WHERE id = ? AND ${mayBe('cancelled')}`

/**
 * Now, payment, invoice, payment, amount. The kernel of an abandoned payment appeared: its invoice is paid after all, unless another one or
 * the operator took it. One that was given back and priced anew since asks for more or less: a payer who waits for a better rate must not
 * settle it with the old amount.
 */
export const REVIVE = `UPDATE invoice SET ${becomes('kernel-appeared')}, paid_at = coalesce(paid_at, ?), payment_id = ?
  WHERE id = ? AND ${mayBe('kernel-appeared')} AND (payment_id = ? OR (payment_id IS NULL AND amount = ?))`

/** now, confirmations, invoice, payment */
export const SETTLE = `UPDATE invoice SET ${becomes('depth-reached')}, confirmed_at = ?, confirmations = ?
  WHERE id = ? AND payment_id = ? AND ${mayBe('depth-reached')}`

/** confirmations, invoice, payment */
export const SHOW_DEPTH = 'UPDATE invoice SET confirmations = ? WHERE id = ? AND payment_id = ?'

/** The invoice of the payment (bound twice), if it names that payment. */
const NAMES_PAYMENT = 'id = (SELECT invoice_id FROM payment WHERE id = ?) AND payment_id = ?'
/** Payment, payment. A reopened invoice waits for another payment. */
export const REOPEN = `UPDATE invoice SET ${becomes('payment-void')}, paid_at = NULL, payment_id = NULL, confirmations = 0
  WHERE ${NAMES_PAYMENT} AND ${mayBe('payment-void')}`
/** Payment, payment. An expired one keeps the memory of its payment. */
export const GIVE_UP = `UPDATE invoice SET ${becomes('kernel-missing')}, confirmations = 0
  WHERE ${NAMES_PAYMENT} AND ${mayBe('kernel-missing')}`
