// The payment rails: what is owed over Nostr, what was seen there, and the slates and transactions of the grin1 rail. The
// conventions are those of 001-till.ts. An invoice off the rails pays nothing for this: its new columns are NULL, which a row
// tells without being read to its end, and no index below has an entry for it while it is open.

export const railsSchema = `
ALTER TABLE invoice ADD COLUMN rail TEXT CHECK (rail IN ('grin1'));
ALTER TABLE invoice ADD COLUMN slate_id TEXT;
ALTER TABLE invoice ADD COLUMN slatepack TEXT;
CREATE UNIQUE INDEX invoice_slate_id ON invoice (slate_id) WHERE slate_id IS NOT NULL;
CREATE INDEX invoice_payable_rail ON invoice (amount, coalesce(expires_at, 9223372036854775807))
  WHERE status IN ('open', 'expired') AND payment_id IS NULL AND rail = 'grin1';
CREATE INDEX invoice_open_rail ON invoice (amount, created_at) WHERE status = 'open' AND rail = 'grin1';
-- From when on the slate of an invoice that shows one is to be closed.
CREATE INDEX invoice_slate_end ON invoice (
  CASE WHEN payment_id IS NOT NULL OR status = 'cancelled' THEN 0 ELSE coalesce(expires_at, 9223372036854775807) END
) WHERE slatepack IS NOT NULL;
-- A derived key has one invoice, so one index serves both the matcher and the lookup of an invoice by key.
DROP INDEX invoice_payable_recipient;
CREATE INDEX invoice_recipient ON invoice (recipient_pubkey) WHERE match_mode = 'derived';
-- When it ended, then the order in which keys are watched.
CREATE INDEX invoice_ended ON invoice (coalesce(expires_at, created_at), created_at)
  WHERE status IN ('expired', 'cancelled') AND match_mode = 'derived';

CREATE TABLE letter (
  seq INTEGER PRIMARY KEY,
  payment_id TEXT NOT NULL REFERENCES payment (id),
  kind TEXT NOT NULL CHECK (kind IN ('reply', 'thanks', 'merchant-received', 'merchant-confirmed')),
  layout TEXT NOT NULL CHECK (layout IN ('plain', 'json')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'given-up')),
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt_at INTEGER,
  -- A JSON list of relay addresses.
  accepted_by TEXT NOT NULL,
  last_error TEXT,
  wrap TEXT,
  UNIQUE (payment_id, kind),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK (wrap IS NULL OR state = 'pending')
) STRICT;
CREATE INDEX letter_due ON letter (next_attempt_at) WHERE state = 'pending';
CREATE INDEX letter_waiting ON letter (created_at) WHERE state = 'pending';

CREATE TABLE seen (
  id BLOB PRIMARY KEY CHECK (length(id) = 32),
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX seen_at ON seen (at);

-- key_index recreates the blinding of the output, also when the slate was never paid.
CREATE TABLE invoice_slate (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  invoice_id TEXT NOT NULL REFERENCES invoice (id),
  state TEXT NOT NULL CHECK (state IN ('open', 'finalized', 'closed')),
  amount INTEGER NOT NULL,
  key_index INTEGER NOT NULL UNIQUE CHECK (key_index BETWEEN 0 AND 2147483647),
  commitment BLOB NOT NULL CHECK (length(commitment) = 33),
  created_at INTEGER NOT NULL,
  sealed_secrets BLOB CHECK (sealed_secrets IS NULL OR state = 'open'),
  range_proof BLOB NOT NULL CHECK (length(range_proof) = 675)
) STRICT;
CREATE UNIQUE INDEX invoice_slate_open ON invoice_slate (invoice_id) WHERE state = 'open';

CREATE TABLE push (
  payment_id TEXT PRIMARY KEY REFERENCES payment (id),
  attempts INTEGER NOT NULL,
  next_push_at INTEGER,
  last_error TEXT,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX push_due ON push (next_push_at) WHERE next_push_at IS NOT NULL;
`
