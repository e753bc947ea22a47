// The till's database: opening it safely, and its verbs put together.
import { existsSync } from 'node:fs'
import { CLOSED_SLATE_MS } from '../../lib/due-times.js'
import type { ConsoleReads, SaleReads, TillStore } from '../../till/index.js'
import { sql } from '../dialect.js'
import { databaseMissing, databaseReadOnly } from '../errors.js'
import { type Claim, claimDatabase } from '../sqlite/claim.js'
import { integerCell, textCell } from '../sqlite/columns.js'
import { createWriteQueue, type Write } from '../sqlite/group-commit.js'
import { TILL_FILE } from '../sqlite/kinds.js'
import { copyDatabase, migrate, requireSchema, schemaOf } from '../sqlite/migrate.js'
import { requireNotMoved } from '../sqlite/moved.js'
import { createOwnFile, mergeLog, naming, withFile } from '../sqlite/open-file.js'
import { sqliteRunner } from '../sqlite/run-verb.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { all, get, type Runner, type Verb } from '../verbs.js'
import { claimVerbs } from './claims.js'
import { reportVerbs } from './confirmed-rows.js'
import { consoleVerbs } from './console.js'
import { idVerbs, saleVerbs } from './console-search.js'
import { pullBacks } from './due-times.js'
import { figureVerbs } from './figures.js'
import { checkIdentity, checkKnownIdentity, identityOf, type TillIdentity } from './identity.js'
import { dropOldSlates, invoiceSlateVerbs, SLATE_END } from './invoice-slates.js'
import { expireDue, forgetKeys, invoiceVerbs } from './invoices.js'
import { type KeyVerbs, keyVerbs } from './keys.js'
import { createTillLeases, type TillLeases } from './leases.js'
import { type TillImportVerb, tillImportVerb } from './legacy-import.js'
import { messageVerbs } from './messages.js'
import { outboxVerbs } from './outbox.js'
import { paymentVerbs } from './payments.js'
import { seenVerbs } from './seen.js'
import { settlementVerbs } from './settlement.js'
import { closeSlatesOf } from './slate-moves.js'
import { userVerbs } from './users.js'
import { useVerbs } from './uses.js'
import { keysInLists, watchVerbs } from './watch.js'

/** What a till runs on, in a file or in PostgreSQL. */
export interface RunningTillStore extends TillStore, ConsoleReads, SaleReads, KeyVerbs {
  /** The newest time in the database, epoch milliseconds: the last write was then or later. */
  newestTime(): Promise<number>
  /** Writes what was asked for before, once; it may be called again. */
  close(): Promise<void>
}

/** In a file. */
export interface OpenTillStore extends RunningTillStore, TillImportVerb {
  /** Writes a consistent copy to a new file, mode 0600. Nothing else runs in this process meanwhile: seconds for a large file. */
  copyTo(target: string): Promise<void>
}

/**
 * Opens or creates the till's database and claims it for this process. A new file takes the identity it is opened with.
 * Throws DATABASE_IN_USE, DATABASE_OTHER_CHAIN, DATABASE_OTHER_SEED, DATABASE_NEWER, DATABASE_FOREIGN, DATABASE_UNUSABLE.
 */
export async function openTillStore(parts: TillIdentity & { readonly now: () => number }): Promise<OpenTillStore> {
  return naming(parts.path, TILL_FILE, () => {
    createOwnFile(parts.path, TILL_FILE)
    const claim = claimDatabase(parts.path, parts.now())
    try {
      return withFile(parts.path, 'durable', (db) => {
        // Before migrating: a database that is not ours must not be touched.
        if (schemaOf(db, TILL_FILE) > 0) checkIdentity(db, parts)
        migrate(db, TILL_FILE)
        checkIdentity(db, parts)
        requireNotMoved(db)
        for (const { sql, values } of pullBacks(parts.now())) db.run(sql, values)
        return assemble(db, parts.now, claim)
      })
    } catch (error) {
      claim.release()
      throw error
    }
  })
}

/** Read-only access to the store. */
export interface TillReader extends OpenTillStore {
  /** The fingerprint of the wallet; undefined while no wallet has claimed the database. */
  readonly fingerprint: string | undefined
}

