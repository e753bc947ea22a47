// The name authority's database: opening it safely, and its verbs put together. Several processes may have it open at once:
// the daemon and the operator's commands. What must not happen twice is prevented in the database, not by who came first.
import { existsSync } from 'node:fs'
import type { AuthRecords, OperatorStore } from '../../authority/index.js'
import { databaseMissing, databaseReadOnly } from '../errors.js'
import { hexCell } from '../sqlite/columns.js'
import { createWriteQueue, type Write } from '../sqlite/group-commit.js'
import { NAMES_FILE } from '../sqlite/kinds.js'
import { copyDatabase, migrate, requireSchema } from '../sqlite/migrate.js'
import { requireNotMoved } from '../sqlite/moved.js'
import { closeOnce, createOwnFile, naming, withFile } from '../sqlite/open-file.js'
import { sqliteRunner } from '../sqlite/run-verb.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { type Runner, run, type Verb } from '../verbs.js'
import { forgetCooldowns, forgetUsed, nameVerbs } from './changes.js'
import { exportRows } from './export.js'
import { grantVerbs } from './grants.js'
import { type ImportVerb, importVerb } from './import.js'
import { listVerbs } from './lists.js'
import { nameReads } from './lookups.js'
import { offerVerbs } from './offers.js'
import { orderVerbs } from './operator.js'
import type { NameRow } from './row-kinds.js'
import { type NameTotals, nameTotals } from './totals.js'

/** The store of a running authority or of a command. Closing writes what was asked for before, once; it may be called again. */
export interface OpenNameStore extends OperatorStore, ImportVerb {
  /** Everything in it, for another database: see `formatNameRow`, `openNameSource`. */
  rows(): AsyncIterable<NameRow>
  totals(): Promise<NameTotals>
  /** Writes a consistent copy to a new file, mode 0600. Nothing else runs in this process meanwhile: seconds for a large file. */
  copyTo(target: string): Promise<void>
  close(): Promise<void>
}

/**
 * Opens or creates the database of a name authority; no process has it alone. `mustExist`: for commands, which neither create
 * it nor migrate it under a running daemon.
 * Throws DATABASE_MISSING, DATABASE_OLDER (both with `mustExist`), DATABASE_NEWER, DATABASE_FOREIGN, DATABASE_UNUSABLE.
 */
export async function openNameStore(parts: {
  readonly path: string
  readonly now: () => number
  readonly mustExist?: boolean
}): Promise<OpenNameStore> {
  const { path, now, mustExist = false } = parts
  if (mustExist && !existsSync(path)) throw databaseMissing(path)
  return naming(path, NAMES_FILE, () => {
    createOwnFile(path, NAMES_FILE)
    return withFile(path, 'durable', (db) => {
      if (mustExist) requireSchema(db, NAMES_FILE)
      else migrate(db, NAMES_FILE)
      requireNotMoved(db)
      // The inner pages of a million names fit into it, the system's cache has the rest.
      db.script('PRAGMA cache_size=-4096')
      return assemble(db, now)
    })
  })
}

/** Opens the database for looking only: write verbs reject with DATABASE_READ_ONLY. Throws DATABASE_MISSING, DATABASE_OLDER and the like. */
export async function openNameReader({ path }: { readonly path: string }): Promise<OpenNameStore> {
  if (!existsSync(path)) throw databaseMissing(path)
  return naming(path, NAMES_FILE, () =>
    withFile(path, 'reading', (db) => {
      requireSchema(db, NAMES_FILE)
      requireNotMoved(db)
      const write: Write = () => Promise.reject(databaseReadOnly(path))
      return { ...nameStoreVerbs(db, write, () => 0), close: async () => db.close() }
    }),
  )
}

type CommonVerbs = Omit<OperatorStore, keyof AuthRecords> & Pick<OpenNameStore, 'totals'>

/** What is the same in both kinds of database. `now`: epoch milliseconds. */
export const commonNameVerbs = (runner: Runner, now: () => number): CommonVerbs => ({
  ...nameReads(runner),
  ...nameVerbs(runner),
  ...grantVerbs(runner),
  ...offerVerbs(runner),
  ...listVerbs(runner),
  ...orderVerbs(runner),
  check: () => runner.repeatable(() => noteCheck(now())),
  totals: () => runner.read(nameTotals),
})

function* noteCheck(now: number): Verb<void> {
  yield* run('UPDATE meta SET checked_at = ?', [now])
}

/** Every verb on one connection; `write` runs those that change anything. */
export const nameStoreVerbs = (db: Sqlite, write: Write, now: () => number): Omit<OpenNameStore, 'close'> => {
  const runner = sqliteRunner(db, write)
  return {
    ...commonNameVerbs(runner, now),
    ...authVerbs(runner),
    ...importVerb(db, write),
    rows: () => exportRows(db),
    copyTo: async (target) => copyDatabase(db, target),
  }
}

const RECORD = 'INSERT INTO auth (id, forget_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING'

const authVerbs = ({ change }: Runner): AuthRecords => ({
  recordAuth: (id, forgetAt) => change(() => recordAuth(id, forgetAt)),
  forgetAuths: (now, limit, cooldownsBy = now) => change(() => forgetAuths(now, limit, cooldownsBy)),
})

function* recordAuth(id: string, forgetAt: number): Verb<'recorded' | 'replayed'> {
  return (yield* run(RECORD, [hexCell.write(id), forgetAt])) === 1 ? 'recorded' : 'replayed'
}

function* forgetAuths(now: number, limit: number, cooldownsBy: number): Verb<number> {
  const forgotten = yield* forgetUsed(now, limit)
  return forgotten + (yield* forgetCooldowns(cooldownsBy, limit - forgotten))
}

function assemble(db: Sqlite, now: () => number): OpenNameStore {
  const { write, close } = createWriteQueue(db)
  return { ...nameStoreVerbs(db, write, now), close: closeOnce(db, close) }
}
