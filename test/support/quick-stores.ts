// The real stores for tests that need many of them: each is a copy of one empty database, without a log and without waiting for the disk.
// It answers within the same turn of the event loop; that verbs share a commit is tested in test/storage.
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { OperatorStore } from '../../src/authority/index.js'
import { nameStoreVerbs } from '../../src/storage/names/store.js'
import { createPrivateFile } from '../../src/storage/sqlite/files.js'
import type { Write } from '../../src/storage/sqlite/group-commit.js'
import { type DatabaseKind, NAMES_FILE, TILL_FILE } from '../../src/storage/sqlite/kinds.js'
import { migrate } from '../../src/storage/sqlite/migrate.js'
import { inTransaction, openSqlite, type Sqlite } from '../../src/storage/sqlite/sqlite.js'
import { verbs } from '../../src/storage/till/store.js'
import { INVOICE, PAYMENT } from '../../src/storage/till/tables.js'
import type { Invoice, Payment, TillStore } from '../../src/till/index.js'
import { temporaryFolder } from './temporary-store.js'
import { NOON } from './till-builders.js'

export type Quick<T> = T & { readonly db: Sqlite }

/** Made once for each kind, and each process. */
const templates = new Map<DatabaseKind, string>()
let copies = 0

function templateOf(kind: DatabaseKind): string {
  const known = templates.get(kind)
  if (known !== undefined) return known
  const { folder, remove } = temporaryFolder()
  process.once('exit', remove)
  const path = join(folder, 'empty.db')
  createPrivateFile(path)
  const db = openSqlite(path, 'marker')
  migrate(db, kind)
  db.close()
  templates.set(kind, path)
  return path
}

/** The file has no name any more once it is open, so nothing is left of it. */
function emptyDatabase(kind: DatabaseKind): Sqlite {
  const path = `${templateOf(kind)}.${++copies}`
  copyFileSync(templateOf(kind), path)
  const db = openSqlite(path, 'marker')
  db.script('PRAGMA foreign_keys=ON; PRAGMA journal_mode=MEMORY')
  rmSync(path)
  return db
}

const writeOn =
  (db: Sqlite): Write =>
  async (verb) =>
    inTransaction(db, verb)

/** On the database of another one: as after a restart, when no work is handed out. */
export function quickTill(db: Sqlite = emptyDatabase(TILL_FILE)): Quick<TillStore> {
  return { db, ...verbs(db, writeOn(db)), check: async () => undefined }
}

export function quickNames(): Quick<OperatorStore> {
  const db = emptyDatabase(NAMES_FILE)
  return { db, ...nameStoreVerbs(db, writeOn(db), () => NOON) }
}

/** Rows as they are, for what no verb can bring about in one step. */
export function putInvoice({ db }: Quick<TillStore>, invoice: Invoice): void {
  db.run(`INSERT INTO invoice (${INVOICE.columns}) VALUES (${INVOICE.marks})`, INVOICE.values(invoice))
}
export function putPayment({ db }: Quick<TillStore>, payment: Payment): void {
  db.run(`INSERT INTO payment (${PAYMENT.columns}) VALUES (${PAYMENT.marks})`, PAYMENT.values(payment))
}
