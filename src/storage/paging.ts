// Lists: filters that may be absent, newest first, continued by an opaque cursor.
import type { Page } from '../till/index.js'
import type { Table } from './columns.js'
import { badCursor } from './errors.js'
import type { Row, Sqlite, SqlValue } from './sqlite.js'

type Condition = readonly [sql: string, ...values: SqlValue[]]

/** A condition on a filter's value; nothing when the filter is absent. */
export const when = (sql: string, value: SqlValue | undefined): Condition | undefined =>
  value === undefined ? undefined : [sql, value]

/** One of two literal conditions, so that a partial index can serve it; nothing when the filter is absent. */
export const either = (yes: string, no: string, value: boolean | undefined): Condition | undefined =>
  value === undefined ? undefined : [value ? yes : no]

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

interface Source<T> {
  readonly table: Pick<Table<T>, 'columns' | 'read'>
  readonly from: string
  readonly where?: readonly (Condition | undefined)[]
}

/**
 * One page by (created_at, seq) downwards. The cursor names the last row shown, so rows that arrive meanwhile
 * neither repeat nor hide others. Throws BAD_CURSOR.
 */
export function readPage<T>(
  db: Sqlite,
  { table, from, where = [] }: Source<T>,
  { limit, cursor }: PageRequest,
): Page<T> {
  const conditions = [...where, cursor === undefined ? undefined : afterCursor(cursor)].filter(
    (one) => one !== undefined,
  )
  const filter = conditions.length > 0 ? `WHERE ${conditions.map(([sql]) => sql).join(' AND ')}` : ''
  const rows = db.all(
    `SELECT ${table.columns}, created_at, seq FROM ${from} ${filter} ORDER BY created_at DESC, seq DESC LIMIT ?`,
    [...conditions.flatMap(([, ...values]) => values), limit + 1],
  )
  const shown = rows.slice(0, limit)
  return { items: shown.map(table.read), next: rows.length > limit ? cursorOf(shown.at(-1)) : null }
}

/** Two columns that order a list; a cursor is the last row's. */
type Position = readonly [bigint, bigint]

/** Where an ascending list goes on: before everything without a cursor. Throws BAD_CURSOR. */
export const positionOf = (cursor: string | undefined): Position =>
  cursor === undefined ? [-1n, -1n] : parseCursor(cursor)

/** Orders rows of several searches by the two columns they end with. */
export const byPosition = (a: Row, b: Row): number => compare(a.at(-2), b.at(-2)) || compare(a.at(-1), b.at(-1))

const compare = (a: SqlValue = null, b: SqlValue = null): number =>
  Number((a ?? 0) > (b ?? 0)) - Number((a ?? 0) < (b ?? 0))

/** One page upwards out of rows that end with their position: `limit` are shown, one more tells that there is a next page. */
export function ascendingPage<T>(rows: readonly Row[], limit: number, read: (row: Row) => T): Page<T> {
  const shown = rows.slice(0, limit)
  return { items: shown.map(read), next: rows.length > limit ? cursorOf(shown.at(-1)) : null }
}

const cursorOf = (last: Row | undefined): string | null => (last ? `${last.at(-2)}-${last.at(-1)}` : null)

const afterCursor = (cursor: string): Condition => ['(created_at, seq) < (?, ?)', ...parseCursor(cursor)]

function parseCursor(cursor: string): Position {
  const [, first, second] = /^(\d{1,16})-(\d{1,16})$/.exec(cursor) ?? []
  if (first === undefined || second === undefined) throw badCursor(cursor)
  return [BigInt(first), BigInt(second)]
}
