// Reads all rows of a schema into an empty file of the same service, while no process changes them.
import { databaseBusy } from '../errors.js'
import { inTransaction, type Row, type Sqlite } from '../sqlite/sqlite.js'
import type { Connection } from './driver.js'
import { fileSide, type MovedTable, pagesOf, serverSide, targetOf } from './move-rows.js'
import { COMMAND_ROW, writeBarrier } from './primary.js'
import { isRepeatable } from './sql-errors.js'

/**
 * Runs `work` in one transaction during which every other process reads and cannot write; those that began before and are in its way are undone
 * and repeated, as SERIALIZABLE has it. `keep` of its answer decides how it ends.
 */
export async function withRowsLocked<T extends { readonly keep: boolean }>(
  connection: Connection,
  tables: readonly MovedTable[],
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
async function beginLocked(connection: Connection, tables: readonly MovedTable[]): Promise<void> {
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

export async function copyOut(connection: Connection, tables: readonly MovedTable[], file: Sqlite): Promise<void> {
  for (const table of tables) {
    const marks = table.columns.map(() => '?').join(', ')
    const insert = `INSERT INTO ${fileSide(file).name(table)} (${table.columns.join(', ')}) VALUES (${marks})`
    for await (const page of pagesOf(table, serverSide(connection)))
      inTransaction(file, () => {
        for (const row of page) file.run(insert, signed(row, table))
      })
  }
}

/** Amounts are unsigned there, and in the signed columns of a file. */
const signed = (row: Row, { columns, amounts = [] }: MovedTable): Row =>
  amounts.length === 0
    ? row
    : row.map((cell, at) =>
        amounts.includes(columns[at] ?? '') && typeof cell === 'bigint' ? BigInt.asIntN(64, cell) : cell,
      )
