// Fresh slates after a start. The conventions are those of 001-till.ts.

export const freshSlatesSchema = `
-- Open invoices on the grin1 rail that wait for a fresh slate: none, but after a start and after a payment that was taken back.
CREATE INDEX invoice_without_slate ON invoice (created_at)
  WHERE status = 'open' AND rail = 'grin1' AND slatepack IS NULL;
`
