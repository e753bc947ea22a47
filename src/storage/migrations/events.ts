// The first schema of a relay's database: every event once as text, and index tables made of integers only (see events/keys.ts).
// Events up to number `indexed` have all their index rows, those up to `begun` perhaps some; `events` counts the former. A row of an index table may outlive its event; then `gone` holds the event's number until the row is taken away as well. A `deletion` refuses what its target
// names up to a time; `request` is how a command asks a running daemon.
export const eventSchema = `
CREATE TABLE event (
  seq INTEGER PRIMARY KEY,
  text BLOB NOT NULL,
  expires INTEGER
) STRICT;
CREATE TABLE by_id (prefix INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (prefix, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE by_time (place INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (place, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE by_kind (
  kind INTEGER NOT NULL, place INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (kind, place, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_author (
  author INTEGER NOT NULL, kind INTEGER NOT NULL, place INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (author, kind, place, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_tag (
  hash INTEGER NOT NULL, kind INTEGER NOT NULL, place INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (hash, kind, place, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE by_address (hash INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (hash, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE expiry (expires INTEGER NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (expires, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE deletion (target TEXT PRIMARY KEY, until INTEGER NOT NULL, seq INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE gone (seq INTEGER PRIMARY KEY, keys TEXT NOT NULL) STRICT;
CREATE TABLE progress (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  indexed INTEGER NOT NULL,
  begun INTEGER NOT NULL,
  events INTEGER NOT NULL
) STRICT;
INSERT INTO progress (only, indexed, begun, events) VALUES (1, 0, 0, 0);
CREATE TABLE request (
  id INTEGER PRIMARY KEY,
  body TEXT NOT NULL,
  answer TEXT
) STRICT;
CREATE TABLE meta (only INTEGER PRIMARY KEY CHECK (only = 1), checked_at INTEGER) STRICT;
INSERT INTO meta (only, checked_at) VALUES (1, NULL);
`

// Step 2 of a relay's database: marks are found by their deletion. Some name a version that the deletion does not name itself.
export const marksByDeletionSchema = `
CREATE INDEX deletion_seq ON deletion (seq);
`
