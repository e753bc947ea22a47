// The one-time keys that the Nostr rail subscribes to. A page reads watched keys only and skips finished invoices.
import type { WatchStore } from '../../till/index.js'
import { sql } from '../dialect.js'
import { ascendingPage, byPosition, positionOf } from '../paging.js'
import { hexCell, hexKey, integerCell, textCell } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'
import { all, one, type Runner, type Verb } from '../verbs.js'
import { INVOICE } from './tables.js'

const KEY = 'recipient_pubkey, id, created_at, seq'
const NEXT = '(created_at, seq) > (?, ?) ORDER BY created_at, seq LIMIT ?'
const live = (status: string, by: string): string => `SELECT ${KEY} FROM invoice ${by}
  WHERE status = '${status}' AND match_mode = 'derived' AND ${NEXT}`
const ENDED = "status IN ('expired', 'cancelled') AND match_mode = 'derived' AND coalesce(expires_at, created_at) >= ?"

/**
 * In a file, one list after the other: nothing changes between them. Those that ended lately stand together in their index; the next of them by
 * age are picked there, and only these are read.
 */
const LIVE_KEYS = ['open', 'paid'].map((status) => sql(({ by }) => live(status, by('invoice_status'))))
const ENDED_KEYS = sql(
  ({ by }) => `SELECT ${KEY} FROM invoice WHERE seq IN (
    SELECT seq FROM invoice ${by('invoice_ended')} WHERE ${ENDED} AND ${NEXT}
  ) ORDER BY created_at, seq`,
)

/** The keys that a page shows, in their order, and one more when there is a next page. */
type KeysToWatch = (closedSince: number, limit: number, after: readonly [bigint, bigint]) => Verb<readonly Row[]>

/** In a file. */
export function* keysInLists(...[closedSince, limit, after]: Parameters<KeysToWatch>): Verb<readonly Row[]> {
  const rows: Row[] = []
  for (const keys of LIVE_KEYS) rows.push(...(yield* all(keys, [...after, limit + 1])))
  rows.push(...(yield* all(ENDED_KEYS, [closedSince, ...after, limit + 1])))
  return rows.sort(byPosition)
}

/**
 * In PostgreSQL, one statement, so that an invoice that ends meanwhile is neither missed nor found twice. Those that ended lately are found first,
 * from their index: by their order alone the server would read every invoice that ever ended.
 */
const KEYS = `WITH ended AS MATERIALIZED (SELECT ${KEY} FROM invoice WHERE ${ENDED})
  SELECT ${KEY} FROM (
    (${live('open', '')}) UNION ALL (${live('paid', '')}) UNION ALL (SELECT ${KEY} FROM ended WHERE ${NEXT})
  ) AS watched ORDER BY created_at, seq LIMIT ?`

export function keysAtOnce(...[closedSince, limit, after]: Parameters<KeysToWatch>): Verb<readonly Row[]> {
  const next = [...after, limit + 1]
  return all(KEYS, [closedSince, ...next, ...next, ...next, limit + 1])
}

const ENDPUBS = sql(
  ({ either, users }) => `SELECT endpub.pubkey, user_id, endpub.epoch, ${users}.seq, endpub.epoch
  FROM ${users} ${either('CROSS JOIN', 'JOIN')} endpub
    ON user_id = ${users}.id AND endpub.epoch BETWEEN ${users}.epoch - ? AND ${users}.epoch
  WHERE ${users}.seq >= ? AND (${users}.seq > ? OR endpub.epoch > ?) ORDER BY ${users}.seq, endpub.epoch LIMIT ?`,
)
const ENDPUB = 'SELECT user_id, epoch FROM endpub WHERE pubkey = ?'
const BY_RECIPIENT = sql(
  ({ by }) => `SELECT ${INVOICE.columns} FROM invoice ${by('invoice_recipient')}
  WHERE match_mode = 'derived' AND recipient_pubkey = ? ORDER BY seq LIMIT 1`,
)

export const watchVerbs = ({ read }: Runner, keysToWatch: KeysToWatch): WatchStore => ({
  async invoiceKeysToWatch(closedSince, limit, cursor) {
    const after = positionOf(cursor)
    return ascendingPage(await read(() => keysToWatch(closedSince, limit, after)), limit, readWatchedKey)
  },
  async endpubsToWatch(overlap, limit, cursor) {
    const [seq, epoch] = positionOf(cursor)
    return ascendingPage(await read(() => all(ENDPUBS, [overlap, seq, seq, epoch, limit + 1])), limit, readEndpub)
  },
  invoiceByRecipient: (pubkey) => read(() => one(BY_RECIPIENT, [hexKey(pubkey)], INVOICE.read)),
  endpubOf: (pubkey) =>
    read(() =>
      one(ENDPUB, [hexKey(pubkey)], ([userId = null, epoch = null]) => ({
        userId: textCell.read(userId),
        epoch: integerCell.read(epoch),
      })),
    ),
})

const readWatchedKey = ([pubkey = null, id = null]: Row): { pubkey: string; invoiceId: string } => ({
  pubkey: hexCell.read(pubkey),
  invoiceId: textCell.read(id),
})

const readEndpub = ([pubkey = null, userId = null, epoch = null]: Row): {
  pubkey: string
  userId: string
  epoch: number
} => ({
  pubkey: hexCell.read(pubkey),
  userId: textCell.read(userId),
  epoch: integerCell.read(epoch),
})
