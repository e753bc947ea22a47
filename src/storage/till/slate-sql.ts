// Statements on invoice slates and their transactions that are the same in every database.

/** invoice */
export const CLOSE_SLATE =
  "UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE invoice_id = ? AND state = 'open'"
export const HIDE_SLATE = 'UPDATE invoice SET slatepack = NULL WHERE id = ? AND slatepack IS NOT NULL'

export const CLOSE_EVERY_SLATE = "UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE state = 'open'"
export const HIDE_EVERY_SLATE = 'UPDATE invoice SET slatepack = NULL WHERE slatepack IS NOT NULL'

/** slate, armor, invoice */
export const SHOW_SLATE = 'UPDATE invoice SET slate_id = ?, slatepack = ? WHERE id = ?'
/** slate, invoice */
export const IS_OPEN_SLATE = "SELECT 1 FROM invoice_slate WHERE id = ? AND invoice_id = ? AND state = 'open'"
/** slate */
export const FINALIZE_SLATE = "UPDATE invoice_slate SET state = 'finalized', sealed_secrets = NULL WHERE id = ?"
/** payment, now, transaction */
export const INSERT_PUSH = 'INSERT INTO push (payment_id, attempts, next_push_at, body) VALUES (?, 0, ?, ?)'
/** next time, payment */
export const SCHEDULE_PUSH = 'UPDATE push SET next_push_at = ? WHERE payment_id = ?'

/** When the slate that an invoice shows is to be closed; word by word the expression of the index. */
export const SLATE_END = `CASE WHEN payment_id IS NOT NULL OR status = 'cancelled' THEN 0
  ELSE coalesce(expires_at, 9223372036854775807) END`
