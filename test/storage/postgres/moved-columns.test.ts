// `store move` carries every column: its digests compare what it lists, so a column that is not listed would be lost with equal digests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { MovedService } from '../../../src/storage/postgres/move-rows.js'
import { MOVED_NAMES } from '../../../src/storage/postgres/names/move.js'
import { MOVED_TILL } from '../../../src/storage/postgres/till/move.js'
import { migrate } from '../../../src/storage/sqlite/migrate.js'
import { withFile } from '../../../src/storage/sqlite/open-file.js'

type Columns = Readonly<Record<string, readonly string[]>>

/** What stays behind: counters that are set anew, sums that triggers keep, marks of one database, the order and leases of work. */
const STAYS = {
  till: { tables: ['wallet', 'payment_total'], columns: ['leased_until', 'leased_by', 'push.seq'] },
  names: { tables: ['meta'], columns: ['leased_until', 'leased_by', 'used_by'] },
} as const
/** Of every service in PostgreSQL (ground-schema.ts). */
const GROUND = ['schema_version', 'barrier', 'written', 'lease', 'instance']

/** The columns of a file that all migrations made. */
function fileColumns({ file }: MovedService): Columns {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-columns-'))
  try {
    return withFile(join(folder, 'new.db'), 'durable', (db) => {
      migrate(db, file)
      const tables = db.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      return Object.fromEntries(
        tables.map(([table]) => [
          String(table),
          db.all(`SELECT name FROM pragma_table_info('${table}')`).map(([column]) => String(column)),
        ]),
      )
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The columns that the steps of a schema make, from their text. */
function serverColumns({ service }: MovedService): Columns {
  const text = service.steps.join('\n').replace(/--.*$/gm, '')
  const columns: Record<string, string[]> = {}
  for (const [, table = '', body = ''] of text.matchAll(/CREATE (?:UNLOGGED )?TABLE (\w+) \((.*?)\n\)/gs))
    columns[table] = body.split('\n').flatMap((line) => /^ {2}([a-z_][a-z0-9_]*) /.exec(line)?.[1] ?? [])
  for (const [, table = '', column = ''] of text.matchAll(/ALTER TABLE (\w+) ADD COLUMN (\w+)/g))
    columns[table]?.push(column)
  return columns
}

describe.each([
  ['till', MOVED_TILL],
  ['names', MOVED_NAMES],
] as const)('%s', (name, moved) => {
  const tables: readonly string[] = STAYS[name].tables
  const stays: readonly string[] = STAYS[name].columns
  const without = (table: string, columns: readonly string[]) =>
    columns.filter((column) => !stays.includes(column) && !stays.includes(`${table}.${column}`)).sort()

  test('every column of every table of the file is moved', () => {
    const there = Object.entries(fileColumns(moved)).filter(([table]) => !tables.includes(table))
    const lists = moved.tables.map(({ table, columns }) => [table, [...columns].sort()] as const)
    expect(Object.fromEntries(lists)).toEqual(
      Object.fromEntries(there.map(([table, columns]) => [table, without(table, columns)])),
    )
  })

  test('every column of every table in PostgreSQL is moved back', () => {
    const there = Object.entries(serverColumns(moved)).filter(([table]) => ![...tables, ...GROUND].includes(table))
    const lists = moved.tables.map(({ table, target = table, columns }) => [target, [...columns].sort()] as const)
    expect(Object.fromEntries(lists)).toEqual(
      Object.fromEntries(there.map(([table, columns]) => [table, without(table, columns)])),
    )
  })
})
