// A till in PostgreSQL that has run for a while: 10^5 invoices with their payments, webhook deliveries, attempts and messages.
import { NOON } from '../till-builders.js'
import type { PostgresNode } from './node.js'

export const INVOICES = 100_000
/** Between two invoices. */
export const STEP_MS = 60_000
/** Of the newest invoices, that many are open; of the newest events and letters, that many are pending. */
const OPEN = 500
export const FIRST_AT = NOON - INVOICES * STEP_MS

const IS_NEW = `n > ${INVOICES - OPEN}`
const AT = `${FIRST_AT}::bigint + n * ${STEP_MS}::bigint`
const bytes33 = (salt: string): string => `'\\x08'::bytea || sha256(('${salt}' || n)::bytea)`

const SEED = [
  `INSERT INTO till_user (id, rotate_interval, epoch, pubkey, rotated_at, created_at)
    SELECT 'user-' || n, nullif(n % 3, 0) * 3600, 0, sha256(('user' || n)::bytea), ${AT}, ${AT} FROM generate_series(1, 2000) AS n`,
  `INSERT INTO endpub (pubkey, user_id, epoch, created_at) SELECT pubkey, id, epoch, created_at FROM till_user`,
  `INSERT INTO invoice (id, token, status, amount, fiat, match_mode, order_ref, memo, match_key, recipient_pubkey, expires_at,
      requotes, created_at, paid_at, confirmed_at, payment_id, confirmations, pay_link, qr_svg)
    SELECT md5('invoice' || n), md5('token' || n),
      CASE WHEN ${IS_NEW} THEN 'open' WHEN n % 10 = 0 THEN 'expired' WHEN n % 50 = 1 THEN 'cancelled' ELSE 'confirmed' END,
      1000000000 + n, '{"amount":"' || n || '.50","currency":"eur","rate":"0.05","source":"x"}',
      (ARRAY['derived', 'memo', 'amount'])[1 + n % 3], 'order-' || n, 'coffee ' || n, md5('key' || n),
      sha256(('recipient' || n)::bytea), CASE WHEN ${IS_NEW} THEN NULL ELSE ${AT} + 900000 END,
      0, ${AT}, NULL, NULL, CASE WHEN ${IS_NEW} OR n % 10 = 0 OR n % 50 = 1 THEN NULL ELSE md5('payment' || n) END, 10,
      'https://pay.example/' || n, ''
    FROM generate_series(1, ${INVOICES}) AS n`,
  `INSERT INTO payment (id, invoice_id, user_id, amount, fee_fields, rail, settlement, s1_digest, key_index, commitment, excess,
      received_height, confirmations, created_at, confirmed_at, next_check_at, s2, reply)
    SELECT md5('payment' || n), CASE WHEN n % 10 <> 0 THEN md5('invoice' || n) END,
      CASE WHEN n % 10 = 0 AND n % 20 <> 0 THEN 'user-' || (1 + n % 2000) END, 1000000000 + n, 0, 'nostr',
      CASE WHEN ${IS_NEW} THEN 'replied' ELSE 'confirmed' END, '\\x00', n, ${bytes33('commitment')}, ${bytes33('excess')},
      n, 10, ${AT}, CASE WHEN ${IS_NEW} THEN NULL ELSE ${AT} + 600000 END, CASE WHEN ${IS_NEW} THEN ${NOON} END,
      '\\x00', ''
    FROM generate_series(1, ${INVOICES}) AS n`,
  // As the sweep leaves it.
  `WITH moved AS (DELETE FROM payment_total RETURNING settlement, count, amount)
    INSERT INTO payment_total (settlement, count, amount)
    SELECT settlement, sum(count), sum(amount) FROM moved GROUP BY settlement`,
  `INSERT INTO event (id, receiver, type, invoice_id, payment_id, line, created_at, state, attempts, next_attempt_at, failed, body)
    SELECT 'evt_' || md5('event' || n), receiver, 'payment.confirmed', md5('invoice' || n), md5('payment' || n), md5('invoice' || n),
      ${AT}, CASE WHEN ${IS_NEW} THEN 'pending' WHEN n % 1000 = 0 THEN 'abandoned' ELSE 'delivered' END, 1,
      CASE WHEN ${IS_NEW} THEN ${AT} END, CASE WHEN n % 100 = 0 THEN 1 ELSE 0 END, ''
    FROM generate_series(1, ${INVOICES}) AS n, generate_series(1, CASE WHEN ${IS_NEW} THEN 2 ELSE 1 END) AS receiver`,
  `INSERT INTO attempt (event_id, receiver, number, started_at, duration_ms, answer_head)
    SELECT id, receiver, 1, created_at, 20, 'ok' FROM event WHERE seq % 5 = 0`,
  `INSERT INTO letter (payment_id, kind, layout, state, created_at, attempts, next_attempt_at, accepted_by)
    SELECT md5('payment' || n), 'reply', 'plain', CASE WHEN ${IS_NEW} THEN 'pending' ELSE 'sent' END, ${AT}, 1,
      CASE WHEN ${IS_NEW} THEN ${AT} END, '[]' FROM generate_series(1, ${INVOICES}) AS n WHERE n % 5 = 0 OR ${IS_NEW}`,
  `INSERT INTO seen (id, at) SELECT sha256(('seen' || n)::bytea), ${AT} FROM generate_series(1, ${INVOICES}, 5) AS n`,
]

/** Fills a migrated schema. Takes some seconds; the standbys follow. */
export async function seedSales(primary: PostgresNode, schema: string): Promise<void> {
  for (const statement of SEED) await primary.sql(`SET search_path = ${schema}; ${statement}`)
  await primary.sql('VACUUM ANALYZE')
}