/**
 * Opens the database of a till that may be running, for looking only: write verbs reject with DATABASE_READ_ONLY.
 * Throws DATABASE_MISSING, DATABASE_OLDER and what `openTillStore` throws about identity; without `fingerprint` that of whichever wallet is taken.
 */
export async function openTillReader(
  parts: Omit<TillIdentity, 'fingerprint'> & { readonly fingerprint?: string },
): Promise<TillReader> {
  if (!existsSync(parts.path)) throw databaseMissing(parts.path)
  return naming(parts.path, TILL_FILE, () =>
    withFile(parts.path, 'reading', (db) => {
      requireSchema(db, TILL_FILE)
      requireNotMoved(db)
      checkKnownIdentity(db, parts)
      const write: Write = () => Promise.reject(databaseReadOnly(parts.path))
      const { fingerprint } = identityOf(db) ?? {}
      return { ...verbs(db, write), ...upkeep(db, write, () => 0), fingerprint, close: async () => db.close() }
    }),
  )
}

/** What is the same in both kinds of database. */
export const commonTillVerbs = (runner: Runner, leases: TillLeases) => ({
  ...invoiceVerbs(runner),
  ...paymentVerbs(runner, leases.checks),
  ...settlementVerbs(runner, leases.checks),
  ...figureVerbs(runner),
  ...outboxVerbs(runner, leases.deliveries),
  ...userVerbs(runner),
  ...useVerbs(runner),
  ...messageVerbs(runner, leases.messages),
  ...idVerbs(runner),
  ...reportVerbs(runner),
  ...invoiceSlateVerbs(runner, leases.pushes),
  ...consoleVerbs(runner),
  ...saleVerbs(runner),
  newestTime: () => runner.read(newestTime),
})

/** Each from the end of an index. */
const NEWEST = [
  ['checked_at', 'meta'],
  ['created_at', 'invoice'],
  ['created_at', 'payment'],
  ['created_at', 'event'],
  ['at', 'seen'],
] as const
const NEWEST_TIME = sql(({ greatest }) => {
  const times = NEWEST.map(([column, table]) => `coalesce((SELECT max(${column}) FROM ${table}), 0)`)
  return `SELECT ${greatest(...times)}`
})

function* newestTime(): Verb<number> {
  return integerCell.read((yield* get(NEWEST_TIME))?.[0] ?? null)
}

/** Every verb of the port on one connection; `write` runs those that change anything. */
export function verbs(db: Sqlite, write: Write) {
  const [runner, leases] = [sqliteRunner(db, write), createTillLeases()]
  return {
    ...commonTillVerbs(runner, leases),
    ...keyVerbs(runner),
    ...claimVerbs(db, leases),
    ...watchVerbs(runner, keysInLists),
    ...seenVerbs(runner),
    ...tillImportVerb(db, write),
    expireDue: (now: number, limit: number) => runner.change(() => expireAndForget(now, limit)),
    closeInvoiceSlates: (cutoff: number, limit: number) => runner.change(() => closeOverSlates(cutoff, limit)),
  }
}

function* expireAndForget(now: number, limit: number): Verb<readonly string[]> {
  yield* forgetKeys(now, limit)
  return yield* expireDue(now, limit)
}

const OVER = `SELECT id FROM invoice INDEXED BY invoice_slate_end WHERE slatepack IS NOT NULL AND ${SLATE_END} <= ?
  ORDER BY ${SLATE_END} LIMIT ?`

/** Closes the slates of invoices that ended by `cutoff`, and drops old ones; answers how many invoices there were. */
function* closeOverSlates(cutoff: number, limit: number): Verb<number> {
  const over = yield* all(OVER, [cutoff, limit])
  for (const [id = null] of over) yield* closeSlatesOf(textCell.read(id))
  yield* dropOldSlates(cutoff - CLOSED_SLATE_MS, limit)
  return over.length
}

const upkeep = (db: Sqlite, write: Write, now: () => number) => ({
  check: () => write(() => void db.run('UPDATE meta SET checked_at = ?', [now()])),
  copyTo: async (target: string) => copyDatabase(db, target),
})

function assemble(db: Sqlite, now: () => number, claim: Claim): OpenTillStore {
  const { write, close } = createWriteQueue(db)
  let open = true
  return {
    ...verbs(db, write),
    ...upkeep(db, write, now),
    async close() {
      if (!open) return
      open = false
      close()
      mergeLog(db)
      db.close()
      claim.release()
    },
  }
}
