// The lists of the operator as data: which rows, in which order. Both kinds of database read their pages from it.
import type {
  AuditEntry,
  Grant,
  NameFilter,
  NameRecord,
  Offer,
  OperatorStore,
  ReservedName,
} from '../../authority/index.js'
import { endOfPrefix, type Order, type Source, when } from '../paging.js'
import { hexKey, type RowMapping } from '../sqlite/columns.js'
import type { SqlValue } from '../sqlite/sqlite.js'
import { AUDIT, NAME, RESERVED } from './tables.js'

const STATES = {
  active: 'released_at IS NULL',
  released: 'released_at IS NOT NULL',
  suspended: 'suspended_at IS NOT NULL',
} as const

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

/** `ofKey`: the condition for all rows of a key, which is bound twice. */
export function namesSource({ status, pubkey, prefix }: NameFilter, ofKey: string): Source<NameRecord> {
  const of = key(pubkey)
  const where = [
    status && ([STATES[status]] as const),
    of === undefined ? undefined : ([ofKey, of, of] as const),
    // Names are ASCII, so whatever begins with the prefix is before the prefix and the highest letter there is.
    prefix ? (['name >= ? AND name < ?', prefix, endOfPrefix(prefix)] as const) : undefined,
  ]
  return { table: NAME, from: 'name', where, order: BY_NAME }
}

export const RESERVED_SOURCE: Source<ReservedName> = { table: RESERVED, from: 'reserved', order: BY_NAME }

type FilterOf<Verb extends 'listOffers' | 'listGrants' | 'history'> = Parameters<OperatorStore[Verb]>[0]

export const offersSource = ({ status, name }: FilterOf<'listOffers'>, table: RowMapping<Offer>): Source<Offer> => ({
  table,
  from: 'offer',
  where: [when('status = ?', status), when('name = ?', name)],
})

export const grantsSource = ({ status, pubkey }: FilterOf<'listGrants'>, table: RowMapping<Grant>): Source<Grant> => ({
  table,
  from: 'paid_grant',
  where: [when('status = ?', status), when('pubkey = ?', key(pubkey))],
})

export const historySource = ({ name, pubkey }: FilterOf<'history'>): Source<AuditEntry> => ({
  table: AUDIT,
  from: 'audit',
  where: [when('name = ?', name), when('pubkey = ?', key(pubkey))],
  order: NEWEST_LINE,
})

/** Ids that begin with a prefix; bound to the two ends that `grantIdEnds` or `offerIdEnds` give, and to the limit. */
export const GRANT_IDS =
  'SELECT invoice_id FROM paid_grant WHERE invoice_id >= ? AND invoice_id < ? ORDER BY invoice_id LIMIT ?'
/** Bytes: a prefix of an odd number of digits ends within one. */
export const OFFER_IDS = 'SELECT id FROM offer WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?'
export const grantIdEnds = (prefix: string): readonly SqlValue[] => [prefix, endOfPrefix(prefix)]
export const offerIdEnds = (prefix: string): readonly SqlValue[] => [
  hexKey(prefix.padEnd(64, '0')),
  hexKey(prefix.padEnd(64, 'f')),
]

/** Absent stays absent; what is no key equals nothing. */
const key = (pubkey: string | undefined): SqlValue | undefined => (pubkey === undefined ? undefined : hexKey(pubkey))
