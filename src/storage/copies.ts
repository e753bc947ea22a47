// Copies of databases: made while a daemon runs, looked at, and made ready for a second life.
import { existsSync } from 'node:fs'
import { causedBy, messageOf } from '../lib/errors.js'
import { databaseInUse, databaseMissing, databaseNotCopied, keysExhausted } from './errors.js'
import { claimDatabase, lockPathOf } from './sqlite/claim.js'
import { CONSOLE_FILE, type DatabaseKind, EVENTS_FILE, NAMES_FILE, TILL_FILE } from './sqlite/kinds.js'
import { copyDatabase, schemaOf } from './sqlite/migrate.js'
import { naming, withFile } from './sqlite/open-file.js'
import { runVerb } from './sqlite/run-verb.js'
import { inTransaction, type Sqlite } from './sqlite/sqlite.js'
import { identityOf } from './till/identity.js'
import { type KeysAsOf, keysAsOf, raiseKeyIndex } from './till/keys.js'
import { closeEverySlate } from './till/slate-moves.js'

const KINDS = { till: TILL_FILE, names: NAMES_FILE, events: EVENTS_FILE, console: CONSOLE_FILE } as const
/** Which daemon's database a file is. */
export type DatabaseName = keyof typeof KINDS

/** What is known of a copy. */
export interface CopyFacts {
  readonly schema: number
  /** Of each table. */
  readonly rows: Readonly<Record<string, number>>
  /** Of a till that had its wallet. */
  readonly wallet: { readonly chain: string; readonly address: string } | undefined
}

/** The schema that this version makes. */
export const newestSchema = (name: DatabaseName): number => KINDS[name].steps.length

/**
 * Writes a copy of one moment to a new file (0600) while the database stays in use, of every schema up to ours. In a till's copy no secret of an
 * open invoice slate is left: a till that comes to life from it could sign a second answer with one. A console's copy holds no link and no session.
 * Throws DATABASE_MISSING, DATABASE_FOREIGN, DATABASE_NEWER, DATABASE_UNUSABLE.
 */
export function copyWhileUsed(path: string, name: DatabaseName, target: string): CopyFacts {
  if (!existsSync(path)) throw databaseMissing(path)
  const kind = KINDS[name]
  naming(path, kind, () =>
    using(path, 'merging', (db) => {
      schemaOf(db, kind)
      copying(path, () => copyDatabase(db, target))
    }),
  )
  if (name === 'till') using(target, 'copy', closeInvoiceSlates)
  if (name === 'console') using(target, 'copy', (db) => db.script('DELETE FROM link; DELETE FROM session'))
  return using(target, 'reading', (db) => factsOf(db, kind))
}

/** The copy's disk may be full or the database's disk broken; the system's message says which. */
function copying(path: string, copy: () => void): void {
  try {
    copy()
  } catch (thrown) {
    throw causedBy(databaseNotCopied(path, messageOf(thrown)), thrown)
  }
}

/** What there is of it, and what SQLite finds wrong with it; an empty list: nothing. Throws DATABASE_FOREIGN, DATABASE_NEWER, DATABASE_UNUSABLE. */
export function examineCopy(path: string, name: DatabaseName): CopyFacts & { readonly damage: readonly string[] } {
  const kind = KINDS[name]
  return naming(path, kind, () =>
    using(path, 'reading', (db) => {
      const found = db.all('PRAGMA integrity_check(5)').map(([line]) => String(line))
      const damage = found.filter((line) => line !== 'ok')
      return { ...factsOf(db, kind), damage }
    }),
  )
}

/**
 * Makes a till's copy fit to be started. `choose` says where its keys go on; nothing below is handed out again. Answers that index.
 * Throws KEYS_EXHAUSTED.
 */
export function reviveTill(path: string, choose: (known: KeysAsOf) => number): number {
  return naming(path, TILL_FILE, () =>
    using(path, 'copy', (db) => {
      closeInvoiceSlates(db)
      const next = choose(runVerb(db, keysAsOf()))
      if (next >= 2 ** 31) throw keysExhausted()
      inTransaction(db, () => runVerb(db, raiseKeyIndex(next)))
      return next
    }),
  )
}

/** Whether a daemon has claimed this database; looking leaves nothing behind. */
export function isInUse(path: string, now: number): boolean {
  if (!existsSync(lockPathOf(path))) return false
  try {
    claimDatabase(path, now).release()
    return false
  } catch (error) {
    if (databaseInUse.is(error)) return true
    throw error
  }
}

function closeInvoiceSlates(db: Sqlite): void {
  if (!tablesOf(db).includes('invoice_slate')) return
  inTransaction(db, () => runVerb(db, closeEverySlate()))
}

function factsOf(db: Sqlite, kind: DatabaseKind): CopyFacts {
  const schema = schemaOf(db, kind)
  const rows = Object.fromEntries(tablesOf(db).map((table) => [table, countOf(db, table)]))
  const known = kind === TILL_FILE ? identityOf(db) : undefined
  return { schema, rows, wallet: known && { chain: known.chain, address: known.fingerprint } }
}

/** A forged file may hold odd table names; only plain ones are queried. */
const tablesOf = (db: Sqlite): readonly string[] =>
  db
    .all("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    .map(([name]) => String(name))
    .filter((name) => /^[a-z_]+$/.test(name))

const countOf = (db: Sqlite, table: string): number => Number(db.get(`SELECT count(*) FROM "${table}"`)?.[0] ?? 0)

function using<T>(path: string, how: 'reading' | 'merging' | 'copy', work: (db: Sqlite) => T): T {
  return withFile(path, how, (db) => {
    const answer = work(db)
    db.close()
    return answer
  })
}
