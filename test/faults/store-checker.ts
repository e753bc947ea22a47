// Looks at the file a killed till left, in plain SQL through a connection of its own: nothing here uses the store's verbs.
import { openSqlite, type Row, type Sqlite } from '../../src/storage/sqlite/sqlite.js'
import type { Acknowledged } from './store-acks.js'

/** Each must answer no row, whatever was acknowledged: transactions are whole or absent. */
const IMPOSSIBLE: Readonly<Record<string, string>> = {
  'a paid invoice without its payment': `SELECT i.id FROM invoice i WHERE i.status IN ('paid', 'confirmed')
    AND NOT EXISTS (SELECT 1 FROM payment p WHERE p.id = i.payment_id AND p.invoice_id = i.id)`,
  'an unpaid invoice that names a payment': `SELECT id FROM invoice WHERE status = 'open' AND payment_id IS NOT NULL`,
  'an invoice with two payments': `SELECT invoice_id FROM payment WHERE invoice_id IS NOT NULL
    AND settlement <> 'abandoned' GROUP BY invoice_id HAVING count(*) > 1`,
  'a payment whose invoice does not know it': `SELECT p.id FROM payment p JOIN invoice i ON i.id = p.invoice_id
    WHERE i.payment_id IS NOT p.id AND p.settlement <> 'abandoned'`,
  'a payment without exactly one received event': `SELECT p.id FROM payment p
    LEFT JOIN (SELECT payment_id, count(*) AS n FROM event WHERE type = 'payment.received' AND receiver = 1 GROUP BY payment_id) e
    ON e.payment_id = p.id WHERE e.n IS NOT 1`,
  'a confirmed payment without exactly one confirmed event': `SELECT p.id FROM payment p
    LEFT JOIN (SELECT payment_id, count(*) AS n FROM event WHERE type = 'payment.confirmed' AND receiver = 1 GROUP BY payment_id) e
    ON e.payment_id = p.id WHERE coalesce(e.n, 0) <> (p.settlement = 'confirmed')`,
  'a confirmed payment of an invoice that is not': `SELECT p.id FROM payment p JOIN invoice i ON i.id = p.invoice_id
    WHERE (p.settlement = 'confirmed') <> (i.status = 'confirmed')`,
  'an abandoned payment of a paid invoice': `SELECT p.id FROM payment p JOIN invoice i ON i.id = p.invoice_id
    WHERE p.settlement = 'abandoned' AND i.payment_id = p.id AND i.status <> 'expired'`,
  'two payments of one key': 'SELECT key_index FROM payment GROUP BY key_index HAVING count(*) > 1',
  'a key that is still to be handed out': `SELECT id FROM payment
    WHERE key_index >= (SELECT next_key_index FROM wallet)`,
  'one idempotency key, several invoices': `SELECT order_ref FROM invoice WHERE order_ref IS NOT NULL
    GROUP BY order_ref HAVING count(*) > 1`,
  'an idempotency key without its invoice': `SELECT key FROM idempotency k
    WHERE NOT EXISTS (SELECT 1 FROM invoice i WHERE i.id = k.invoice_id AND i.order_ref = k.key)`,
  'an event without its row for every receiver, or with two bodies': `SELECT id FROM event GROUP BY id
    HAVING count(*) <> (SELECT count(DISTINCT receiver) FROM event) OR count(DISTINCT body) <> 1`,
  'a delivered event without its try': `SELECT e.id FROM event e WHERE (e.state = 'delivered') <>
    (SELECT count(*) > 0 FROM attempt a WHERE a.event_id = e.id AND a.receiver = e.receiver)`,
  'a balance that does not add up': `SELECT t.settlement FROM payment_total t WHERE
    t.count <> (SELECT count(*) FROM payment p WHERE p.settlement = t.settlement)
    OR t.high * 4294967296 + t.low <> (SELECT total(amount) FROM payment p WHERE p.settlement = t.settlement)`,
  'an open slate that its invoice does not show': `SELECT s.id FROM invoice_slate s JOIN invoice i ON i.id = s.invoice_id
    WHERE s.state = 'open' AND (i.slate_id IS NOT s.id OR i.slatepack IS NULL OR i.payment_id IS NOT NULL)`,
  'an invoice that shows a slate which is over': `SELECT i.id FROM invoice i WHERE i.slatepack IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM invoice_slate s WHERE s.id = i.slate_id AND s.invoice_id = i.id AND s.state = 'open')`,
  'a finalized slate without its payment and transaction': `SELECT s.id FROM invoice_slate s WHERE s.state = 'finalized'
    AND NOT EXISTS (SELECT 1 FROM payment p JOIN push ON push.payment_id = p.id
      WHERE p.id = s.id AND p.invoice_id = s.invoice_id AND p.key_index = s.key_index)`,
  'a transaction whose slate is not finalized': `SELECT payment_id FROM push
    WHERE NOT EXISTS (SELECT 1 FROM invoice_slate s WHERE s.id = push.payment_id AND s.state = 'finalized')`,
  'a transaction that is pushed for nothing': `SELECT p.id FROM push JOIN payment p ON p.id = push.payment_id
    WHERE push.next_push_at IS NOT NULL AND p.settlement IN ('mined', 'confirmed', 'abandoned')`,
  'the key of a slate in another payment': `SELECT s.id FROM invoice_slate s JOIN payment p ON p.key_index = s.key_index
    WHERE p.id <> s.id`,
  'a payment over Nostr that owes no reply': `SELECT p.id FROM payment p WHERE p.rail = 'nostr'
    AND NOT EXISTS (SELECT 1 FROM letter l WHERE l.payment_id = p.id AND l.kind = 'reply')`,
  'a reply that a relay took of a payment not replied': `SELECT p.id FROM letter l JOIN payment p ON p.id = l.payment_id
    WHERE l.kind = 'reply' AND l.accepted_by <> '[]' AND p.settlement = 'received'`,
  'a broken reference': 'PRAGMA foreign_key_check',
}

