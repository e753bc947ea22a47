// What the operator looks at.
import type { NameFilter, NameRecord, OperatorStore } from '../../authority/index.js'
import { type Sql, sql } from '../dialect.js'
import { endOfPrefix, type Order, readPage, type Source, when } from '../paging.js'
import { hexCell, hexKey, textCell } from '../sqlite/columns.js'
import type { SqlValue } from '../sqlite/sqlite.js'
import { many, one, type Runner, type Verb } from '../verbs.js'
import { AUDIT, GRANT, NAME, OFFER, RESERVED } from './tables.js'

export type ListVerbs = Pick<
  OperatorStore,
  'nameRecord' | 'listNames' | 'listReserved' | 'listOffers' | 'listGrants' | 'idsLike' | 'history'
>

const BY_NAME = `SELECT ${NAME.columns} FROM name WHERE name = ?`

export const listVerbs = ({ read }: Runner): ListVerbs => ({
  nameRecord: (name) => read(() => one(BY_NAME, [name], NAME.read)),
  listNames: (filter, limit, cursor) => read(() => readPage(namesBy(filter), { limit, cursor })),
  listReserved: (limit, cursor) => read(() => readPage(RESERVED_NAMES, { limit, cursor })),
  listOffers: ({ status, name }, limit, cursor) =>
    read(() => {
      const where = [when('status = ?', status), when('name = ?', name)]
      return readPage({ table: OFFER, from: 'offer', where }, { limit, cursor })
    }),
  listGrants: ({ status, pubkey }, limit, cursor) =>
    read(() => {
      const where = [when('status = ?', status), when('pubkey = ?', key(pubkey))]
      return readPage({ table: GRANT, from: 'paid_grant', where }, { limit, cursor })
    }),
  idsLike: (kind, prefix, limit) => read(() => (kind === 'grant' ? grantIds(prefix, limit) : offerIds(prefix, limit))),
  history: ({ name, pubkey }, limit, cursor) =>
    read(() => {
      const where = [when('name = ?', name), when('pubkey = ?', key(pubkey))]
      return readPage({ table: AUDIT, from: 'audit', where, order: NEWEST_LINE }, { limit, cursor })
    }),
})

const STATES = {
  active: 'released_at IS NULL',
  released: 'released_at IS NOT NULL',
  suspended: 'suspended_at IS NOT NULL',
} as const

const BY_THEIR_NAMES: Order = {
  columns: ['name'],
  next: '>',
  parse: (cursor) => (cursor.length > 0 && cursor.length <= 255 ? [cursor] : undefined),
}

const NEWEST_LINE: Order = {
  columns: ['seq'],
  next: '<',
  parse: (cursor) => (/^\d{1,16}$/.test(cursor) ? [BigInt(cursor)] : undefined),
}

const RESERVED_NAMES = { table: RESERVED, from: 'reserved', order: BY_THEIR_NAMES }

/** Two partial indexes together cover every row of a key, which is bound twice. */
const OF_KEY = sql(
  ({ by }) => `name IN (
  SELECT name FROM name ${by('name_of_key')} WHERE pubkey = ? AND released_at IS NULL
  UNION ALL SELECT name FROM name ${by('name_former_key')} WHERE pubkey = ? AND released_at IS NOT NULL)`,
)

/** Without the name of the index, SQLite would read released names too: they are in the same order. */
const HELD = sql(({ by }) => `name ${by('name_held')}`)
const namesFor = ({ status, pubkey }: NameFilter): Sql => (status === 'active' && pubkey === undefined ? HELD : 'name')

function namesBy(filter: NameFilter): Source<NameRecord> {
  const { status, pubkey, prefix } = filter
  const of = key(pubkey)
  const where = [
    status && ([STATES[status]] as const),
    of === undefined ? undefined : ([OF_KEY, of, of] as const),
    // Names are ASCII, so whatever begins with the prefix is before the prefix and the highest letter there is.
    prefix ? (['name >= ? AND name < ?', prefix, endOfPrefix(prefix)] as const) : undefined,
  ]
  return { table: NAME, from: namesFor(filter), where, order: BY_THEIR_NAMES }
}

const GRANT_IDS =
  'SELECT invoice_id FROM paid_grant WHERE invoice_id >= ? AND invoice_id < ? ORDER BY invoice_id LIMIT ?'
/** Bytes: a prefix of an odd number of digits ends within one. */
const OFFER_IDS = 'SELECT id FROM offer WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?'

const grantIds = (prefix: string, limit: number): Verb<readonly string[]> =>
  many(GRANT_IDS, [prefix, endOfPrefix(prefix), limit], ([id = null]) => textCell.read(id))

const offerIds = (prefix: string, limit: number): Verb<readonly string[]> =>
  many(OFFER_IDS, [hexKey(prefix.padEnd(64, '0')), hexKey(prefix.padEnd(64, 'f')), limit], ([id = null]) =>
    hexCell.read(id),
  )

/** Absent stays absent; what is no key equals nothing. */
const key = (pubkey: string | undefined): SqlValue | undefined => (pubkey === undefined ? undefined : hexKey(pubkey))
