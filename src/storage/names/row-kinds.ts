// Everything a name authority stores, as rows that export and import carry between databases.
import type { AuditEntry, Grant, NameRecord, Offer, ReservedName, Transfer } from '../../authority/index.js'
import type { RowMapping, StoredTable } from '../sqlite/columns.js'
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
type Place<T> = StoredTable & { readonly row: RowMapping<T> }

const place = <T>(
  table: string,
  key: readonly string[],
  row: RowMapping<T>,
  besides: StoredTable['columns'] = {},
): Place<T> => ({ table, key, row, columns: { ...besides, ...row.types } })

const [SEQ, SKELETON] = [{ seq: 'integer' }, { skeleton: 'text' }] as const

/** In the order of export and import: history first, then the current state. */
export const PLACES: { readonly [K in RowKind]: Place<RowKinds[K]> } = {
  history: place('audit', ['seq'], AUDIT),
  name: place('name', ['name'], NAME, SKELETON),
  reserved: place('reserved', ['name'], RESERVED, SKELETON),
  cooldown: place('cooldown', ['pubkey'], COOLDOWN),
  grant: place('paid_grant', ['seq'], GRANT, SEQ),
  'grant-serial': place('grant_serial', ['pubkey', 'resource'], GRANT_SERIAL),
  'past-grant': place('past_grant', ['invoice_id'], PAST_GRANT),
  offer: place('offer', ['seq'], OFFER, SEQ),
  transfer: place('transfer', ['offer_id'], TRANSFER),
}

const EXPORTED: readonly StoredTable[] = Object.values(PLACES)

/** What `store move names` carries: besides, behind the cooldowns, the ids of signed requests that were used. */
export const NAME_TABLES: readonly StoredTable[] = EXPORTED.toSpliced(4, 0, {
  table: 'auth',
  key: ['id'],
  columns: { id: 'bytes', forget_at: 'integer' },
  added: ['used_by', '00000000-0000-0000-0000-000000000000'],
})

export const ROW_KINDS = Object.keys(PLACES) as readonly RowKind[]

/** The column values of a row, in the order of its table. */
export function cellsOf<K extends RowKind>({ kind, value }: { readonly kind: K; readonly value: RowKinds[K] }) {
  const { row }: Place<RowKinds[K]> = PLACES[kind]
  return row.values(value)
}
