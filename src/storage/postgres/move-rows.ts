// Moves all rows of a file into an empty schema of PostgreSQL: one transaction there, with the file locked against writers meanwhile. The digest
// of every table is taken on both sides; afterwards the file refuses every change.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { movedRowsDiffer, movedTextInvalid, moveTargetUsed } from '../errors.js'
import type { DatabaseKind } from '../sqlite/kinds.js'
import { requireSchema } from '../sqlite/migrate.js'
import { markMoved, requireNotMoved } from '../sqlite/moved.js'
import { withFileAsync } from '../sqlite/open-file.js'
import type { Row, Sqlite, SqlValue } from '../sqlite/sqlite.js'
import type { Connection } from './driver.js'
import { requireStep } from './migrate.js'
import { onPrimary } from './open.js'
import type { DatabasePlace } from './place.js'
import { COMMAND_ROW, writeBarrier } from './primary.js'
import type { PostgresService } from './services.js'

export interface MovedTable {
  /** In the file. */
  readonly table: string
  /** There, when it has another name. */
  readonly target?: string
  /** What orders its rows; the same on both sides. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  /** Unsigned in the file, in signed columns. */
  readonly amounts?: readonly string[]
  /** Of a column that only PostgreSQL has. */
  readonly added?: readonly [column: string, value: string]
  /** Its number, `seq`, is given out by the database. */
  readonly isCounted?: true
}

export const words = (text: string): readonly string[] => text.split(' ')

/** The columns of a row mapping, so that one that it gains is moved too, after those that no mapping has. */
export const mapped = (table: { readonly columns: string }, unmapped = ''): readonly string[] => [
  ...(unmapped === '' ? [] : words(unmapped)),
  ...table.columns.split(', '),
]

/** What is moved. */
export interface MovedService {
  readonly file: DatabaseKind
  readonly service: PostgresService
  readonly tables: readonly MovedTable[]
  /** Changes the file first, in its transaction. */
  readonly prepare?: (file: Sqlite) => void
  /** What is not a copy, in the transaction there. */
  readonly complete?: (file: Sqlite, connection: Connection) => Promise<void>
  /** The same for the way back: `prepare` changes the rows there first, `complete` what is not a copy in the file. */
  readonly back?: {
    readonly prepare: (connection: Connection) => Promise<void>
    readonly complete: (connection: Connection, file: Sqlite) => Promise<void>
  }
}

/** Rows of one statement; PostgreSQL binds at most 65,535 values, and no table has 65 columns. */
const PAGE = 1000
/** Rows that are named in one refusal. */
const MOST_NAMED = 20

export interface MovedCount {
  readonly table: string
  readonly rows: number
  /** SHA-256 of all its values, as hex: the same on both sides. */
  readonly digest: string
}

export interface MoveOutcome {
  /** `there`: an earlier run had moved them, and was interrupted before it said so in the file. */
  readonly outcome: 'moved' | 'there' | 'rehearsed'
  readonly tables: readonly MovedCount[]
}

export interface MoveParts {
  readonly path: string
  readonly place: DatabasePlace
  /** For the file: where its rows went, without a password. */
  readonly target: string
  readonly now: number
  readonly isDryRun: boolean
}

/**
 * Throws DATABASE_MOVED, DATABASE_OLDER (file), TEXT_NOT_MOVABLE naming the rows, MOVE_TARGET_USED, MOVE_DIFFERS, and what connecting throws.
 * Repeating it after an interruption is safe.
 */
export async function moveRows(
  what: MovedService,
  { path, place, target, now, isDryRun }: MoveParts,
): Promise<MoveOutcome> {
  return withFileAsync(path, 'durable', async (file) => {
    requireSchema(file, what.file)
    requireNotMoved(file)
    // Other processes that have the file open can read, and cannot write until this ends.
    file.script('BEGIN IMMEDIATE')
    try {
      what.prepare?.(file)
      const given = await digestsOf(what.tables, fileSide(file))
      refuseTexts(file, what.tables)
      const outcome = await onPrimary({ place, service: what.service }, (connection) =>
        copyInto(connection, { what, file, given, place, isDryRun }),
      )
      if (!isDryRun) markMoved(file, { target, now, tables: what.tables.map(({ table }) => table) })
      file.script(isDryRun ? 'ROLLBACK' : 'COMMIT')
      return { outcome, tables: given }
    } catch (error) {
      if (file.inTransaction) file.script('ROLLBACK')
      throw error
    }
  })
}

interface Copying {
  readonly what: MovedService
  readonly file: Sqlite
  readonly given: readonly MovedCount[]
  readonly place: DatabasePlace
  readonly isDryRun: boolean
}

