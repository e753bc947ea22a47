// The search for invoices that a payment could settle.
import { mayBe } from '../../till/invoice-moves.js'
import { INVOICE } from './tables.js'

/** Oldest first. The conditions repeat those of the partial indexes word by word, or they would not serve it. */
export const payableBy = (condition: string): string => `SELECT ${INVOICE.columns} FROM invoice
  WHERE ${mayBe('payment-accepted')} AND payment_id IS NULL AND ${condition}
    AND coalesce(expires_at, 9223372036854775807) > ? ORDER BY created_at, seq LIMIT ?`
