// Takes over the rows of another name authority into PostgreSQL: all of them in one transaction, or none. The rules of an import are SQL on a
// file: so all rows are copied into one, the import runs there, and what it changed goes back.
import { join } from 'node:path'
import { type ImportChange, type ImportOutcome, importVerb } from '../../names/import.js'
import type { SourceRow } from '../../names/legacy-import.js'
import { NAMES_FILE } from '../../sqlite/kinds.js'
import { copyDatabase, migrate } from '../../sqlite/migrate.js'
import { withFileAsync } from '../../sqlite/open-file.js'
import { inTransaction, type Row, type Sqlite } from '../../sqlite/sqlite.js'
import { copyOut, withRowsLocked } from '../copy-out.js'
import type { Connection } from '../driver.js'
import { requireStep } from '../migrate.js'
import { countOn, fileSide, insertOf, type MovedTable } from '../move-rows.js'
import { onPrimary } from '../open.js'
import type { DatabasePlace } from '../place.js'
import { MOVED_NAMES } from './move.js'

interface SharedImport {
  readonly place: DatabasePlace
  /** An empty folder of this process; what is left in it may be deleted. */
  readonly folder: string
  readonly rows: AsyncIterable<SourceRow> | Iterable<SourceRow>
  readonly change: ImportChange
}

/** As `ImportVerb`; front ends answer meanwhile, and their changes wait or are refused. Throws TEXT_INVALID and what connecting throws. */
export const importSharedNames = ({ place, folder, rows, change }: SharedImport): Promise<ImportOutcome> =>
  onPrimary({ place, service: MOVED_NAMES.service }, async (connection) => {
    const { service, tables } = MOVED_NAMES
    await requireStep(connection, place.schema, service)
    const { outcome } = await withRowsLocked(connection, tables, () =>
      withFileAsync(join(folder, 'names.db'), 'durable', async (file) => {
        migrate(file, NAMES_FILE)
        await copyOut(connection, tables, file)
        const before = join(folder, 'before.db')
        copyDatabase(file, before)
        const imported = importVerb(file, async (work) => inTransaction(file, work))
        const outcome = await imported.importNames(rows, change)
        const keep = outcome.outcome === 'imported' && !change.isDryRun
        if (keep) await sendChanges(connection, file, before)
        return { keep, outcome }
      }),
    )
    return outcome
  })

const PAGE = 500

/** An import adds rows and changes some; it deletes none. */
async function sendChanges(connection: Connection, file: Sqlite, before: string): Promise<void> {
  file.run('ATTACH ? AS before', [before])
  for (const table of MOVED_NAMES.tables) {
    const rows = changedRows(file, table)
    for (let at = 0; at < rows.length; at += PAGE) {
      const page = rows.slice(at, at + PAGE)
      await connection.run(`${insertOf(table, page.length)} ${orUpdate(table)}`, page.flat())
    }
    if (rows.length > 0) await countOn(connection, table)
  }
}

function changedRows(file: Sqlite, table: MovedTable): readonly Row[] {
  const { cells, name } = fileSide(file)
  const columns = table.columns.join(', ')
  const from = name(table)
  const changed = `SELECT ${columns} FROM main.${from} EXCEPT SELECT ${columns} FROM before.${from}`
  return file.all(`SELECT * FROM (${changed}) ORDER BY ${table.key.join(', ')}`).map((row) => cells(row, table))
}

function orUpdate({ columns, key }: MovedTable): string {
  const others = columns.filter((column) => !key.includes(column))
  const change = others.map((column) => `${column} = excluded.${column}`).join(', ')
  return `ON CONFLICT (${key.join(', ')}) DO ${change === '' ? 'NOTHING' : `UPDATE SET ${change}`}`
}
