// The rows of the in-memory name store, and the small steps that several of its verbs take.
import type {
  AuditEntry,
  Grant,
  NameRecord,
  NameShape,
  Offer,
  Page,
  ReservedName,
  Transfer,
} from '../../src/authority/index.js'
import { pageOf } from './fake-tables.js'

export interface NameTables {
  /** Active and released ones, by name. */
  readonly names: Map<string, NameRecord>
  readonly reserved: Map<string, ReservedName>
  /** By key: until when. */
  readonly cooldowns: Map<string, number>
  /** By event id: when it may be forgotten. */
  readonly auths: Map<string, number>
  /** By `grantKey`. */
  readonly grants: Map<string, Grant>
  readonly serials: Map<string, number>
  /** Invoices whose grant is gone. */
  readonly pastInvoices: Set<string>
  readonly offers: Map<string, Offer>
  /** By offer. */
  readonly transfers: Map<string, Transfer>
  readonly audit: AuditEntry[]
}

export const emptyNameTables = (): NameTables => ({
  names: new Map(),
  reserved: new Map(),
  cooldowns: new Map(),
  auths: new Map(),
  grants: new Map(),
  serials: new Map(),
  pastInvoices: new Set(),
  offers: new Map(),
  transfers: new Map(),
  audit: [],
})

export const grantKey = (pubkey: string, resource: string): string => `${pubkey} ${resource}`

/** An invoice never buys anything again once its grant is gone. */
export function dropGrant({ grants, pastInvoices }: NameTables, key: string): void {
  const grant = grants.get(key)
  if (grant) pastInvoices.add(grant.invoiceId)
  grants.delete(key)
}

export const activeRow = ({ names }: NameTables, name: string): NameRecord | undefined => {
  const row = names.get(name)
  return row?.releasedAt === null ? row : undefined
}

export const rowOfKey = ({ names }: NameTables, pubkey: string): NameRecord | undefined =>
  [...names.values()].find((row) => row.releasedAt === null && row.pubkey === pubkey)

const isLike = (shape: NameShape, other: string): boolean => shape.name === other || shape.looksLike(other)

export const rivalRow = ({ names }: NameTables, shape: NameShape, exceptKey?: string): NameRecord | undefined =>
  [...names.values()].find((row) => row.releasedAt === null && row.pubkey !== exceptKey && isLike(shape, row.name))

export const reservedRow = ({ reserved }: NameTables, shape: NameShape): ReservedName | undefined =>
  [...reserved.values()].find(({ name }) => isLike(shape, name))

export function note({ audit }: NameTables, entry: Omit<AuditEntry, 'id'>): void {
  audit.push({ id: audit.length + 1, ...entry })
}

export function release(tables: NameTables, row: NameRecord, now: number): void {
  tables.names.set(row.name, { ...row, releasedAt: now, suspendedAt: null })
}

export function take(tables: NameTables, name: string, pubkey: string, now: number): void {
  tables.names.set(name, { name, pubkey, createdAt: now, releasedAt: null, suspendedAt: null })
}

export function armCooldown({ cooldowns }: NameTables, pubkey: string, now: number, ms: number): void {
  if (ms > 0) cooldowns.set(pubkey, Math.max(cooldowns.get(pubkey) ?? 0, now + ms))
}

/** In the order of the names; the cursor is the last name shown. */
export function pageByName<T extends { readonly name: string }>(
  rows: readonly T[],
  limit: number,
  cursor = '',
): Page<T> {
  const rest = rows.filter(({ name }) => name > cursor).sort((a, b) => (a.name < b.name ? -1 : 1))
  const items = rest.slice(0, limit)
  return { items, next: rest.length > limit ? (items.at(-1)?.name ?? null) : null }
}

/** In the order they came, newest first. */
export function pageByTime<T extends object>(
  all: readonly T[],
  wanted: (value: T) => boolean,
  limit: number,
  cursor?: string,
): Page<T> {
  const rows = all.map((value, at) => ({ seq: at + 1, value })).filter(({ value }) => wanted(value))
  return pageOf(rows, limit, cursor)
}
