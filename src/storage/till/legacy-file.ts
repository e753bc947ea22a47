// The database of the till before this one (specification: invoicing, 12), for looking only. Columns may be missing or more; what they hold
// is judged elsewhere.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../lib/errors.js'
import type { LegacyRow, LegacyTill } from '../../till/index.js'
import { tillImportUnknown } from '../errors.js'
import { ownerOf, TILL_FILE } from '../sqlite/kinds.js'
import { naming, withFile } from '../sqlite/open-file.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'

/** Without these columns it is something else's table of that name. */
const TABLES = {
  invoice: ['id', 'status', 'created_at', 'token', 'expected_amount'],
  payment: ['id', 'status', 'amount', 'kernel', 'created_at'],
  user: ['id', 'epoch'],
  endpub_assignment: ['user_id', 'epoch', 'pubkey'],
  webhook_delivery: ['id', 'event_type', 'body', 'attempts', 'delivered'],
} as const
type TableName = keyof typeof TABLES
/** Those that every edition of it had. */
const NEEDED: readonly TableName[] = ['invoice', 'payment']

const PAGE = 500

/** All of its rows. Throws TILL_IMPORT_UNKNOWN for every other file, DATABASE_UNUSABLE. */
export function readLegacyTill(path: string): LegacyTill {
  if (!existsSync(path)) throw tillImportUnknown(path, 'there is no such file')
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-'))
  try {
    return naming(path, TILL_FILE, () => withFile(copyOf(path, folder), 'reading', (db) => read(db, path)))
  } catch (error) {
    if (hasCode(error, 'DATABASE_FOREIGN')) throw tillImportUnknown(path, 'it is no database at all')
    throw error
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Copies the database with its log. The last connection to close merges the two, and the old till's files must stay unchanged. */
function copyOf(path: string, folder: string): string {
  const copy = join(folder, 'old.db')
  copyFileSync(path, copy)
  if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`)
  return copy
}

function read(db: Sqlite, path: string): LegacyTill {
  const owner = ownerOf(Number(db.get('PRAGMA application_id')?.[0] ?? 0))
  if (owner !== undefined) throw tillImportUnknown(path, `it belongs to a ${owner} of grinpay`)
  for (const table of NEEDED)
    if (columnsOf(db, table).length === 0) throw tillImportUnknown(path, `it has no table "${table}" of a till`)
  const legacy = {
    invoices: rowsOf(db, 'invoice'),
    payments: rowsOf(db, 'payment'),
    users: rowsOf(db, 'user'),
    endpubs: rowsOf(db, 'endpub_assignment'),
    deliveries: rowsOf(db, 'webhook_delivery'),
  }
  db.close()
  return legacy
}

/** None when the table is not there, or is another's. */
function columnsOf(db: Sqlite, table: TableName): readonly string[] {
  const columns = db.all('SELECT name FROM pragma_table_info(?)', [table]).map(([name]) => String(name))
  return TABLES[table].every((needed) => columns.includes(needed)) ? columns : []
}

/** In the order in which they were written. */
function rowsOf(db: Sqlite, table: TableName): readonly LegacyRow[] {
  const columns = columnsOf(db, table)
  if (columns.length === 0) return []
  const list = columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
  const page = `SELECT ${list}, rowid FROM "${table}" WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`
  const found: LegacyRow[] = []
  for (let last: Row[number] = -(2n ** 63n); ; ) {
    const rows = db.all(page, [last])
    for (const row of rows)
      found.push({
        place: `${table} row ${found.length + 1}`,
        cells: Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])),
      })
    last = rows.at(-1)?.at(-1) ?? null
    if (rows.length < PAGE) return found
  }
}