/** What each acknowledgement claims: the query must answer exactly one row. */
function claimOf(ack: Acknowledged): readonly [sql: string, values: Row] | undefined {
  switch (ack.verb) {
    case 'open':
      return undefined
    case 'invoice':
      return ['SELECT 1 FROM invoice WHERE id = ?', [ack.id]]
    case 'once':
      return ['SELECT 1 FROM invoice WHERE order_ref = ?', [ack.orderRef]]
    case 'key':
      return ['SELECT 1 FROM wallet WHERE next_key_index > ?', [ack.index]]
    case 'paid':
      return [
        'SELECT 1 FROM payment p JOIN invoice i ON i.payment_id = p.id WHERE i.id = ? AND p.id = ? AND p.key_index = ?',
        [ack.invoice, ack.payment, ack.keyIndex],
      ]
    case 'unmatched':
      return ['SELECT 1 FROM payment WHERE id = ? AND key_index = ?', [ack.payment, ack.keyIndex]]
    case 'confirmed':
      return ["SELECT 1 FROM payment WHERE id = ? AND settlement = 'confirmed' AND confirmations = 10", [ack.payment]]
    case 'abandoned':
      return ["SELECT 1 FROM payment WHERE id = ? AND settlement = 'abandoned'", [ack.payment]]
    case 'delivered':
      return ["SELECT 1 FROM event WHERE id = ? AND receiver = 1 AND state = 'delivered'", [ack.event]]
    case 'issued':
      return ['SELECT 1 FROM invoice_slate WHERE id = ?', [ack.slate]]
    case 'posted':
      return ["SELECT 1 FROM letter WHERE payment_id = ? AND kind = 'reply' AND accepted_by <> '[]'", [ack.payment]]
    case 'seen':
      return ['SELECT 1 FROM seen WHERE id = unhex(?)', [ack.id]]
  }
}

/** Everything that is wrong with the file, given all that was ever acknowledged about it; empty when nothing is. */
export function findDamage(path: string, acks: readonly Acknowledged[]): readonly string[] {
  const db = openSqlite(path, 'reading')
  try {
    // Killed before the first migration: then nothing can have been acknowledged either.
    if (db.all('SELECT 1 FROM sqlite_schema').length === 0) return acks.map((ack) => `lost: ${JSON.stringify(ack)}`)
    return [...brokenFile(db), ...impossible(db), ...lost(db, acks), ...doubledKeys(acks)]
  } finally {
    db.close()
  }
}

const brokenFile = (db: Sqlite): readonly string[] =>
  db
    .all('PRAGMA integrity_check')
    .map(([text]) => String(text))
    .filter((text) => text !== 'ok')

const impossible = (db: Sqlite): readonly string[] =>
  Object.entries(IMPOSSIBLE).flatMap(([what, sql]) => db.all(sql).map(([id]) => `${what}: ${id}`))

const lost = (db: Sqlite, acks: readonly Acknowledged[]): readonly string[] =>
  acks.flatMap((ack) => {
    const claim = claimOf(ack)
    return claim === undefined || db.all(...claim).length === 1 ? [] : [`lost: ${JSON.stringify(ack)}`]
  })

function doubledKeys(acks: readonly Acknowledged[]): readonly string[] {
  const taken = acks.flatMap((ack) => (ack.verb === 'key' ? [ack.index] : []))
  const seen = new Set<number>()
  return taken.filter((index) => seen.size === seen.add(index).size).map((index) => `key ${index} handed out twice`)
}
