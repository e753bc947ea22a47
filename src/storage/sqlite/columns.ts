// A table as data: which column holds which member of a value, and how it is written and read.
import type { NanoGrin } from '../../grin/amount/index.js'
import { fromHex, toHex } from '../../lib/bytes.js'
import { textInvalid } from '../errors.js'
import type { Row, SqlValue } from './sqlite.js'

/** A u64 is `numeric(20)` in PostgreSQL, and in the signed column of a file its two's complement. */
type CellType = 'text' | 'integer' | 'u64' | 'bytes'
/** With a question mark: or nothing. */
export type ColumnType = CellType | `${CellType}?`

/** A table as both kinds of database have it (compared with both in test/storage/postgres/columns.test.ts). */
export interface StoredTable {
  /** In a file. */
  readonly table: string
  /** In PostgreSQL, when it has another name there. */
  readonly target?: string
  /** What orders its rows and tells them apart. */
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, ColumnType>>
  /** A column that only PostgreSQL has, and its value in a row that comes from a file. */
  readonly added?: readonly [column: string, value: string]
}

/** How one kind of value is kept. `read` throws TypeError on what `write` cannot have written. */
export interface Codec<V> {
  readonly type: ColumnType
  write(value: V): SqlValue
  read(cell: SqlValue): V
}

/** Every member of T with its column. */
export type ColumnMap<T> = { readonly [Member in keyof T]-?: readonly [column: string, codec: Codec<T[Member]>] }

export interface RowMapping<T> {
  /** "id, token, …" in the order that `read` and `values` use. */
  readonly columns: string
  readonly types: StoredTable['columns']
  /** "?, ?, …" */
  readonly marks: string
  values(value: T): SqlValue[]
  /** "amount = ?, fiat = ?" for the members given; columns not named keep their index entries untouched. */
  change(part: Partial<T>): { readonly sql: string; readonly values: readonly SqlValue[] }
  read(row: Row): T
  /** The same table, with these columns only. */
  only<Member extends keyof T & string>(...members: readonly Member[]): RowMapping<Pick<T, Member>>
}

/** Derives columns, marks, reading and writing from one map; their order is that of its members. */
export function createTable<T extends object>(map: ColumnMap<T>): RowMapping<T> {
  const members = Object.keys(map) as (keyof T & string)[]
  return {
    columns: members.map((member) => map[member][0]).join(', '),
    types: Object.fromEntries(members.map((member) => [map[member][0], map[member][1].type])),
    marks: members.map(() => '?').join(', '),
    values: (value) => members.map((member) => map[member][1].write(value[member])),
    change(part) {
      const changed = members.flatMap((member) => {
        const value = part[member]
        return value === undefined ? [] : [{ column: map[member][0], cell: map[member][1].write(value) }]
      })
      return {
        sql: changed.map(({ column }) => `${column} = ?`).join(', '),
        values: changed.map(({ cell }) => cell),
      }
    },
    read(row) {
      const value: Partial<T> = {}
      for (const [at, member] of members.entries()) value[member] = map[member][1].read(row[at] ?? null)
      return value as T
    },
    only: (...chosen) => createTable(pick(map, chosen)),
  }
}

function pick<T, Member extends keyof T>(map: ColumnMap<T>, members: readonly Member[]): ColumnMap<Pick<T, Member>> {
  const picked: Partial<ColumnMap<T>> = {}
  for (const member of members) Object.assign(picked, { [member]: map[member] })
  return picked as ColumnMap<Pick<T, Member>>
}

function unreadable(wanted: string, cell: SqlValue): never {
  throw new TypeError(`database: wanted ${wanted}, found ${cell === null ? 'nothing' : typeof cell}`)
}

/** No kind of database stores U+0000 in a text, so that all of them store the same. Throws TEXT_INVALID. */
export const textCell: Codec<string> = {
  type: 'text',
  write(value) {
    if (value.includes('\0')) throw textInvalid()
    return value
  },
  read: (cell) => (typeof cell === 'string' ? cell : unreadable('text', cell)),
}

/** A count, a height or epoch milliseconds: a safe integer. */
export const integerCell: Codec<number> = {
  type: 'integer',
  write: (value) => value,
  read: (cell) => (typeof cell === 'bigint' ? Number(cell) : unreadable('an integer', cell)),
}

/** 0 … 2^64-1. The columns of a file are signed, and the connection writes two's complement (sqlite.ts); PostgreSQL has `numeric`. */
export const u64Cell: Codec<bigint> = {
  type: 'u64',
  write: (value) => value,
  read: (cell) => (typeof cell === 'bigint' ? BigInt.asUintN(64, cell) : unreadable('an integer', cell)),
}

export const amountCell: Codec<NanoGrin> = {
  type: 'u64',
  write: u64Cell.write,
  read: (cell) => asAmount(u64Cell.read(cell)),
}

export const bytesCell: Codec<Uint8Array> = {
  type: 'bytes',
  write: (value) => value,
  read: (cell) => (cell instanceof Uint8Array ? new Uint8Array(cell) : unreadable('bytes', cell)),
}

/** Lower-case hex, kept as bytes. */
export const hexCell: Codec<string> = {
  type: 'bytes',
  write: (value) => fromHex(value),
  read: (cell) => (cell instanceof Uint8Array ? toHex(cell) : unreadable('bytes', cell)),
}

/** One of a fixed set of words. */
export function wordCell<W extends string>(...words: readonly W[]): Codec<W> {
  const known = new Map<SqlValue, W>(words.map((one) => [one, one]))
  return {
    type: 'text',
    write: (value) => value,
    read: (cell) => known.get(cell) ?? unreadable(words.join('|'), cell),
  }
}

/** The same kind of value, or nothing. */
export function nullable<V>(codec: Codec<V>): Codec<V | null> {
  return {
    type: orNothing(codec.type),
    write: (value) => (value === null ? null : codec.write(value)),
    read: (cell) => (cell === null ? null : codec.read(cell)),
  }
}

const orNothing = (type: ColumnType): ColumnType => `${type.replace('?', '') as CellType}?`

/** A small record kept as JSON text; `parse` checks what was read. */
export function json<V>(print: (value: V) => unknown, parse: (read: unknown) => V): Codec<V> {
  return {
    type: 'text',
    write: (value) => JSON.stringify(print(value)),
    read: (cell) => parse(JSON.parse(textCell.read(cell))),
  }
}

const asAmount = (value: bigint): NanoGrin => value as NanoGrin

/** A sum in two columns (`sums` of dialect.ts): of the upper 32 bits and of the rest; it may outgrow 64 bits. Absent halves are an empty sum. */
export const amountOfHalves = (high: SqlValue | undefined, low: SqlValue | undefined): NanoGrin =>
  asAmount((typeof high === 'bigint' ? high << 32n : 0n) + (typeof low === 'bigint' ? low : 0n))

/** A key (64 hex) as bytes for a lookup, or null, which equals nothing in SQL, for every other text. */
export const hexKey = (key: string): Uint8Array | null => (/^[0-9a-f]{64}$/.test(key) ? fromHex(key) : null)
