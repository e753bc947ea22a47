// The database of a till after a year of sales: invoices, their payments, events and attempts, spread evenly over the year.
import { openSqlite } from '../src/storage/sqlite/sqlite.js'
import { DAY } from '../test/support/till-builders.js'

const YEAR = 365 * DAY

/** Every twentieth is open, every twentieth expired; the others are confirmed. */
const STATUS = "CASE i % 20 WHEN 0 THEN 'open' WHEN 1 THEN 'expired' ELSE 'confirmed' END"
const NUMBERS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)'

/** Statements with `?1` invoices, `?2` now, `?3` the milliseconds between two. The codes are left out: no page of the console reads them. */
const STEPS: readonly string[] = [
  `${NUMBERS}
   INSERT INTO invoice (seq, id, token, status, amount, fiat, match_mode, order_ref, memo, recipient_pubkey, expires_at, requotes,
     created_at, paid_at, confirmed_at, confirmations, pay_link, qr_svg)
   SELECT i, lower(hex(randomblob(16))), lower(hex(randomblob(21))), ${STATUS}, 1000000000 + (i * 7919007) % 90000000000,
     iif(i % 2, '{"amount":"' || (i % 400) || '.50","currency":"usd","rate":"0.0831","source":"coingecko"}', NULL),
     'derived', 'order-' || (9000000 + i), 'two coffees and a croissant, table ' || (i % 40), randomblob(32),
     iif(i % 20 = 0, ?2 + ${DAY}, ?2 - (?1 - i) * ?3 + 900000), 0, ?2 - (?1 - i) * ?3,
     iif(i % 20 > 1, ?2 - (?1 - i) * ?3 + 60000, NULL), iif(i % 20 > 1, ?2 - (?1 - i) * ?3 + 600000, NULL),
     iif(i % 20 > 1, 10, 0), 'goblin:nprofile1abc?amount=2', '<svg/>' FROM n`,
  `INSERT INTO payment (seq, id, invoice_id, amount, fee_fields, rail, settlement, s1_digest, key_index, commitment, excess,
     received_height, mined_height, confirmations, created_at, mined_at, confirmed_at, s2, reply)
   SELECT seq, substr(id, 1, 8) || '-' || substr(id, 9, 4) || '-4' || substr(id, 14, 3) || '-a' || substr(id, 18, 3) || '-' || substr(id, 21),
     id, amount, 12500000, iif(seq % 3, 'nostr', 'slatepack'), 'confirmed', randomblob(32), seq, randomblob(33), randomblob(33),
     2000000 + seq, 2000001 + seq, 10, created_at + 30000, created_at + 90000, min(confirmed_at, ?2), randomblob(300), hex(randomblob(200))
   FROM invoice WHERE status = 'confirmed'`,
  `UPDATE invoice SET payment_id = (SELECT id FROM payment WHERE payment.seq = invoice.seq) WHERE status = 'confirmed'`,
  // What waits for an invoice.
  `UPDATE payment SET invoice_id = NULL WHERE seq % 20000 = 7`,
  ...['received', 'confirmed'].map(
    (
      type,
    ) => `INSERT INTO event (id, receiver, type, invoice_id, payment_id, line, created_at, state, attempts, next_attempt_at,
       last_error, failed, body)
     SELECT lower(hex(randomblob(16))), 1, 'payment.${type}', invoice_id, id, coalesce(invoice_id, id), ${type === 'received' ? 'created_at' : 'confirmed_at'},
       iif(seq % 5000 = 2, 'abandoned', 'delivered'), iif(seq % 5000 = 2, 12, 1), NULL, iif(seq % 5000 = 2, 'HTTP 500', NULL),
       seq % 50 = 2, hex(randomblob(200)) FROM payment`,
  ),
  `INSERT INTO attempt (event_id, receiver, number, started_at, duration_ms, http_status, error, answer_head)
   SELECT id, 1, 1, created_at + 5, 40, iif(state = 'delivered', 200, 500), iif(state = 'delivered', NULL, 'HTTP 500'), 'ok' FROM event`,
  `INSERT INTO letter (payment_id, kind, layout, state, created_at, attempts, accepted_by)
   SELECT id, 'reply', 'plain', 'sent', created_at, 1, '["wss://relay.one.example"]' FROM payment WHERE rail = 'nostr'`,
  'UPDATE wallet SET next_key_index = ?1 + 1',
]

/** Fills the file of a closed store. Times end at `now`. */
export function preloadSales(path: string, count: number, now: number): void {
  const db = openSqlite(path, 'durable')
  db.script('PRAGMA synchronous = OFF; PRAGMA cache_size = -800000; PRAGMA foreign_keys = OFF; BEGIN')
  const values = [count, now, Math.floor(YEAR / count)]
  for (const step of STEPS) db.run(step, values.slice(0, Math.max(0, ...placesOf(step))))
  db.script('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

const placesOf = (sql: string): readonly number[] => [...sql.matchAll(/\?(\d)/g)].map(([, place]) => Number(place))
