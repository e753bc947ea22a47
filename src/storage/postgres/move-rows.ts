// Moves all rows of a file into an empty schema of PostgreSQL: one transaction there, with the file locked against writers meanwhile. The digest
// of every table is taken on both sides; afterwards the file refuses every change.
import { copyTable, differing, digestsOf, fileSide, type MovedCount, serverSide, targetOf } from '../carry.js'
import { movedRowsDiffer, movedTextInvalid, moveTargetUsed } from '../errors.js'
import type { StoredTable } from '../sqlite/columns.js'
import type { DatabaseKind } from '../sqlite/kinds.js'
import { requireSchema } from '../sqlite/migrate.js'
import { markMoved, requireNotMoved } from '../sqlite/moved.js'
import { withFileAsync } from '../sqlite/open-file.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import type { Connection } from './driver.js'
import { requireStep } from './migrate.js'
import { onPrimary } from './open.js'
import type { DatabasePlace } from './place.js'
import { COMMAND_ROW, writeBarrier } from './primary.js'
import type { PostgresService } from './services.js'

/** What is moved. */
export interface MovedService {
  readonly file: DatabaseKind
  readonly service: PostgresService
  readonly tables: readonly StoredTable[]
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

/** Rows that are named in one refusal. */
const MOST_NAMED = 20

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
    const server = serverSide(connection)
    if (isEmpty)
      for (const table of what.tables) {
        await copyTable(table, fileSide(file), server)
        await continueNumbers(connection, table)
      }
    const different = differing(given, await digestsOf(what.tables, server))
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

async function countAll(connection: Connection, tables: readonly StoredTable[]): Promise<number> {
  const counts = tables.map((table) => `(SELECT count(*) FROM (SELECT 1 FROM ${targetOf(table)} LIMIT 1) one)`)
  const [count] = (await connection.get(`SELECT ${counts.join(' + ')}`)) ?? []
  return Number(count)
}

/** The next row gets the next number. */
async function continueNumbers(connection: Connection, table: StoredTable): Promise<void> {
  const name = targetOf(table)
  if (table.key[0] === 'seq')
    await connection.get(
      `SELECT setval(pg_get_serial_sequence('${name}', 'seq'), coalesce(max(seq), 0) + 1, false) FROM ${name}`,
    )
}

/** PostgreSQL stores no U+0000. Throws TEXT_NOT_MOVABLE with the rows that have one. */
function refuseTexts(file: Sqlite, tables: readonly StoredTable[]): void {
  const found = tables.flatMap(({ table, columns, key }) =>
    Object.keys(columns).flatMap((column) =>
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
