// What the operator looks at.
import type { NameFilter, OperatorStore } from '../../authority/index.js'
import { endOfPrefix, type Order, readPage, when } from '../paging.js'
import { hexCell, hexKey, textCell } from '../sqlite/columns.js'
import type { Sqlite, SqlValue } from '../sqlite/sqlite.js'
import { AUDIT, GRANT, NAME, OFFER, RESERVED } from './tables.js'

export type ListVerbs = Pick<
  OperatorStore,
  'nameRecord' | 'listNames' | 'listReserved' | 'listOffers' | 'listGrants' | 'idsLike' | 'history'
>

const STATES = {
  active: 'released_at IS NULL',
  released: 'released_at IS NOT NULL',
  suspended: 'suspended_at IS NOT NULL',
} as const

/** Two partial indexes together cover every row of a key. */
const OF_KEY = `name IN (
  SELECT name FROM name INDEXED BY name_of_key WHERE pubkey = ? AND released_at IS NULL
  UNION ALL SELECT name FROM name INDEXED BY name_former_key WHERE pubkey = ? AND released_at IS NOT NULL)`

const BY_NAME: Order = {
  columns: ['name'],
  next: '>',
  parse: (cursor) => (cursor.length > 0 && cursor.length <= 255 ? [cursor] : undefined),
}

const NEWEST_LINE: Order = {
  columns: ['seq'],
  next: '<',
  parse: (cursor) => (/^\d{1,16}$/.test(cursor) ? [BigInt(cursor)] : undefined),
}

const GRANT_IDS =
  'SELECT invoice_id FROM paid_grant WHERE invoice_id >= ? AND invoice_id < ? ORDER BY invoice_id LIMIT ?'
/** Bytes: a prefix of an odd number of digits ends within one. */
const OFFER_IDS = 'SELECT id FROM offer WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?'

/** The verbs on one connection. */
export function listVerbs(db: Sqlite): ListVerbs {
  return {
    async nameRecord(name) {
      const row = db.get(`SELECT ${NAME.columns} FROM name WHERE name = ?`, [name])
      return row && NAME.read(row)
    },
    listNames: async (filter, limit, cursor) => {
      const source = { table: NAME, from: namesFor(filter), where: wantedNames(filter), order: BY_NAME }
      return readPage(db, source, { limit, cursor })
    },
    listReserved: async (limit, cursor) =>
      readPage(db, { table: RESERVED, from: 'reserved', order: BY_NAME }, { limit, cursor }),
    listOffers: async ({ status, name }, limit, cursor) => {
      const where = [when('status = ?', status), when('name = ?', name)]
      return readPage(db, { table: OFFER, from: 'offer', where }, { limit, cursor })
    },
    listGrants: async ({ status, pubkey }, limit, cursor) => {
      const where = [when('status = ?', status), when('pubkey = ?', key(pubkey))]
      return readPage(db, { table: GRANT, from: 'paid_grant', where }, { limit, cursor })
    },
    async idsLike(kind, prefix, limit) {
      if (kind === 'grant')
        return db.all(GRANT_IDS, [prefix, endOfPrefix(prefix), limit]).map(([id = null]) => textCell.read(id))
      const ends = [hexKey(prefix.padEnd(64, '0')), hexKey(prefix.padEnd(64, 'f'))]
      return db.all(OFFER_IDS, [...ends, limit]).map(([id = null]) => hexCell.read(id))
    },
    history: async ({ name, pubkey }, limit, cursor) => {
      const where = [when('name = ?', name), when('pubkey = ?', key(pubkey))]
      return readPage(db, { table: AUDIT, from: 'audit', where, order: NEWEST_LINE }, { limit, cursor })
    },
  }
}

/** Absent stays absent; what is no key equals nothing. */
const key = (pubkey: string | undefined): SqlValue | undefined => (pubkey === undefined ? undefined : hexKey(pubkey))

/** Without the name of the index, SQLite would read released names too: they are in the same order. */
const namesFor = ({ status, pubkey }: NameFilter): string =>
  status === 'active' && pubkey === undefined ? 'name INDEXED BY name_held' : 'name'

function wantedNames({ status, pubkey, prefix }: NameFilter) {
  const of: SqlValue | undefined = key(pubkey)
  return [
    status && ([STATES[status]] as const),
    of === undefined ? undefined : ([OF_KEY, of, of] as const),
    // Names are ASCII, so whatever begins with the prefix is before the prefix and the highest letter there is.
    prefix ? (['name >= ? AND name < ?', prefix, endOfPrefix(prefix)] as const) : undefined,
  ]
}
