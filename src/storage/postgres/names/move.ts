// Moves all rows of a names.db into an empty schema of PostgreSQL: one transaction there, with the file locked against writers meanwhile. The digest
// of every table is taken on both sides; afterwards the file refuses every change.
import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { movedRowsDiffer, movedTextInvalid, moveTargetUsed } from '../../errors.js'
import { markMoved, requireNotMoved } from '../../names/moved.js'
import { NAMES_FILE } from '../../sqlite/kinds.js'
import { requireSchema } from '../../sqlite/migrate.js'
import { withFileAsync } from '../../sqlite/open-file.js'
import type { Row, Sqlite, SqlValue } from '../../sqlite/sqlite.js'
import type { Connection } from '../driver.js'
import { requireStep } from '../migrate.js'
import { onPrimary } from '../open.js'
import type { DatabasePlace } from '../place.js'
import { NAMES_SERVICE } from '../services.js'

interface MovedTable {
  readonly table: string
  /** What orders its rows; the same on both sides. */
  readonly key: readonly string[]
  readonly columns: readonly string[]
  /** Unsigned in the file, in a signed column. */
  readonly amount?: string
  /** Of a column that only PostgreSQL has. */
  readonly added?: readonly [column: string, value: string]
  /** Its number is given out by the database. */
  readonly isCounted?: true
}

const words = (text: string): readonly string[] => text.split(' ')

const TABLES: readonly MovedTable[] = [
  { table: 'audit', key: ['seq'], columns: words('seq at actor action name pubkey reason'), isCounted: true },
  { table: 'name', key: ['name'], columns: words('name skeleton pubkey created_at released_at suspended_at') },
  { table: 'reserved', key: ['name'], columns: words('name skeleton reason created_at') },
  { table: 'cooldown', key: ['pubkey'], columns: words('pubkey until') },
  {
    table: 'auth',
    key: ['id'],
    columns: words('id forget_at'),
    added: ['used_by', '00000000-0000-0000-0000-000000000000'],
  },
  {
    table: 'paid_grant',
    key: ['seq'],
    columns: words('seq pubkey resource serial invoice_id pay_url amount status created_at paid_at'),
    amount: 'amount',
    isCounted: true,
  },
  { table: 'grant_serial', key: ['pubkey', 'resource'], columns: words('pubkey resource serial') },
  { table: 'past_grant', key: ['invoice_id'], columns: words('invoice_id') },
  {
    table: 'offer',
    key: ['seq'],
    columns: words(
      'seq id name seller buyer price proof_address expiration status end_height state_changed_at created_at event',
    ),
    amount: 'price',
    isCounted: true,
  },
  {
    table: 'transfer',
    key: ['offer_id'],
    columns: words('offer_id name seller buyer price kernel_excess kernel_height claimed_at'),
    amount: 'price',
  },
]

/** Rows of one statement; PostgreSQL binds at most 65,535 values. */
const PAGE = 1000
/** Rows that are named in one refusal. */
const MOST_NAMED = 20

