// Lists: optional filters, a total order, and a cursor that names the last row's position in that order.
import type { Page } from '../till/index.js'
import { type Sql, textOf } from './dialect.js'
import { badCursor } from './errors.js'
import type { RowMapping } from './sqlite/columns.js'
import type { Row, SqlValue } from './sqlite/sqlite.js'
import { all, type Verb } from './verbs.js'

type Condition = readonly [sql: Sql, ...values: SqlValue[]]

/** A condition on a filter's value; nothing when the filter is absent. */
export const when = (sql: Sql, value: SqlValue | undefined): Condition | undefined =>
  value === undefined ? undefined : [sql, value]

/** One of two literal conditions, so that a partial index can serve it; nothing when the filter is absent. */
export const either = (yes: string, no: string, value: boolean | undefined): Condition | undefined =>
  value === undefined ? undefined : [value ? yes : no]

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

/** The columns and direction of a list, and the parser of its cursor: one value per column, or undefined for an invalid one. */
export interface Order {
  readonly columns: readonly string[]
  readonly next: '>' | '<'
  parse(cursor: string): readonly SqlValue[] | undefined
}

/**
 * Of the two upper bounds of a list, newest first, the lower one: with both, SQLite might seek the higher one and read on from there.
 * `to` is a creation time that no longer counts. Throws BAD_CURSOR.
 */
export function lowerEnd({ to, cursor }: { readonly to?: number | undefined; readonly cursor?: string | undefined }) {
  if (to === undefined || cursor === undefined) return { to, cursor }
  const [createdAt] = positionOf(cursor)
  return createdAt < BigInt(to) ? { to: undefined, cursor } : { to, cursor: undefined }
}

export interface Source<T> {
  readonly table: Pick<RowMapping<T>, 'read'> & { readonly columns: Sql }
  readonly from: Sql
  readonly where?: readonly (Condition | undefined)[]
  /** Default: newest first. */
  readonly order?: Order
}

/** One page. The cursor names the last row shown, so rows added between pages neither repeat nor hide others. Throws BAD_CURSOR. */
export function readPage<T>(source: Source<T>, request: PageRequest): Verb<Page<T>> {
  const { table, order = NEWEST } = source
  const { sql, values } = pageStatement(source, request)
  return all(sql, values, (rows) => {
    const shown = rows.slice(0, request.limit)
    return {
      items: shown.map(table.read),
      next: rows.length > request.limit ? cursorOf(shown.at(-1), order.columns.length) : null,
    }
  })
}

/** It answers one row more than asked for when there is a next page. */
function pageStatement<T>({ table, from, where = [], order = NEWEST }: Source<T>, { limit, cursor }: PageRequest) {
  const conditions = [...where, cursor === undefined ? undefined : after(order, cursor)].filter(
    (one) => one !== undefined,
  )
  const sorted = order.columns.map((column) => `${column}${order.next === '<' ? ' DESC' : ''}`).join(', ')
  const sql: Sql = (dialect) => {
    const filter = conditions.map(([one]) => textOf(one, dialect)).join(' AND ')
    const columns = `${textOf(table.columns, dialect)}, ${order.columns.join(', ')}`
    return `SELECT ${columns} FROM ${textOf(from, dialect)} ${filter && `WHERE ${filter}`} ORDER BY ${sorted} LIMIT ?`
  }
  return { sql, values: [...conditions.flatMap(([, ...values]) => values), limit + 1] }
}

function after({ columns, next, parse }: Order, cursor: string): Condition {
  const values = parse(cursor)
  if (values === undefined) throw badCursor(cursor)
  return [`(${columns.join(', ')}) ${next} (${values.map(() => '?').join(', ')})`, ...values]
}

/** Two columns that order a list; a cursor is the last row's. */
type Position = readonly [bigint, bigint]

/** Where an ascending list goes on: before everything without a cursor. Throws BAD_CURSOR. */
export function positionOf(cursor: string | undefined): Position {
  if (cursor === undefined) return [-1n, -1n]
  const position = parsePosition(cursor)
  if (position === undefined) throw badCursor(cursor)
  return position
}

/** Orders rows of several searches by the two columns they end with. */
export const byPosition = (a: Row, b: Row): number => compare(a.at(-2), b.at(-2)) || compare(a.at(-1), b.at(-1))

const compare = (a: SqlValue = null, b: SqlValue = null): number =>
  Number((a ?? 0) > (b ?? 0)) - Number((a ?? 0) < (b ?? 0))

/** One ascending page of rows that end with their position. One row more than `limit` means that there is a next page. */
export function ascendingPage<T>(rows: readonly Row[], limit: number, read: (row: Row) => T): Page<T> {
  const shown = rows.slice(0, limit)
  return { items: shown.map(read), next: rows.length > limit ? cursorOf(shown.at(-1), 2) : null }
}

/** Rows end with the columns that order them. */
const cursorOf = (last: Row | undefined, columns: number): string | null => last?.slice(-columns).join('-') ?? null

function parsePosition(cursor: string): Position | undefined {
  const [, first, second] = /^(\d{1,16})-(\d{1,16})$/.exec(cursor) ?? []
  return first === undefined || second === undefined ? undefined : [BigInt(first), BigInt(second)]
}

const NEWEST: Order = { columns: ['created_at', 'seq'], next: '<', parse: parsePosition }

/** Higher than every text that goes on after `prefix`. */
export const endOfPrefix = (prefix: string): string => `${prefix}\u{10ffff}`
