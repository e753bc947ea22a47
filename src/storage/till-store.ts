// The till's database: opening it safely, and its verbs put together.
import { existsSync } from 'node:fs'
import type { TillStore } from '../till/index.js'
import { type Claim, claimDatabase } from './claim.js'
import { databaseForeign, databaseMissing, databaseOtherChain, databaseOtherSeed, databaseReadOnly } from './errors.js'
import { createPrivateFile, hasCode } from './files.js'
import { createWriteQueue, type Write } from './group-commit.js'
import { copyDatabase, migrate, requireSchema, schemaOf } from './migrate.js'
import { TILL_MIGRATIONS } from './migrations/index.js'
import { openSqlite, type Sqlite } from './sqlite.js'
import { invoiceVerbs } from './till-store-invoices.js'
import { type KeyVerbs, keyVerbs } from './till-store-keys.js'
import { outboxVerbs } from './till-store-outbox.js'
import { paymentVerbs } from './till-store-payments.js'
import { settlementVerbs } from './till-store-settlement.js'
import { userVerbs } from './till-store-users.js'

/** The store of a running till. Closing writes what was asked for before, once; it may be called again. */
export interface OpenTillStore extends TillStore, KeyVerbs {
  /** Writes a consistent copy to a new file, mode 0600. Nothing else runs in this process meanwhile: seconds for a large file. */
  copyTo(target: string): Promise<void>
  close(): Promise<void>
}

interface Identity {
  readonly path: string
  readonly chain: 'mainnet' | 'testnet' | 'usernet' | 'sandbox'
  /** Any stable public text that only this wallet's seed gives, e.g. its slatepack address. */
  readonly fingerprint: string
}

/**
 * Opens or creates the till's database and claims it for this process. A new file takes the identity it is opened with.
 * Throws DATABASE_IN_USE, DATABASE_OTHER_CHAIN, DATABASE_OTHER_SEED, DATABASE_NEWER and DATABASE_FOREIGN.
 */
export async function openTillStore(parts: Identity & { readonly now: () => number }): Promise<OpenTillStore> {
  createPrivateFile(parts.path)
  const claim = claimDatabase(parts.path, parts.now())
  try {
    const db = openFile(parts.path, 'durable')
    return guarded(db, () => {
      // Before migrating: a database that is not ours must not be touched.
      if (schemaOf(db, TILL_MIGRATIONS.length) > 0) checkIdentity(db, parts)
      migrate(db, TILL_MIGRATIONS)
      checkIdentity(db, parts)
      return assemble(db, parts.now, claim)
    })
  } catch (error) {
    claim.release()
    throw error
  }
}

/**
 * Opens the database of a till that may be running, for looking only: write verbs reject with DATABASE_READ_ONLY.
 * Throws DATABASE_MISSING, DATABASE_OLDER and what `openTillStore` throws about identity; without `fingerprint` any wallet's is taken.
 */
export async function openTillReader(
  parts: Omit<Identity, 'fingerprint'> & { readonly fingerprint?: string },
): Promise<OpenTillStore> {
  if (!existsSync(parts.path)) throw databaseMissing(parts.path)
  const db = openFile(parts.path, 'reading')
  return guarded(db, () => {
    requireSchema(db, TILL_MIGRATIONS)
    const known = identityOf(db)
    if (known) compareIdentity(parts.path, known, { fingerprint: known.fingerprint, ...parts })
    const write: Write = () => Promise.reject(databaseReadOnly(parts.path))
    return { ...verbs(db, write), ...upkeep(db, write, () => 0), close: async () => db.close() }
  })
}

/** The library reads the file's header only now; a file of another kind shows here. */
function openFile(path: string, kind: 'durable' | 'reading'): Sqlite {
  try {
    return openSqlite(path, kind)
  } catch (error) {
    throw hasCode(error, 'SQLITE_NOTADB') ? databaseForeign(path, 'it is no database at all') : error
  }
}

function guarded<T>(db: Sqlite, work: () => T): T {
  try {
    return work()
  } catch (error) {
    db.close()
    throw hasCode(error, 'SQLITE_NOTADB') ? databaseForeign(db.path, 'it is no database at all') : error
  }
}

/** Every verb of the port on one connection; `write` runs those that change anything. */
export const verbs = (db: Sqlite, write: Write) => ({
  ...invoiceVerbs(db, write),
  ...paymentVerbs(db, write),
  ...settlementVerbs(db, write),
  ...keyVerbs(db, write),
  ...outboxVerbs(db, write),
  ...userVerbs(db, write),
})

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
      try {
        // So that the one file is the whole database while no till runs.
        db.script('PRAGMA wal_checkpoint(TRUNCATE)')
      } finally {
        db.close()
        claim.release()
      }
    },
  }
}

type Known = Pick<Identity, 'fingerprint'> & { readonly chain: string }

function identityOf(db: Sqlite): Known | undefined {
  const [chain, fingerprint] = db.get('SELECT chain, fingerprint FROM meta') ?? []
  return chain === undefined ? undefined : { chain: String(chain), fingerprint: String(fingerprint) }
}

function checkIdentity(db: Sqlite, { path, chain, fingerprint, now }: Identity & { readonly now: () => number }): void {
  const known = identityOf(db)
  if (known) compareIdentity(path, known, { chain, fingerprint })
  else createIdentity(db, { path, chain, fingerprint, now })
}

function createIdentity(db: Sqlite, { chain, fingerprint, now }: Identity & { readonly now: () => number }): void {
  db.run('INSERT INTO meta (id, chain, fingerprint, created_at, checked_at) VALUES (1, ?1, ?2, ?3, ?3)', [
    chain,
    fingerprint,
    now(),
  ])
}

function compareIdentity(path: string, known: Known, wanted: Known): void {
  if (known.chain !== wanted.chain) throw databaseOtherChain(path, known.chain, wanted.chain)
  if (known.fingerprint !== wanted.fingerprint) throw databaseOtherSeed(path, known.fingerprint, wanted.fingerprint)
}
