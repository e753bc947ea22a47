// What each table is, is said once (`TILL_TABLES`, `NAME_TABLES`); rows are written, read and moved by it. Here it is compared with the tables that
// the migrations of both kinds of database really make: a column that it does not name would be lost by `store move`, with equal digests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MovedService } from '../../../src/storage/postgres/move-rows.js'
import { MOVED_NAMES } from '../../../src/storage/postgres/names/move.js'
import { MOVED_TILL } from '../../../src/storage/postgres/till/move.js'
import type { StoredTable } from '../../../src/storage/sqlite/columns.js'
import { migrate } from '../../../src/storage/sqlite/migrate.js'
import { withFile } from '../../../src/storage/sqlite/open-file.js'
import { type SingleServer, startSingleServer } from '../../support/postgres/cluster.js'
import { freshPlace, freshTillPlace } from '../../support/postgres/schemas.js'

type Tables = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What is not moved: counters that are set anew, sums that triggers keep, marks of one database, the order and leases of work. */
const STAYS = {
  till: { tables: ['wallet', 'payment_total'], columns: ['leased_until', 'leased_by', 'push.seq'] },
  names: { tables: ['meta'], columns: ['leased_until', 'leased_by', 'used_by'] },
} as const
/** Of every service in PostgreSQL (ground-schema.ts). */
const GROUND = ['schema_version', 'barrier', 'written', 'lease', 'instance']

const nameIn = (side: 'file' | 'server', { table, target = table }: StoredTable) => (side === 'file' ? table : target)

/** A file has no unsigned integers. */
const described = (side: 'file' | 'server', tables: readonly StoredTable[]): Tables =>
  Object.fromEntries(
    tables.map((one) => {
      const types = Object.entries(one.columns)
      const typed = types.map(([column, type]) => [column, side === 'file' ? type.replace('u64', 'integer') : type])
      return [nameIn(side, one), Object.fromEntries(typed)]
    }),
  )
const keysOf = (side: 'file' | 'server', tables: readonly StoredTable[]) =>
  tables.map((one) => `${nameIn(side, one)}: ${[...one.key].sort().join(',')}`)

const FILE_TYPES: Readonly<Record<string, string>> = { TEXT: 'text', INTEGER: 'integer', BLOB: 'bytes' }

/** The tables of a file that all migrations made, and the primary key of each. */
function inFile({ file }: MovedService) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-columns-'))
  try {
    return withFile(join(folder, 'new.db'), 'durable', (db) => {
      migrate(db, file)
      const tables: Record<string, Record<string, string>> = {}
      const keys: string[] = []
      for (const [table] of db.all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")) {
        const columns = db.all(`SELECT name, type, "notnull" = 0 AND pk = 0, pk FROM pragma_table_info('${table}')`)
        tables[String(table)] = Object.fromEntries(
          columns.map(([name, type, isNullable]) => [name, `${FILE_TYPES[String(type)]}${isNullable ? '?' : ''}`]),
        )
        const key = columns.filter(([, , , place]) => place !== 0n).map(([name]) => name)
        keys.push(`${table}: ${key.sort().join(',')}`)
      }
      return { tables, keys }
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const SERVER_TYPES: Readonly<Record<string, string>> = {
  text: 'text',
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  numeric: 'u64',
  bytea: 'bytes',
}
const COLUMNS = (schema: string) => `SELECT table_name, column_name, data_type, is_nullable
  FROM information_schema.columns WHERE table_schema = '${schema}'`
const UNIQUE = (schema: string) => `SELECT t.relname || ': ' || string_agg(a.attname, ',' ORDER BY a.attname) AS one
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid JOIN pg_namespace n ON n.oid = t.relnamespace
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (i.indkey::smallint[])
  WHERE i.indisunique AND i.indpred IS NULL AND n.nspname = '${schema}' GROUP BY i.indexrelid, t.relname`

let server: SingleServer
beforeAll(async () => {
  server = await startSingleServer()
})
afterAll(() => server?.stop())

/** The tables in a fresh schema, and the columns of each of its unique indexes. */
async function onServer(schema: string) {
  const [node] = server.nodes
  const tables: Record<string, Record<string, string>> = {}
  for (const { table_name, column_name, data_type, is_nullable } of await node.sql(COLUMNS(schema))) {
    const kind = SERVER_TYPES[String(data_type)] ?? String(data_type)
    const type = is_nullable === 'YES' ? `${kind}?` : kind
    tables[String(table_name)] = { ...tables[String(table_name)], [String(column_name)]: type }
  }
  return { tables, unique: (await node.sql(UNIQUE(schema))).map(({ one }) => one) }
}

describe.each([
  ['till', MOVED_TILL, freshTillPlace],
  ['names', MOVED_NAMES, freshPlace],
] as const)('%s', (name, moved, fresh) => {
  const stays: readonly string[] = STAYS[name].columns
  const left: readonly string[] = [...STAYS[name].tables, ...GROUND]
  const withoutThose = (tables: Tables): Tables =>
    Object.fromEntries(
      Object.entries(tables)
        .filter(([table]) => !left.includes(table))
        .map(([table, columns]) => [
          table,
          Object.fromEntries(
            Object.entries(columns).filter(
              ([column]) => !stays.includes(column) && !stays.includes(`${table}.${column}`),
            ),
          ),
        ]),
    )

  test('the tables of a file are the described ones', () => {
    const found = inFile(moved)
    expect(withoutThose(found.tables)).toEqual(described('file', moved.tables))
    expect(found.keys).toEqual(expect.arrayContaining(keysOf('file', moved.tables)))
  })

  test('the tables in PostgreSQL are the described ones', async () => {
    const { schema } = await fresh(server.url(), 'single')
    const found = await onServer(schema)
    expect(withoutThose(found.tables)).toEqual(described('server', moved.tables))
    expect(found.unique).toEqual(expect.arrayContaining(keysOf('server', moved.tables)))
  })
})
