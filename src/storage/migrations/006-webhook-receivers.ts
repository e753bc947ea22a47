// Several webhook receivers: a row of `event` is one event for one receiver, with the state of its own delivery. The rows of one event
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
