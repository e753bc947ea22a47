// Everything a name authority stores, as rows that export and import carry between databases.
import type { AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../../authority/index.js'
import type { RowMapping } from '../sqlite/columns.js'
import {
  AUDIT,
  COOLDOWN,
  type Cooldown,
  GRANT,
  GRANT_SERIAL,
  type GrantSerial,
  NAME,
  OFFER,
  PAST_GRANT,
  type PastGrant,
  RESERVED,
  TRANSFER,
} from './tables.js'

/** What each kind of row is. Signed requests that were used are not carried: they expire within minutes. */
export interface RowKinds {
  readonly name: NameRecord
  readonly reserved: ReservedName
  readonly cooldown: Cooldown
  readonly grant: Grant
  readonly 'grant-serial': GrantSerial
  readonly 'past-grant': PastGrant
  readonly offer: Offer
  readonly transfer: Transfer
  readonly history: AuditEntry
}

export type RowKind = keyof RowKinds
export type NameRow = { readonly [K in RowKind]: { readonly kind: K; readonly value: RowKinds[K] } }[RowKind]

/** The table of a kind of row. */
interface Place<T> {
  readonly sqlTable: string
  readonly table: RowMapping<T>
  /** Columns that order them and tell them apart. */
  readonly key: readonly string[]
}

/** One database's tables. */
export type Places = { readonly [K in RowKind]: Place<RowKinds[K]> }

/** In the order of export and import: history first, then the current state. */
export const PLACES: Places = {
  history: { sqlTable: 'audit', table: AUDIT, key: ['seq'] },
  name: { sqlTable: 'name', table: NAME, key: ['name'] },
  reserved: { sqlTable: 'reserved', table: RESERVED, key: ['name'] },
  cooldown: { sqlTable: 'cooldown', table: COOLDOWN, key: ['pubkey'] },
  grant: { sqlTable: 'paid_grant', table: GRANT, key: ['seq'] },
  'grant-serial': { sqlTable: 'grant_serial', table: GRANT_SERIAL, key: ['pubkey', 'resource'] },
  'past-grant': { sqlTable: 'past_grant', table: PAST_GRANT, key: ['invoice_id'] },
  offer: { sqlTable: 'offer', table: OFFER, key: ['seq'] },
  transfer: { sqlTable: 'transfer', table: TRANSFER, key: ['offer_id'] },
}

export const ROW_KINDS = Object.keys(PLACES) as readonly RowKind[]

/** The column values of a row, in the order of its table. */
export function cellsOf<K extends RowKind>({ kind, value }: { readonly kind: K; readonly value: RowKinds[K] }) {
  const place: Place<RowKinds[K]> = PLACES[kind]
  return place.table.values(value)
}
