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