interface MovedCount {
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

interface MoveParts {
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
export async function moveNames({ path, place, target, now, isDryRun }: MoveParts): Promise<MoveOutcome> {
  return withFileAsync(path, 'durable', async (file) => {
    requireSchema(file, NAMES_FILE)
    requireNotMoved(file)
    // Other processes that have the file open can read, and cannot write until this ends.
    file.script('BEGIN IMMEDIATE')
    try {
      const given = await digestsOf((sql, values) => file.all(sql, values), fileCells)
      refuseTexts(file)
      const outcome = await onPrimary({ place, service: NAMES_SERVICE }, (connection) =>
        copyInto(connection, { file, given, place, isDryRun }),
      )
      if (!isDryRun) markMoved(file, { target, now, tables: TABLES.map(({ table }) => table) })
      file.script(isDryRun ? 'ROLLBACK' : 'COMMIT')
      return { outcome, tables: given }
    } catch (error) {
      if (file.inTransaction) file.script('ROLLBACK')
      throw error
    }
  })
}

interface Copying {
  readonly file: Sqlite
  readonly given: readonly MovedCount[]
  readonly place: DatabasePlace
  readonly isDryRun: boolean
}

async function copyInto(
  connection: Connection,
  { file, given, place, isDryRun }: Copying,
): Promise<MoveOutcome['outcome']> {
  await requireStep(connection, place.schema, NAMES_SERVICE)
  await connection.script('BEGIN ISOLATION LEVEL SERIALIZABLE')
  try {
    const isEmpty = (await countAll(connection)) === 0
    if (isEmpty) for (const table of TABLES) await copyTable(file, connection, table)
    const arrived = await digestsOf(
      (sql, values) => connection.all(sql, values),
      (cells) => cells,
    )
    const different = given.find(({ digest, table }) => arrived.find((one) => one.table === table)?.digest !== digest)
    if (different) throw isEmpty ? movedRowsDiffer(different.table) : moveTargetUsed(place.schema)
    await connection.script(isDryRun || !isEmpty ? 'ROLLBACK' : 'COMMIT')
    if (!connection.isSound) throw new Error('the server gave up waiting for a standby: run the command again')
    return isDryRun ? 'rehearsed' : isEmpty ? 'moved' : 'there'
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

async function countAll(connection: Connection): Promise<number> {
  const counts = TABLES.map(({ table }) => `(SELECT count(*) FROM (SELECT 1 FROM ${table} LIMIT 1) one)`)
  const [count] = (await connection.get(`SELECT ${counts.join(' + ')}`)) ?? []
  return Number(count)
}

type ReadAll = (sql: string, values: Row) => readonly Row[] | Promise<readonly Row[]>

/** Every row of a table in its order, page by page; the key stands at the end of each row. */
async function* pagesOf({ table, key, columns }: MovedTable, all: ReadAll): AsyncGenerator<readonly Row[]> {
  const keys = key.join(', ')
  const select = (where: string) =>
    `SELECT ${columns.join(', ')}, ${keys} FROM ${table} ${where} ORDER BY ${keys} LIMIT ${PAGE}`
  const next = select(`WHERE (${keys}) > (${key.map(() => '?').join(', ')})`)
  for (let rows = await all(select(''), []); rows.length > 0; ) {
    yield rows
    rows = await all(next, rows.at(-1)?.slice(-key.length) ?? [])
    await turn()
  }
}

type Cells = (cells: Row, table: MovedTable) => Row

/** An amount as PostgreSQL keeps it. */
const fileCells: Cells = (cells, { columns, amount }) =>
  amount === undefined
    ? cells
    : cells.map((cell, at) => (columns[at] === amount && typeof cell === 'bigint' ? BigInt.asUintN(64, cell) : cell))

async function digestsOf(all: ReadAll, read: Cells): Promise<readonly MovedCount[]> {
  const counts: MovedCount[] = []
  for (const table of TABLES) {
    const hash = createHash('sha256')
    let rows = 0
    for await (const page of pagesOf(table, all))
      for (const row of page) {
        rows += 1
        for (const cell of read(row.slice(0, table.columns.length), table)) addCell(hash, cell)
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
  const { table, columns, added, isCounted } = moved
  const [addedColumn = [], addedCell = []] = added ? [[added[0]], [`'${added[1]}'`]] : []
  const row = `(${[...columns.map(() => '?'), ...addedCell].join(', ')})`
  const insert = (rows: number) =>
    `INSERT INTO ${table} (${[...columns, ...addedColumn].join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`
  for await (const page of pagesOf(moved, (sql, values) => file.all(sql, values)))
    await connection.run(
      insert(page.length),
      page.flatMap((cells) => fileCells(cells.slice(0, columns.length), moved)),
    )
  if (isCounted)
    await connection.get(
      `SELECT setval(pg_get_serial_sequence('${table}', 'seq'), coalesce(max(seq), 0) + 1, false) FROM ${table}`,
    )
}

/** PostgreSQL stores no U+0000. Throws TEXT_NOT_MOVABLE with the rows that have one. */
function refuseTexts(file: Sqlite): void {
  const found = TABLES.flatMap(({ table, columns, key }) =>
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
