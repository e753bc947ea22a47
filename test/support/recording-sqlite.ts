// A connection that notes every statement it runs, and tells how SQLite would go about it.
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createPrivateFile } from '../../src/storage/sqlite/files.js'
import type { DatabaseKind } from '../../src/storage/sqlite/kinds.js'
import { migrate } from '../../src/storage/sqlite/migrate.js'
import { openSqlite, type Sqlite } from '../../src/storage/sqlite/sqlite.js'
import { temporaryFolder } from './temporary-store.js'

export function recordingSqlite(kind: DatabaseKind) {
  const { folder, remove } = temporaryFolder()
  const path = join(folder, 'data.db')
  createPrivateFile(path)
  const real = openSqlite(path, 'durable')
  migrate(real, kind)
  onTestFinished(() => {
    real.close()
    remove()
  })
  const statements = new Set<string>()
  const noted = (sql: string) => {
    statements.add(sql)
    return sql
  }
  const db: Sqlite = {
    ...real,
    get inTransaction() {
      return real.inTransaction
    },
    run: (sql, values) => real.run(noted(sql), values),
    get: (sql, values) => real.get(noted(sql), values),
    all: (sql, values) => real.all(noted(sql), values),
  }
  /** The steps of one statement, e.g. "SEARCH name USING INDEX …". */
  const plan = (sql: string) => {
    const holes = sql.match(/\?\d*/g) ?? []
    const wanted = Math.max(holes.length, ...holes.map((hole) => Number(hole.slice(1))))
    return real.all(`EXPLAIN QUERY PLAN ${sql}`, Array(wanted).fill(null)).map((row) => String(row[3]))
  }
  return { db, statements, plan }
}
