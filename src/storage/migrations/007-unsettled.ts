// The conventions are those of 001-till.ts.

export const unsettledSchema = `
-- A confirmed payment that settled no invoice has none (invoice_id); this is the invoice that it was made for. Null for every other payment.
ALTER TABLE payment ADD COLUMN intended_invoice_id TEXT REFERENCES invoice (id);
UPDATE payment SET intended_invoice_id = invoice_id, invoice_id = NULL
  WHERE settlement = 'confirmed' AND invoice_id IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM invoice WHERE invoice.id = payment.invoice_id AND invoice.payment_id = payment.id);
-- The figures of the operator: what waits for an invoice (users' payments never do), and what was confirmed since a moment.
CREATE INDEX payment_waiting ON payment (created_at)
  WHERE invoice_id IS NULL AND user_id IS NULL AND settlement <> 'abandoned';
CREATE INDEX payment_confirmed ON payment (confirmed_at, amount) WHERE settlement = 'confirmed';
-- Slates that were closed without being signed are dropped after a while.
CREATE INDEX invoice_slate_aged ON invoice_slate (created_at) WHERE state = 'closed';
`
