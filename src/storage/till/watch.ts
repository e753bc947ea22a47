// The one-time keys that the Nostr rail subscribes to. A page reads watched keys only and skips finished invoices.
import { fromHex } from '../../lib/bytes.js'
import type { SeenStore, WatchStore } from '../../till/index.js'
import { ascendingPage, byPosition, positionOf } from '../paging.js'
import { hexKey, integerCell, textCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { INVOICE } from './tables.js'
import { readEndpub, readWatchedKey } from './watched-rows.js'

const KEY = 'recipient_pubkey, id, created_at, seq'
const liveKeys = (status: string): string => `SELECT ${KEY} FROM invoice INDEXED BY invoice_status
  WHERE status = '${status}' AND match_mode = 'derived' AND (created_at, seq) > (?1, ?2) ORDER BY created_at, seq LIMIT ?3`

/** Those that ended lately stand together in their index; the next of them by age are picked there, and only these are read. */
const ENDED_KEYS = `SELECT ${KEY} FROM invoice WHERE seq IN (
    SELECT seq FROM invoice INDEXED BY invoice_ended
    WHERE status IN ('expired', 'cancelled') AND match_mode = 'derived' AND coalesce(expires_at, created_at) >= ?4
      AND (created_at, seq) > (?1, ?2) ORDER BY created_at, seq LIMIT ?3
  ) ORDER BY created_at, seq`
const LIVE_KEYS = ['open', 'paid'].map(liveKeys)

const BY_RECIPIENT = `SELECT ${INVOICE.columns} FROM invoice INDEXED BY invoice_recipient
  WHERE match_mode = 'derived' AND recipient_pubkey = ? ORDER BY seq LIMIT 1`

const ENDPUBS = `SELECT endpub.pubkey, user_id, endpub.epoch, user.seq, endpub.epoch
  FROM user CROSS JOIN endpub ON user_id = user.id AND endpub.epoch BETWEEN user.epoch - ?4 AND user.epoch
  WHERE user.seq >= ?1 AND (user.seq > ?1 OR endpub.epoch > ?2) ORDER BY user.seq, endpub.epoch LIMIT ?3`

/** The verbs on one connection; none writes. */
export function watchVerbs(db: Sqlite): WatchStore {
  return {
    async invoiceKeysToWatch(closedSince, limit, cursor) {
      const after = positionOf(cursor)
      const live = LIVE_KEYS.flatMap((sql) => db.all(sql, [...after, limit + 1]))
      const ended = db.all(ENDED_KEYS, [...after, limit + 1, closedSince])
      return ascendingPage([...live, ...ended].sort(byPosition), limit, readWatchedKey)
    },
    async endpubsToWatch(overlap, limit, cursor) {
      const after = positionOf(cursor)
      const rows = db.all(ENDPUBS, [...after, limit + 1, overlap])
      return ascendingPage(rows, limit, readEndpub)
    },
    async invoiceByRecipient(pubkey) {
      const row = db.get(BY_RECIPIENT, [hexKey(pubkey)])
      return row && INVOICE.read(row)
    },
    async endpubOf(pubkey) {
      const row = db.get('SELECT user_id, epoch FROM endpub WHERE pubkey = ?', [hexKey(pubkey)])
      return row && { userId: textCell.read(row[0] ?? null), epoch: integerCell.read(row[1] ?? null) }
    },
  }
}

const MARK = 'INSERT INTO seen (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)'
const FORGET = 'DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE at < ? ORDER BY at LIMIT ?)'

/** The verbs on one connection; `write` runs those that change anything. */
export function seenVerbs(db: Sqlite, write: Write): SeenStore {
  return {
    markSeen: (ids, now) =>
      write(() => {
        for (const id of ids) db.run(MARK, [fromHex(id, 32, 'id'), now])
      }),
    seenOf: async (ids) => new Set(ids.filter((id) => db.get('SELECT 1 FROM seen WHERE id = ?', [hexKey(id)]))),
    forgetSeen: (before, limit) => write(() => db.run(FORGET, [before, limit])),
  }
}
