// Lists by one unique column: names in their order, the history from its end. The cursor is the last value shown.
import type { Page } from '../authority/index.js'
import type { Table } from './columns.js'
import { badCursor } from './errors.js'
import type { PageRequest } from './paging.js'
import type { Row, Sqlite, SqlValue } from './sqlite.js'

/** How a list is ordered, and how its cursor is read; undefined: it is none. */
export interface Order {
  readonly column: string
  readonly next: '>' | '<'
  parse(cursor: string): SqlValue | undefined
}

export const BY_NAME: Order = {
  column: 'name',
  next: '>',
  parse: (cursor) => (cursor.length > 0 && cursor.length <= 255 ? cursor : undefined),
}

export const NEWEST_FIRST: Order = {
  column: 'seq',
  next: '<',
  parse: (cursor) => (/^\d{1,16}$/.test(cursor) ? BigInt(cursor) : undefined),
}

interface Source<T> {
  readonly table: Pick<Table<T>, 'columns' | 'read'>
  readonly from: string
  /** Conditions with their values; absent ones are dropped. */
  readonly where: readonly (readonly [sql: string, ...values: SqlValue[]] | undefined)[]
  readonly order: Order
}

/** One page; rows that come or go meanwhile neither repeat nor hide others. Throws BAD_CURSOR. */
export function readList<T>(db: Sqlite, source: Source<T>, { limit, cursor }: PageRequest): Page<T> {
  const { table, from, order } = source
  const { column, next } = order
  const conditions = [...source.where, cursor === undefined ? undefined : after(order, cursor)].filter(
    (one) => one !== undefined,
  )
  const filter = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : ''
  const rows = db.all(
    `SELECT ${table.columns}, ${column} FROM ${from} ${filter} ORDER BY ${column} ${next === '<' ? 'DESC' : 'ASC'} LIMIT ?`,
    [...conditions.flatMap(([, ...values]) => values), limit + 1],
  )
  const shown = rows.slice(0, limit)
  return { items: shown.map(table.read), next: rows.length > limit ? lastOf(shown) : null }
}

function after({ column, next, parse }: Order, cursor: string): readonly [string, SqlValue] {
  const value = parse(cursor)
  if (value === undefined) throw badCursor(cursor)
  return [`${column} ${next} ?`, value]
}

const lastOf = (rows: readonly Row[]): string | null => {
  const last = rows.at(-1)?.at(-1)
  return last === undefined || last === null ? null : String(last)
}
