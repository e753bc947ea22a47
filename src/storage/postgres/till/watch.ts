// The one-time keys that the Nostr rail subscribes to, and the messages that it handled.
import { fromHex, toHex } from '../../../lib/bytes.js'
import type { SeenStore, WatchStore } from '../../../till/index.js'
import { ascendingPage, positionOf } from '../../paging.js'
import { hexCell, hexKey, integerCell, textCell } from '../../sqlite/columns.js'
import { readEndpub, readWatchedKey } from '../../till/watched-rows.js'
import type { Transactions } from '../transactions.js'
import { INVOICE } from './tables.js'

const KEY = 'recipient_pubkey, id, created_at, seq'
const NEXT = '(created_at, seq) > (?, ?) ORDER BY created_at, seq LIMIT ?'
const live = (status: string): string =>
  `(SELECT ${KEY} FROM invoice WHERE status = '${status}' AND match_mode = 'derived' AND ${NEXT})`

/**
 * One statement, so that an invoice that ends meanwhile is neither missed nor found twice. Those that ended lately are found first, from
 * their index: by their order alone the server would read every invoice that ever ended.
 */
const KEYS = `WITH ended AS MATERIALIZED (
    SELECT ${KEY} FROM invoice
    WHERE status IN ('expired', 'cancelled') AND match_mode = 'derived' AND coalesce(expires_at, created_at) >= ?
  )
  SELECT ${KEY} FROM (
    ${live('open')} UNION ALL ${live('paid')} UNION ALL (SELECT ${KEY} FROM ended WHERE ${NEXT})
  ) AS watched ORDER BY created_at, seq LIMIT ?`

const ENDPUBS = `SELECT endpub.pubkey, user_id, endpub.epoch, till_user.seq, endpub.epoch
  FROM till_user JOIN endpub ON user_id = till_user.id AND endpub.epoch BETWEEN till_user.epoch - ? AND till_user.epoch
  WHERE till_user.seq >= ? AND (till_user.seq > ? OR endpub.epoch > ?) ORDER BY till_user.seq, endpub.epoch LIMIT ?`

const BY_RECIPIENT = `SELECT ${INVOICE.columns} FROM invoice
  WHERE match_mode = 'derived' AND recipient_pubkey = ? ORDER BY seq LIMIT 1`
const ENDPUB = 'SELECT user_id, epoch FROM endpub WHERE pubkey = ?'

export function watchVerbs({ read }: Transactions): WatchStore {
  return {
    async invoiceKeysToWatch(closedSince, limit, cursor) {
      const [at, seq] = positionOf(cursor)
      const next = [at, seq, limit + 1]
      const rows = await read((db) => db.all(KEYS, [closedSince, ...next, ...next, ...next, limit + 1]))
      return ascendingPage(rows, limit, readWatchedKey)
    },
    async endpubsToWatch(overlap, limit, cursor) {
      const [seq, epoch] = positionOf(cursor)
      const rows = await read((db) => db.all(ENDPUBS, [overlap, seq, seq, epoch, limit + 1]))
      return ascendingPage(rows, limit, readEndpub)
    },
    invoiceByRecipient: (pubkey) =>
      read(async (db) => {
        const row = await db.get(BY_RECIPIENT, [hexKey(pubkey)])
        return row && INVOICE.read(row)
      }),
    endpubOf: (pubkey) =>
      read(async (db) => {
        const row = await db.get(ENDPUB, [hexKey(pubkey)])
        return row && { userId: textCell.read(row[0] ?? null), epoch: integerCell.read(row[1] ?? null) }
      }),
  }
}

/** In one order, so that two processes never wait for each other's rows. */
const MARK = `INSERT INTO seen (id, at) SELECT DISTINCT id, ?::bigint FROM unnest(?::bytea[]) AS id ORDER BY id
  ON CONFLICT (id) DO UPDATE SET at = greatest(seen.at, excluded.at)`
const SEEN = 'SELECT id FROM seen WHERE id = ANY(?::bytea[])'
const FORGET = 'DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE at < ? ORDER BY at LIMIT ?)'

/** Ids in hex as the text of an array of bytes. */
const arrayOf = (ids: readonly string[]): string => `{${ids.map((id) => `"\\\\x${id}"`).join(',')}}`

export function seenVerbs({ read, repeatable }: Transactions): SeenStore {
  return {
    async markSeen(ids, now) {
      const known = arrayOf(ids.map((id) => toHex(fromHex(id, 32, 'id'))))
      if (ids.length > 0) await repeatable((db) => db.run(MARK, [now, known]))
    },
    async seenOf(ids) {
      const keys = ids.filter((id) => hexKey(id) !== null)
      if (keys.length === 0) return new Set()
      const rows = await read((db) => db.all(SEEN, [arrayOf(keys)]))
      return new Set(rows.map(([id = null]) => hexCell.read(id)))
    },
    forgetSeen: (before, limit) => repeatable((db) => db.run(FORGET, [before, limit])),
  }
}
