// The till's steps after 002-rails.ts, one constant each, never changed once released. The conventions are those of 001-till.ts.

// 003: fresh slates after a start.
export const freshSlatesSchema = `
-- Open invoices on the grin1 rail that wait for a fresh slate: none, but after a start and after a payment that was taken back.
CREATE INDEX invoice_without_slate ON invoice (created_at)
  WHERE status = 'open' AND rail = 'grin1' AND slatepack IS NULL;
`

// 004
export const outputNoteSchema = `
-- The kernel was seen, our output was not: spent with the same seed elsewhere, or never there. Null: it was there at the last look.
ALTER TABLE payment ADD COLUMN output TEXT CHECK (output IN ('spent-or-missing'));
`

// 005: where the payer of an invoice goes back to. NULL for most rows, which costs nothing at the end of a row.
export const returnUrlColumn = `
ALTER TABLE invoice ADD COLUMN return_url TEXT;
`

// 006: several webhook receivers: a row of `event` is one event for one receiver, with the state of its own delivery. The rows of one event
// are written together and hold the same body. What was there before belongs to receiver 1. Both tables are built anew, because the
// id of an event alone no longer tells a row apart.
export const webhookReceiversSchema = `
CREATE TABLE receiver_event (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  receiver INTEGER NOT NULL CHECK (receiver BETWEEN 1 AND 8),
  type TEXT NOT NULL,
  invoice_id TEXT,
  payment_id TEXT,
  -- What must be delivered in order: the invoice, else the payment, else the event by itself.
  line TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'abandoned')),
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER,
  last_error TEXT,
  failed INTEGER NOT NULL CHECK (failed IN (0, 1)),
  body TEXT NOT NULL,
  UNIQUE (id, receiver)
) STRICT;
INSERT INTO receiver_event (seq, id, receiver, type, invoice_id, payment_id, line, created_at, state, attempts, next_attempt_at,
    last_error, failed, body)
  SELECT seq, id, 1, type, invoice_id, payment_id, line, created_at, state, attempts, next_attempt_at, last_error, failed, body
  FROM event ORDER BY seq;

CREATE TABLE receiver_attempt (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL,
  receiver INTEGER NOT NULL,
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  error TEXT,
  answer_head TEXT NOT NULL,
  FOREIGN KEY (event_id, receiver) REFERENCES receiver_event (id, receiver)
) STRICT;
INSERT INTO receiver_attempt (seq, event_id, receiver, number, started_at, duration_ms, http_status, error, answer_head)
  SELECT seq, event_id, 1, number, started_at, duration_ms, http_status, error, answer_head FROM attempt ORDER BY seq;

DROP TABLE attempt;
DROP TABLE event;
ALTER TABLE receiver_event RENAME TO event;
ALTER TABLE receiver_attempt RENAME TO attempt;
CREATE INDEX event_created ON event (created_at);
CREATE INDEX event_receiver ON event (receiver, created_at);
CREATE INDEX event_state ON event (state, created_at);
CREATE INDEX event_failed ON event (created_at) WHERE failed = 1;
CREATE INDEX event_invoice ON event (invoice_id, created_at) WHERE invoice_id IS NOT NULL;
CREATE INDEX event_due ON event (receiver, next_attempt_at) WHERE state = 'pending';
CREATE INDEX event_waiting ON event (receiver, line) WHERE state = 'pending';
CREATE INDEX attempt_event ON attempt (event_id, receiver);
`

// 007
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

// 008
/**
 * The till's table of rails says which there are, so no column needs a CHECK, and a new rail no new table. Dropping a CHECK changes no
 * stored row: the schema text is edited in place (sqlite.org/lang_altertable.html, "removing CHECK constraints"). The table after it
 * makes other connections read the schema again, and fails the step if the text was another one than that of 001-till.ts.
 */
export const openRailsSchema = `
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, ' CHECK (rail IN (''slatepack'', ''nostr'', ''grin1''))', '')
  WHERE type = 'table' AND name = 'payment';
UPDATE sqlite_schema SET sql = replace(sql, ' CHECK (rail IN (''grin1''))', '') WHERE type = 'table' AND name = 'invoice';
PRAGMA writable_schema = RESET;
CREATE TABLE rail_check_is_gone (checks INTEGER CHECK (checks = 0));
INSERT INTO rail_check_is_gone SELECT count(*) FROM sqlite_schema WHERE name IN ('payment', 'invoice')
  AND sql LIKE '%CHECK (rail IN%';
DROP TABLE rail_check_is_gone;
`

// 009: for reports: what GRIN was worth when an invoice with a price in GRIN was made (JSON), and the tip in a price (decimal text).
export const saleFactsColumns = `
ALTER TABLE invoice ADD COLUMN grin_rate TEXT;
ALTER TABLE invoice ADD COLUMN tip TEXT;
`

// 010
export const usesSchema = `
-- One row for each use that counts against a bound (see UseStore): an invoice that was opened again, a payment without an invoice.
CREATE TABLE secret_use (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, key, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX secret_use_age ON secret_use (kind, at);
`

// 011
export const receiverFailuresSchema = `
-- Since when a webhook receiver takes nothing: the first failed try after the last one that succeeded. No row: the last try succeeded, or
-- none was made since this table is there.
CREATE TABLE receiver_failure (
  receiver INTEGER PRIMARY KEY CHECK (receiver BETWEEN 1 AND 8),
  since INTEGER NOT NULL
) STRICT;
`
