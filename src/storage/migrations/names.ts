// The tables of a name authority. Times are epoch milliseconds, except `expiration`, which the seller signed in seconds; keys,
// hashes and ids of events are bytes; prices are u64 in a signed column (see 001-till.ts).
// What has to be unique is unique here, not only in the verbs: one active name per key, one sale per kernel, one use per signed request.

export const nameSchema = `
CREATE TABLE meta (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  checked_at INTEGER NOT NULL
) STRICT;
INSERT INTO meta (id, checked_at) VALUES (1, 0);

-- A released row stays until the next claim of the name.
CREATE TABLE name (
  name TEXT PRIMARY KEY CHECK (name <> ''),
  skeleton TEXT NOT NULL,
  pubkey BLOB NOT NULL CHECK (length(pubkey) = 32),
  created_at INTEGER NOT NULL,
  released_at INTEGER,
  suspended_at INTEGER,
  CHECK (released_at IS NULL OR suspended_at IS NULL)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX name_of_key ON name (pubkey) WHERE released_at IS NULL;
-- The second column is always the same, and spares a search that only wants names the look at their rows.
CREATE INDEX name_skeleton ON name (skeleton, released_at) WHERE released_at IS NULL;
CREATE INDEX name_former_key ON name (pubkey) WHERE released_at IS NOT NULL;
CREATE INDEX name_released ON name (name) WHERE released_at IS NOT NULL;
CREATE INDEX name_suspended ON name (name) WHERE suspended_at IS NOT NULL;

CREATE TABLE reserved (
  name TEXT PRIMARY KEY CHECK (name <> ''),
  skeleton TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX reserved_skeleton ON reserved (skeleton);

CREATE TABLE cooldown (
  pubkey BLOB PRIMARY KEY CHECK (length(pubkey) = 32),
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX cooldown_until ON cooldown (until);

-- Ids of the signed requests that were used.
CREATE TABLE auth (
  id BLOB PRIMARY KEY CHECK (length(id) = 32),
  forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX auth_forget ON auth (forget_at);

CREATE TABLE paid_grant (
  seq INTEGER PRIMARY KEY,
  pubkey BLOB NOT NULL CHECK (length(pubkey) = 32),
  resource TEXT NOT NULL CHECK (resource IN ('name', 'write')),
  serial INTEGER NOT NULL,
  invoice_id TEXT NOT NULL UNIQUE,
  pay_url TEXT NOT NULL,
  amount INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'paid')),
  created_at INTEGER NOT NULL,
  paid_at INTEGER,
  UNIQUE (pubkey, resource),
  CHECK ((status = 'paid') = (paid_at IS NOT NULL))
) STRICT;
CREATE INDEX paid_grant_created ON paid_grant (created_at);
CREATE INDEX paid_grant_status ON paid_grant (status, created_at);

-- The highest serial ever used; outlives the grants, which are deleted when they are spent.
CREATE TABLE grant_serial (
  pubkey BLOB NOT NULL,
  resource TEXT NOT NULL,
  serial INTEGER NOT NULL,
  PRIMARY KEY (pubkey, resource)
) STRICT, WITHOUT ROWID;

-- Invoices whose grant is gone: spent, replaced or voided. An import never brings them back.
CREATE TABLE past_grant (
  invoice_id TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TRIGGER paid_grant_gone AFTER DELETE ON paid_grant BEGIN
  INSERT OR IGNORE INTO past_grant (invoice_id) VALUES (OLD.invoice_id);
END;

CREATE TABLE offer (
  seq INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
  name TEXT NOT NULL,
  seller BLOB NOT NULL CHECK (length(seller) = 32),
  buyer BLOB NOT NULL CHECK (length(buyer) = 32),
  price INTEGER NOT NULL,
  proof_address TEXT NOT NULL,
  expiration INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('live', 'consumed', 'revoked', 'expired')),
  end_height INTEGER,
  state_changed_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  event TEXT NOT NULL
) STRICT;
CREATE INDEX offer_created ON offer (created_at);
CREATE INDEX offer_status ON offer (status, created_at);
CREATE INDEX offer_name ON offer (name, created_at);
CREATE INDEX offer_live_name ON offer (name, expiration) WHERE status = 'live';
CREATE INDEX offer_live_address ON offer (proof_address, expiration) WHERE status = 'live';
CREATE INDEX offer_live_end ON offer (expiration) WHERE status = 'live';

CREATE TABLE transfer (
  offer_id BLOB PRIMARY KEY CHECK (length(offer_id) = 32),
  name TEXT NOT NULL,
  seller BLOB NOT NULL,
  buyer BLOB NOT NULL,
  price INTEGER NOT NULL,
  kernel_excess BLOB NOT NULL UNIQUE CHECK (length(kernel_excess) = 33),
  kernel_height INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Every change that was ever made; only added to.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  name TEXT,
  pubkey BLOB,
  reason TEXT
) STRICT;
CREATE INDEX audit_name ON audit (name) WHERE name IS NOT NULL;
CREATE INDEX audit_key ON audit (pubkey) WHERE pubkey IS NOT NULL;
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the history is never cut'); END;
CREATE TRIGGER audit_keeps_words BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the history is never changed'); END;
`

// Step 2 of a name authority's tables: the held names in their order, so that a page of them passes over no released one.

export const heldNamesSchema = `
CREATE INDEX name_held ON name (name) WHERE released_at IS NULL;
`
