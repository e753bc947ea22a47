// Everything in a names.db, row by row, while it is in use. Each page is consistent; changes during the export may be missed.
import { setImmediate as turn } from 'node:timers/promises'
import type { Row, SqlValue } from '../sqlite/sqlite.js'
import { type NameRow, PLACES, ROW_KINDS, type RowKind } from './row-kinds.js'

const PAGE = 500

/** A connection to either kind of database. */
interface Readable {
  all(sql: string, values?: Row): readonly Row[] | Promise<readonly Row[]>
}

/** Kind by kind, each in a fixed order. */
export async function* exportRows(db: Readable): AsyncGenerator<NameRow> {
  for (const kind of ROW_KINDS) yield* rowsOf(db, kind)
}

async function* rowsOf(db: Readable, kind: RowKind): AsyncGenerator<NameRow> {
  const { sqlTable, table, key } = PLACES[kind]
  const keys = key.join(', ')
  const select = (where: string) =>
    `SELECT ${table.columns}, ${keys} FROM ${sqlTable} ${where} ORDER BY ${keys} LIMIT ${PAGE}`
  const next = select(`WHERE (${keys}) > (${key.map(() => '?').join(', ')})`)
  for (let page = await db.all(select('')); page.length > 0; page = await db.all(next, lastKey(page, key.length))) {
    for (const row of page) yield { kind, value: table.read(row) } as NameRow
    // The library frees what it read only when the event loop turns.
    await turn()
  }
}

const lastKey = (page: readonly Row[], length: number): readonly SqlValue[] => page.at(-1)?.slice(-length) ?? []
