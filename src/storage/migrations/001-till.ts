// The till's tables. Times are epoch milliseconds; ids are text as handed out; key material is bytes.
// Amounts are u64 in a signed column: values from 2^63 up are stored as value - 2^64 (two's complement) and read back
// exactly. Equality works on them, order and SUM do not: sums are kept in two halves.
// Indexes on what is open, due or pending are partial, so they stay small however many finished rows there are.
// `seq` is the order of arrival; it breaks ties of `created_at` and is part of every index implicitly.
// Wide texts stand last: a row that is only matched or sorted never reads the pages they overflow to.

export const tillSchema = `
CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  chain TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  checked_at INTEGER NOT NULL
) STRICT;

CREATE TABLE wallet (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  next_key_index INTEGER NOT NULL CHECK (next_key_index BETWEEN 0 AND 2147483648)
) STRICT;
INSERT INTO wallet (id, next_key_index) VALUES (1, 0);

CREATE TABLE invoice (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  token TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('open', 'paid', 'confirmed', 'expired', 'cancelled')),
  amount INTEGER NOT NULL,
  fiat TEXT,
  match_mode TEXT NOT NULL CHECK (match_mode IN ('derived', 'memo', 'amount')),
  order_ref TEXT,
  memo TEXT,
  match_key TEXT,
  recipient_pubkey BLOB NOT NULL CHECK (length(recipient_pubkey) = 32),
  expires_at INTEGER,
  window_ends_at INTEGER,
  requotes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  paid_at INTEGER,
  confirmed_at INTEGER,
  payment_id TEXT,
  confirmations INTEGER NOT NULL,
  pay_link TEXT NOT NULL,
  qr_svg TEXT NOT NULL
) STRICT;
CREATE INDEX invoice_created ON invoice (created_at);
CREATE INDEX invoice_status ON invoice (status, created_at);
CREATE INDEX invoice_order_ref ON invoice (order_ref, created_at) WHERE order_ref IS NOT NULL;
CREATE INDEX invoice_open_expiry ON invoice (expires_at) WHERE status = 'open' AND expires_at IS NOT NULL;
-- Payable: open or expired, no payment named; the end of its time decides, so long expired ones are never visited.
CREATE INDEX invoice_payable_recipient ON invoice (recipient_pubkey, coalesce(expires_at, 9223372036854775807))
  WHERE status IN ('open', 'expired') AND payment_id IS NULL AND match_mode = 'derived';
CREATE INDEX invoice_payable_match_key ON invoice (match_key, coalesce(expires_at, 9223372036854775807))
  WHERE status IN ('open', 'expired') AND payment_id IS NULL AND match_mode = 'memo';
CREATE INDEX invoice_payable_memo ON invoice (memo, amount, coalesce(expires_at, 9223372036854775807))
  WHERE status IN ('open', 'expired') AND payment_id IS NULL AND match_mode = 'memo';
CREATE INDEX invoice_payable_amount ON invoice (amount, coalesce(expires_at, 9223372036854775807))
  WHERE status IN ('open', 'expired') AND payment_id IS NULL AND match_mode = 'amount';

CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  digest TEXT NOT NULL,
  invoice_id TEXT NOT NULL REFERENCES invoice (id),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_created ON idempotency (created_at);

CREATE TABLE user (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  rotate_interval INTEGER,
  epoch INTEGER NOT NULL,
  pubkey BLOB NOT NULL UNIQUE CHECK (length(pubkey) = 32),
  rotated_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX user_created ON user (created_at);
CREATE INDEX user_rotation_global ON user (rotated_at) WHERE rotate_interval IS NULL;
CREATE INDEX user_rotation_own ON user (rotated_at + rotate_interval * 1000) WHERE rotate_interval > 0;

CREATE TABLE endpub (
  pubkey BLOB PRIMARY KEY CHECK (length(pubkey) = 32),
  user_id TEXT NOT NULL REFERENCES user (id),
  epoch INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (user_id, epoch)
) STRICT, WITHOUT ROWID;

-- A payment is also the wallet's output: key_index and amount are what recreates its key.
CREATE TABLE payment (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  invoice_id TEXT REFERENCES invoice (id),
  user_id TEXT REFERENCES user (id),
  amount INTEGER NOT NULL,
  fee_fields INTEGER NOT NULL,
  rail TEXT NOT NULL CHECK (rail IN ('slatepack', 'nostr', 'grin1')),
  payer BLOB,
  recipient_pubkey BLOB,
  settlement TEXT NOT NULL CHECK (settlement IN ('received', 'replied', 'seen', 'mined', 'confirmed', 'abandoned')),
  s1_digest BLOB NOT NULL,
  key_index INTEGER NOT NULL UNIQUE CHECK (key_index BETWEEN 0 AND 2147483647),
  commitment BLOB NOT NULL UNIQUE CHECK (length(commitment) = 33),
  excess BLOB NOT NULL UNIQUE CHECK (length(excess) = 33),
  proof TEXT,
  received_height INTEGER NOT NULL,
  mined_height INTEGER,
  confirmations INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  mined_at INTEGER,
  confirmed_at INTEGER,
  next_check_at INTEGER,
  s2 BLOB NOT NULL,
  reply TEXT NOT NULL
) STRICT;
CREATE INDEX payment_created ON payment (created_at);
CREATE INDEX payment_settlement ON payment (settlement, created_at);
CREATE INDEX payment_invoice ON payment (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX payment_unmatched ON payment (created_at) WHERE invoice_id IS NULL;
CREATE INDEX payment_check ON payment (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payment_user ON payment (user_id, settlement, amount) WHERE user_id IS NOT NULL;

-- The balance without reading a payment: count, and the sum of the upper and lower 32 bits of the amounts.
CREATE TABLE payment_total (
  settlement TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  high INTEGER NOT NULL,
  low INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO payment_total (settlement, count, high, low) VALUES
  ('received', 0, 0, 0), ('replied', 0, 0, 0), ('seen', 0, 0, 0),
  ('mined', 0, 0, 0), ('confirmed', 0, 0, 0), ('abandoned', 0, 0, 0);
CREATE TRIGGER payment_total_in AFTER INSERT ON payment BEGIN
  UPDATE payment_total
  SET count = count + 1, high = high + ((NEW.amount >> 32) & 4294967295), low = low + (NEW.amount & 4294967295)
  WHERE settlement = NEW.settlement;
END;
CREATE TRIGGER payment_total_move AFTER UPDATE OF settlement ON payment WHEN OLD.settlement <> NEW.settlement BEGIN
  UPDATE payment_total
  SET count = count - 1, high = high - ((OLD.amount >> 32) & 4294967295), low = low - (OLD.amount & 4294967295)
  WHERE settlement = OLD.settlement;
  UPDATE payment_total
  SET count = count + 1, high = high + ((NEW.amount >> 32) & 4294967295), low = low + (NEW.amount & 4294967295)
  WHERE settlement = NEW.settlement;
END;

CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
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
  body TEXT NOT NULL
) STRICT;
CREATE INDEX event_created ON event (created_at);
CREATE INDEX event_state ON event (state, created_at);
CREATE INDEX event_failed ON event (created_at) WHERE failed = 1;
CREATE INDEX event_invoice ON event (invoice_id, created_at) WHERE invoice_id IS NOT NULL;
CREATE INDEX event_due ON event (next_attempt_at) WHERE state = 'pending';
CREATE INDEX event_waiting ON event (line) WHERE state = 'pending';

CREATE TABLE attempt (
  seq INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL REFERENCES event (id),
  number INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  error TEXT,
  answer_head TEXT NOT NULL
) STRICT;
CREATE INDEX attempt_event ON attempt (event_id);
`
