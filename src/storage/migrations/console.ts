// The tables of the console. Times are epoch milliseconds; of links and cookies there is the SHA-256 only, so the file opens nothing.

export const consoleSchema = `
CREATE TABLE link (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'cashier', 'operator')),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  spent_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX link_created ON link (created_at);

CREATE TABLE session (
  hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'cashier', 'operator')),
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  address TEXT NOT NULL,
  browser TEXT NOT NULL,
  ended_at INTEGER,
  ended_by TEXT,
  CHECK ((ended_at IS NULL) = (ended_by IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX session_open ON session (used_at) WHERE ended_at IS NULL;
CREATE INDEX session_used ON session (used_at);

-- What was begun, and how it ended: only added to. An entry without an end was under way when the daemon stopped.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  person TEXT NOT NULL,
  role TEXT CHECK (role IN ('viewer', 'cashier', 'operator')),
  session TEXT,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  details TEXT NOT NULL
) STRICT;
CREATE TABLE audit_end (
  seq INTEGER PRIMARY KEY REFERENCES audit (seq),
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_keeps_rows BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is never cut'); END;
CREATE TRIGGER audit_keeps_words BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
CREATE TRIGGER audit_end_keeps_rows BEFORE DELETE ON audit_end BEGIN SELECT RAISE(ABORT, 'the audit log is never cut'); END;
CREATE TRIGGER audit_end_keeps_words BEFORE UPDATE ON audit_end BEGIN SELECT RAISE(ABORT, 'the audit log is never changed'); END;
`

// Step 2 of the console's tables: people who sign in by passkey. Of a passkey there is its public half only.

export const passkeySchema = `
CREATE TABLE person (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('viewer', 'cashier', 'operator')),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE passkey (
  id BLOB PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 1023),
  person TEXT NOT NULL REFERENCES person (name),
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_person ON passkey (person);

-- What a link is for: signing in at once, or making a passkey first.
ALTER TABLE link ADD COLUMN purpose TEXT NOT NULL DEFAULT 'sign-in' CHECK (purpose IN ('sign-in', 'passkey'));
CREATE INDEX link_name ON link (name) WHERE spent_at IS NULL;
CREATE INDEX session_name ON session (name) WHERE ended_at IS NULL;
`