async function copyInto(
  connection: Connection,
  { what, file, given, place, isDryRun }: Copying,
): Promise<MoveOutcome['outcome']> {
  await requireStep(connection, place.schema, what.service)
  await connection.script('BEGIN ISOLATION LEVEL SERIALIZABLE')
  try {
    const isEmpty = (await countAll(connection, what.tables)) === 0
    if (isEmpty) for (const table of what.tables) await copyTable(file, connection, table)
    const arrived = await digestsOf(what.tables, serverSide(connection))
    const different = given.find(({ digest, table }) => arrived.find((one) => one.table === table)?.digest !== digest)
    if (different) throw isEmpty ? movedRowsDiffer(different.table) : moveTargetUsed(place.schema)
    if (isEmpty) await what.complete?.(file, connection)
    // Rows that an earlier run left may be on this machine only, when its wait for a standby was cancelled.
    if (!isDryRun) await writeBarrier(connection, COMMAND_ROW)
    await connection.script(isDryRun ? 'ROLLBACK' : 'COMMIT')
    if (!connection.isSound) throw new Error('the server gave up waiting for a standby: run the command again')
    return isDryRun ? 'rehearsed' : isEmpty ? 'moved' : 'there'
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function countAll(connection: Connection, tables: readonly MovedTable[]): Promise<number> {
  const counts = tables.map((table) => `(SELECT count(*) FROM (SELECT 1 FROM ${targetOf(table)} LIMIT 1) one)`)
  const [count] = (await connection.get(`SELECT ${counts.join(' + ')}`)) ?? []
  return Number(count)
}

export const targetOf = ({ table, target = table }: MovedTable): string => target

/** Where a table is read. */
interface Side {
  all(sql: string, values: Row): readonly Row[] | Promise<readonly Row[]>
  name(table: MovedTable): string
  /** Its cells as PostgreSQL keeps them. */
  cells(row: Row, table: MovedTable): Row
}

export const fileSide = (file: Sqlite): Side => ({
  all: (sql, values) => file.all(sql, values),
  name: ({ table }) => table,
  cells: (row, { columns, amounts }) =>
    amounts === undefined
      ? row
      : row.map((cell, at) =>
          amounts.includes(columns[at] ?? '') && typeof cell === 'bigint' ? BigInt.asUintN(64, cell) : cell,
        ),
})

export const serverSide = (connection: Connection): Side => ({
  all: (sql, values) => connection.all(sql, values),
  name: targetOf,
  cells: (row) => row,
})

/** Every row of a table in its order, page by page. */
export async function* pagesOf(table: MovedTable, side: Side): AsyncGenerator<readonly Row[]> {
  const { key, columns } = table
  const keys = key.join(', ')
  const select = (where: string) =>
    `SELECT ${columns.join(', ')}, ${keys} FROM ${side.name(table)} ${where} ORDER BY ${keys} LIMIT ${PAGE}`
  const next = select(`WHERE (${keys}) > (${key.map(() => '?').join(', ')})`)
  for (let rows = await side.all(select(''), []); rows.length > 0; ) {
    yield rows.map((row) => side.cells(row.slice(0, columns.length), table))
    rows = await side.all(next, rows.at(-1)?.slice(-key.length) ?? [])
    await turn()
  }
}

export async function digestsOf(tables: readonly MovedTable[], side: Side): Promise<readonly MovedCount[]> {
  const counts: MovedCount[] = []
  for (const table of tables) {
    const hash = createHash('sha256')
    let rows = 0
    for await (const page of pagesOf(table, side))
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

async function copyTable(file: Sqlite, connection: Connection, moved: MovedTable): Promise<void> {
  for await (const page of pagesOf(moved, fileSide(file)))
    await connection.run(insertOf(moved, page.length), page.flat())
  await countOn(connection, moved)
}

/** A statement for so many rows. */
export function insertOf(moved: MovedTable, rows: number): string {
  const { columns, added } = moved
  const [addedColumn = [], addedCell = []] = added ? [[added[0]], [`'${added[1]}'`]] : []
  const row = `(${[...columns.map(() => '?'), ...addedCell].join(', ')})`
  const names = [...columns, ...addedColumn].join(', ')
  return `INSERT INTO ${targetOf(moved)} (${names}) VALUES ${Array(rows).fill(row).join(', ')}`
}

/** The next row gets the next number. */
export async function countOn(connection: Connection, moved: MovedTable): Promise<void> {
  const table = targetOf(moved)
  if (moved.isCounted)
    await connection.get(
      `SELECT setval(pg_get_serial_sequence('${table}', 'seq'), coalesce(max(seq), 0) + 1, false) FROM ${table}`,
    )
}

/** PostgreSQL stores no U+0000. Throws TEXT_NOT_MOVABLE with the rows that have one. */
function refuseTexts(file: Sqlite, tables: readonly MovedTable[]): void {
  const found = tables.flatMap(({ table, columns, key }) =>
    columns.flatMap((column) =>
      file
        .all(
          `SELECT ${key.map((one) => `quote(${one})`).join(" || ', ' || ")} FROM ${table}
            WHERE typeof(${column}) = 'text' AND instr(CAST(${column} AS BLOB), x'00') > 0 LIMIT ${MOST_NAMED}`,
        )
        .map(([row]) => `${table}.${column} where ${key.join(', ')} = ${row}`),
    ),
  )
  if (found.length > 0) throw movedTextInvalid(found.slice(0, MOST_NAMED))
}
