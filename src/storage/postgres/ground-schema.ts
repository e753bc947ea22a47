// The tables that every service's schema has: they keep writes, leases and versions safe when several processes share it.

export const groundSchema = `
CREATE TABLE schema_version (
  step int PRIMARY KEY,
  service text NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);

-- A new connection commits one row here and waits for it: what is visible on it is then on a second machine.
CREATE TABLE barrier (
  id int PRIMARY KEY,
  at timestamptz NOT NULL
);

-- One row per transaction that changed something. After a connection was lost during its COMMIT, the row tells whether it took effect.
CREATE TABLE written (
  id uuid PRIMARY KEY,
  attempt int NOT NULL,
  at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX written_at ON written (at);

CREATE TABLE lease (
  name text COLLATE "C" PRIMARY KEY,
  holder uuid NOT NULL,
  epoch bigint NOT NULL,
  until timestamptz NOT NULL
);

-- The processes that use this schema, each with a row of its own that it renews while it runs.
CREATE TABLE instance (
  id uuid PRIMARY KEY,
  daemon text COLLATE "C" NOT NULL,
  version text COLLATE "C" NOT NULL,
  host text COLLATE "C" NOT NULL,
  -- By its own clock, in milliseconds.
  started bigint NOT NULL,
  -- By the clock of the database, and what its own clock said at that moment.
  seen timestamptz NOT NULL,
  clock bigint NOT NULL,
  -- A digest of each setting that has to be the same everywhere, of identity and seed; JSON, and no secrets.
  fingerprints text COLLATE "C" NOT NULL
);
`
