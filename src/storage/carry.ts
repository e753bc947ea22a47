// Rows on their way from one database to another, page by page: `store move` there and back, export and import.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import type { StoredTable } from './sqlite/columns.js'
import { inTransaction, type Row, type Sqlite, type SqlValue } from './sqlite/sqlite.js'

/** Rows of one statement; a file binds at most 32,766 values, PostgreSQL 65,535, and no table has 65 columns. */
export const PAGE = 500

/** A connection to either kind of database. */
export interface Readable {
  all(sql: string, values?: Row): readonly Row[] | Promise<readonly Row[]>
}

interface Reading {
  readonly from: string
  readonly columns: readonly string[]
  /** What orders the rows and tells them apart. */
  readonly key: readonly string[]
}

/** Every row of a table in the order of its key. Each page is consistent; what changes in between may be missed. */
export async function* pagesOf(db: Readable, { from, columns, key }: Reading): AsyncGenerator<readonly Row[]> {
  const keys = key.join(', ')
  const select = (where: string) =>
    `SELECT ${columns.join(', ')}, ${keys} FROM ${from} ${where} ORDER BY ${keys} LIMIT ${PAGE}`
  const next = select(`WHERE (${keys}) > (${key.map(() => '?').join(', ')})`)
  for (let rows = await db.all(select('')); rows.length > 0; ) {
    yield rows.map((row) => row.slice(0, columns.length))
    // The library of a file frees what it read only when the event loop turns.
    await turn()
    rows = await db.all(next, rows.at(-1)?.slice(-key.length) ?? [])
  }
}

/** `(?, ?), (?, ?)` for so many rows of so many cells. */
export const rowMarks = (rows: number, cells: readonly string[]): string =>
  Array(rows)
    .fill(`(${cells.join(', ')})`)
    .join(', ')

/** Where tables are read and written. */
export interface Side extends Readable {
  insert(sql: string, values: Row): number | Promise<number>
  /** What a table is called. */
  name(table: StoredTable): string
  /** Columns that only this side has. */
  added(table: StoredTable): readonly (readonly [column: string, value: string])[]
  /** Cells as PostgreSQL keeps them. */
  cells(row: Row, types: StoredTable['columns'][string][]): Row
}

const isU64 = (type = ''): boolean => type.startsWith('u64')

export const fileSide = (file: Sqlite): Side => ({
  all: file.all,
  insert: (sql, values) => inTransaction(file, () => file.run(sql, values)),
  name: ({ table }) => table,
  added: () => [],
  cells: (row, types) =>
    types.some(isU64)
      ? row.map((cell, at) => (isU64(types[at]) && typeof cell === 'bigint' ? BigInt.asUintN(64, cell) : cell))
      : row,
})

/** What a table is called in PostgreSQL. */
export const targetOf = ({ table, target = table }: StoredTable): string => target

export const serverSide = (connection: Readable & { run(sql: string, values: Row): Promise<number> }): Side => ({
  all: (sql, values) => connection.all(sql, values),
  insert: (sql, values) => connection.run(sql, values),
  name: targetOf,
  added: ({ added }) => (added ? [added] : []),
  cells: (row) => row,
})

async function* rowsOn(side: Side, table: StoredTable): AsyncGenerator<readonly Row[]> {
  const types = Object.values(table.columns)
  const reading = { from: side.name(table), columns: Object.keys(table.columns), key: table.key }
  for await (const page of pagesOf(side, reading)) yield page.map((row) => side.cells(row, types))
}

export async function copyTable(table: StoredTable, from: Side, to: Side): Promise<void> {
  const [columns, added] = [Object.keys(table.columns), to.added(table)]
  const names = [...columns, ...added.map(([column]) => column)].join(', ')
  const cells = [...columns.map(() => '?'), ...added.map(([, value]) => `'${value}'`)]
  for await (const page of rowsOn(from, table))
    await to.insert(`INSERT INTO ${to.name(table)} (${names}) VALUES ${rowMarks(page.length, cells)}`, page.flat())
}

export interface MovedCount {
  readonly table: string
  readonly rows: number
  /** SHA-256 of all its values, as hex: the same on both sides. */
  readonly digest: string
}

export async function digestsOf(tables: readonly StoredTable[], side: Side): Promise<readonly MovedCount[]> {
  const counts: MovedCount[] = []
  for (const table of tables) {
    const hash = createHash('sha256')
    let rows = 0
    for await (const page of rowsOn(side, table))
      for (const row of page) {
        rows += 1
        for (const cell of row) addCell(hash, cell)
      }
    counts.push({ table: table.table, rows, digest: hash.digest('hex') })
  }
  return counts
}

/** Kind, length, content: no two rows have the same form. */
function addCell(hash: ReturnType<typeof createHash>, cell: SqlValue): void {
  const content = cell instanceof Uint8Array ? cell : Buffer.from(cell === null ? '' : String(cell))
  const kind = cell === null ? 'n' : cell instanceof Uint8Array ? 'b' : typeof cell === 'string' ? 't' : 'i'
  hash.update(`${kind}${content.length}:`).update(content)
}

/** The first table of which the two sides differ. */
export const differing = (given: readonly MovedCount[], found: readonly MovedCount[]): MovedCount | undefined =>
  given.find(({ table, digest }) => found.find((one) => one.table === table)?.digest !== digest)
