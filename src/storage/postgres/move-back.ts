// Moves all rows of a schema back into a file: one transaction, with a digest of every table taken on both sides. Afterwards the schema is
// refused by every process.
import { existsSync, rmSync } from 'node:fs'
import { copyTable, differing, digestsOf, fileSide, type MovedCount, serverSide, targetOf } from '../carry.js'
import { databaseBusy, movedRowsDiffer, moveFileUsed, schemaInUse } from '../errors.js'
import type { StoredTable } from '../sqlite/columns.js'
import { migrate, requireSchema } from '../sqlite/migrate.js'
import { requireNotMoved } from '../sqlite/moved.js'
import { mergeLog, withFileAsync } from '../sqlite/open-file.js'
import type { Connection } from './driver.js'
import { MOVED_AWAY, requireStep } from './migrate.js'
import type { MovedService, MoveOutcome, MoveParts } from './move-rows.js'
import { onPrimary } from './open.js'
import { COMMAND_ROW, writeBarrier } from './primary.js'
import { isRepeatable } from './sql-errors.js'

export interface MoveBackParts extends Pick<MoveParts, 'path' | 'place' | 'isDryRun'> {
  readonly files: {
    /** Makes an empty file that the daemon may use. */
    create(path: string): Promise<void>
    /** Gives a complete file its name, durably. */
    publish(draft: string, path: string): Promise<void>
  }
}

/**
 * Throws SCHEMA_IN_USE while a daemon runs, MOVE_FILE_EXISTS, MOVE_DIFFERS, SCHEMA_MOVED, and what connecting throws. Repeating it after an
 * interruption is safe.
 */
export const moveRowsBack = (what: MovedService, parts: MoveBackParts): Promise<MoveOutcome> =>
  onPrimary({ place: parts.place, service: what.service }, async (connection) => {
    await requireStep(connection, parts.place.schema, what.service)
    const { tables, isThere } = await withRowsLocked(connection, what.tables, async () => {
      await requireUnused(connection, parts.place.schema)
      await what.back?.prepare(connection)
      const given = await digestsOf(what.tables, serverSide(connection))
      const there = existsSync(parts.path)
      if (there) await requireSame(what, parts.path, given)
      else await fill(connection, { what, parts, given })
      if (!parts.isDryRun) await markMovedAway(connection, what)
      return { keep: !parts.isDryRun, tables: given, isThere: there }
    })
    return { outcome: parts.isDryRun ? 'rehearsed' : isThere ? 'there' : 'moved', tables }
  })

const USERS = "SELECT count(*) FROM instance WHERE seen > now() - interval '30 s'"

/** Throws SCHEMA_IN_USE. */
async function requireUnused(connection: Connection, schema: string): Promise<void> {
  const [users] = (await connection.get(USERS)) ?? []
  if (Number(users) > 0) throw schemaInUse(schema, Number(users))
}

/** An earlier run was interrupted after it had written the file. Throws MOVE_FILE_EXISTS. */
const requireSame = (what: MovedService, path: string, given: readonly MovedCount[]): Promise<void> =>
  withFileAsync(path, 'durable', async (file) => {
    requireSchema(file, what.file)
    requireNotMoved(file)
    if (differing(given, await digestsOf(what.tables, fileSide(file)))) throw moveFileUsed(path)
  })

interface Filling {
  readonly what: MovedService
  readonly parts: MoveBackParts
  readonly given: readonly MovedCount[]
}

async function fill(connection: Connection, { what, parts, given }: Filling): Promise<void> {
  const { path, files, isDryRun } = parts
  const draft = `${path}.draft`
  const clear = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(`${draft}${end}`, { force: true })
  }
  clear()
  try {
    await files.create(draft)
    await withFileAsync(draft, 'durable', async (file) => {
      migrate(file, what.file)
      for (const table of what.tables) await copyTable(table, serverSide(connection), fileSide(file))
      const different = differing(given, await digestsOf(what.tables, fileSide(file)))
      if (different) throw movedRowsDiffer(different.table)
      await what.back?.complete(connection, file)
      mergeLog(file)
    })
    if (!isDryRun) await files.publish(draft, path)
  } finally {
    clear()
  }
}

/** Processes that connect from now on get the reason; one that was cut off all the time, and still has a connection, cannot write. */
async function markMovedAway(connection: Connection, { tables }: MovedService): Promise<void> {
  await connection.run('UPDATE schema_version SET service = ?', [MOVED_AWAY])
  await connection.script(`CREATE FUNCTION moved_away() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'these rows were moved to a file'; END $$`)
  for (const table of tables.map(targetOf))
    await connection.script(`CREATE TRIGGER moved_away BEFORE INSERT OR UPDATE OR DELETE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION moved_away()`)
}

/**
 * Runs `work` in one transaction during which every other process reads and cannot write; those that began before and are in its way are undone
 * and repeated, as SERIALIZABLE has it. `keep` of its answer decides how it ends.
 */
export async function withRowsLocked<T extends { readonly keep: boolean }>(
  connection: Connection,
  tables: readonly StoredTable[],
  work: () => Promise<T>,
): Promise<T> {
  await beginLocked(connection, tables)
  try {
    const answer = await work()
    // As in move-rows.ts: a repetition that changes nothing more waits for a standby as well.
    if (answer.keep) await writeBarrier(connection, COMMAND_ROW)
    await connection.script(answer.keep ? 'COMMIT' : 'ROLLBACK')
    if (!connection.isSound) throw new Error('the server gave up waiting for a standby: run the command again')
    return answer
  } catch (error) {
    await connection.script('ROLLBACK').catch(() => undefined)
    throw error
  }
}

/** A transaction that takes its tables in another order ends one of the two after a second: at most this often. */
const MOST_TRIES = 8

/** Begins the transaction with all tables locked. Nothing is done before they are, so it may be repeated. Throws DATABASE_BUSY. */
async function beginLocked(connection: Connection, tables: readonly StoredTable[]): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await connection.script('BEGIN ISOLATION LEVEL SERIALIZABLE')
      // The work on the file takes longer than a transaction may otherwise rest.
      await connection.script('SET LOCAL idle_in_transaction_session_timeout = 0')
      return await connection.script(`LOCK TABLE ${tables.map(targetOf).join(', ')} IN SHARE ROW EXCLUSIVE MODE`)
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => undefined)
      if (!isRepeatable(error)) throw error
      if (tries === MOST_TRIES) throw databaseBusy()
    }
  }
}
