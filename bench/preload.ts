// A database that has been in use for years: finished invoices in the past, every twentieth still open.
import { openSqlite } from '../src/storage/sqlite/sqlite.js'
import { DAY } from '../test/support/till-builders.js'

/** How many; GRINPAY_BENCH_PRELOAD sets another number for a quick look. */
export const PRELOAD = Number(process.env.GRINPAY_BENCH_PRELOAD ?? 1_000_000)

export const PRELOADED = PRELOAD === 1_000_000 ? 'a million invoices' : `${PRELOAD} invoices`

/** Into the file of a closed store. The codes are left out: they would be 8 GB, and no search reads them. */
export function preloadInvoices(path: string, count: number, now: number): void {
  const db = openSqlite(path, 'durable')
  db.script('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000')
  db.run(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO invoice (id, token, status, amount, match_mode, order_ref, recipient_pubkey, expires_at, requotes,
       created_at, confirmations, pay_link, qr_svg)
     SELECT lower(hex(randomblob(16))), lower(hex(randomblob(21))),
       CASE i % 20 WHEN 0 THEN 'open' WHEN 1 THEN 'expired' ELSE 'confirmed' END,
       2000000000, CASE i % 3 WHEN 0 THEN 'amount' ELSE 'derived' END, 'order-' || (9000000 + i), randomblob(32),
       ?2 + i * (i % 20 = 0) - i * (i % 20 <> 0), 0, ?2 - i * 1000, 10, 'goblin:nprofile1abc?amount=2', '<svg/>' FROM n`,
    [count, now + DAY],
  )
  db.script('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}
