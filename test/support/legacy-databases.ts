// Databases as the authorities before this one left them: their tables (specification: names, 8), times in unix seconds, hex as text.
import { createPrivateFile } from '../../src/storage/sqlite/files.js'
import { openSqlite, type Row, type Sqlite } from '../../src/storage/sqlite/sqlite.js'
import { freshHex, NOON } from './till-builders.js'

/** 2026-07-01 12:00, in seconds. */
const NOON_SECONDS = NOON / 1000

const SEPARATE = `
CREATE TABLE names (name TEXT PRIMARY KEY, pubkey TEXT NOT NULL, created_at INTEGER NOT NULL, released_at INTEGER);
CREATE UNIQUE INDEX names_active ON names (pubkey) WHERE released_at IS NULL;
CREATE TABLE paid_grants (pubkey TEXT NOT NULL, resource TEXT NOT NULL, invoice_id TEXT NOT NULL, pay_url TEXT NOT NULL,
  amount_nanogrin INTEGER NOT NULL, status TEXT NOT NULL, created_at INTEGER NOT NULL, paid_at INTEGER, PRIMARY KEY (pubkey, resource));
CREATE TABLE offers (offer_id TEXT PRIMARY KEY, event_json TEXT NOT NULL, name TEXT NOT NULL, seller_pubkey TEXT NOT NULL,
  buyer_pubkey TEXT NOT NULL, price_nanogrin INTEGER NOT NULL, proof_address TEXT NOT NULL, expiration INTEGER NOT NULL,
  status TEXT NOT NULL, end_height INTEGER, state_changed_at INTEGER, created_at INTEGER NOT NULL);
CREATE TABLE transfers (offer_id TEXT PRIMARY KEY, name TEXT NOT NULL, seller_pubkey TEXT NOT NULL, buyer_pubkey TEXT NOT NULL,
  price_nanogrin INTEGER NOT NULL, kernel_excess TEXT NOT NULL UNIQUE, kernel_height INTEGER, claimed_at INTEGER NOT NULL);
`
/** More columns than anybody reads, among tables that have nothing to do with names. */
const INSIDE_RELAY = `
CREATE TABLE event (id INTEGER PRIMARY KEY, event_hash BLOB, content TEXT);
INSERT INTO event VALUES (1, x'00', 'hello');
CREATE TABLE name_claims (id INTEGER PRIMARY KEY, name TEXT UNIQUE, pubkey TEXT NOT NULL, created_at INTEGER NOT NULL,
  released_at INTEGER, "ip of ""x""" TEXT);
`
const OLDER = 'CREATE TABLE names (name TEXT, pubkey TEXT, created_at INTEGER)'

function madeBy(path: string, schema: string, fill: (db: Sqlite) => void): void {
  createPrivateFile(path)
  const db = openSqlite(path, 'durable')
  db.script(schema)
  fill(db)
  db.close()
}

const insert = (db: Sqlite, table: string, rows: readonly Row[]) => {
  for (const row of rows) db.run(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`, row)
}

/** alice (held), bob (released), carol (sold to a third key), a pending and a paid grant, a live and a consumed offer. */
export function separateAuthority(path: string) {
  const [alice, bob, carol, seller, payer, debtor] = Array.from({ length: 6 }, () => freshHex(64)) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const [live, sold, excess] = [freshHex(64), freshHex(64), freshHex(66)]
  const event = (id: string, pubkey: string) =>
    JSON.stringify({
      id,
      pubkey,
      created_at: NOON_SECONDS,
      kind: 3402,
      tags: [['name', 'x']],
      content: '',
      sig: '00'.repeat(64),
    })
  madeBy(path, SEPARATE, (db) => {
    insert(db, 'names', [
      ['alice', alice, NOON_SECONDS, null],
      ['bob', bob, NOON_SECONDS, NOON_SECONDS + 60],
      ['carol', carol, NOON_SECONDS, null],
    ])
    insert(db, 'paid_grants', [
      [payer, 'name', 'inv-paid', 'https://pay/1', 1_500_000_000, 'paid', NOON_SECONDS, NOON_SECONDS + 5],
      [debtor, 'write', 'inv-open', 'https://pay/2', 2n ** 62n, 'pending', NOON_SECONDS, null],
    ])
    insert(db, 'offers', [
      [
        live,
        event(live, alice),
        'alice',
        alice,
        bob,
        // 2^64 - 1 in a signed column.
        -1,
        'tgrin1live',
        NOON_SECONDS + 9,
        'live',
        null,
        NOON_SECONDS,
        NOON_SECONDS,
      ],
      [
        sold,
        event(sold, seller),
        'carol',
        seller,
        carol,
        0,
        'tgrin1SOLD',
        NOON_SECONDS,
        'consumed',
        77,
        null,
        NOON_SECONDS,
      ],
    ])
    insert(db, 'transfers', [[sold, 'carol', seller, carol, 0, excess, null, NOON_SECONDS + 7]])
  })
  return { alice, bob, carol, seller, payer, debtor, live, sold, excess }
}

/** `name_claims` in the middle of a relay's database. */
export function authorityInsideRelay(path: string, claims: readonly (readonly [name: string, pubkey: string])[]): void {
  madeBy(path, INSIDE_RELAY, (db) =>
    insert(
      db,
      'name_claims',
      claims.map(([name, pubkey], i) => [i + 10, name, pubkey, NOON_SECONDS, null, 'x']),
    ),
  )
}

/** Names and nothing else, not even a column for released ones. */
export function olderAuthority(path: string, claims: readonly (readonly [name: string, pubkey: string])[]): void {
  madeBy(path, OLDER, (db) =>
    insert(
      db,
      'names',
      claims.map(([name, pubkey]) => [name, pubkey, NOON_SECONDS]),
    ),
  )
}

/** A database that has nothing to do with names. */
export function otherProgram(path: string): void {
  madeBy(path, 'CREATE TABLE recipe (title TEXT)', () => undefined)
}
