// What may happen to a payment, as SQL that is the same in every database.
import type { Payment, Sighting } from '../../till/index.js'
import type { SqlValue } from '../sqlite/sqlite.js'

/** For SET; values and the payment's id come from `sightedValues`. */
export const SIGHTED =
  'settlement = ?, mined_at = ?, confirmed_at = ?, mined_height = ?, confirmations = ?, next_check_at = ?, output = ?'

export const sightedValues = (payment: Payment, sighting: Sighting): SqlValue[] => [
  payment.settlement,
  payment.minedAt,
  payment.confirmedAt,
  sighting.minedHeight,
  sighting.confirmations,
  sighting.nextCheckAt,
  sighting.output ?? null,
  payment.id,
]

/** It settled nothing: whatever looks for payments without an invoice finds it, and an operator may assign it. */
export const DETACH = 'UPDATE payment SET intended_invoice_id = invoice_id, invoice_id = NULL WHERE id = ?'

/** payment */
export const MAY_BE_ABANDONED = "id = ? AND settlement IN ('received', 'replied', 'seen')"
