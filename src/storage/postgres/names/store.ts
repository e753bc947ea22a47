// The name authority's rows in PostgreSQL: several front ends and commands use them at once, and all are equal.
import type { OperatorStore, PublicLookups } from '../../../authority/index.js'
import type { GrinpayError } from '../../../lib/errors.js'
import { exportRows } from '../../names/export.js'
import type { NameRow } from '../../names/row-kinds.js'
import { type NameTotals, readTotals, TOTALS } from '../../names/totals.js'
import type { Instances } from '../instances.js'
import { type OpenPostgres, type OpenPostgresParts, openPostgres } from '../open.js'
import { NAMES_SERVICE } from '../services.js'
import type { Transactions } from '../transactions.js'
import { authVerbs, nameReads, nameVerbs } from './changes.js'
import { grantVerbs } from './grants.js'
import { listVerbs } from './lists.js'
import { offerVerbs } from './offers.js'
import { orderVerbs } from './operator.js'
import { createPublicLookups } from './public-lookups.js'
import { POSTGRES_PLACES } from './tables.js'

export interface SharedNameStore extends OperatorStore {
  /** Everything in it, as `OpenNameStore` gives it. */
  rows(): AsyncIterable<NameRow>
  /** For the public pages: up to two seconds old, and from a standby while the primary is away. */
  readonly lookups: PublicLookups
  totals(): Promise<NameTotals>
  readonly instances: Instances
  /** Resolves with DATABASE_WENT_BACK: then the process has to stop. */
  readonly failure: Promise<GrinpayError>
  close(): Promise<void>
}

export type SharedNameParts = Omit<OpenPostgresParts, 'service'> & {
  /** For commands, which do not wait for a primary. */
  readonly mustExist?: boolean | undefined
}

/** Throws what `openPostgres` throws. */
export async function openSharedNames({ mustExist = false, ...parts }: SharedNameParts): Promise<SharedNameStore> {
  const postgres = await openPostgres({ ...parts, service: NAMES_SERVICE }, { mustAnswer: mustExist })
  const { clock, random } = parts
  const lookups = createPublicLookups(postgres, clock)
  const transactions = tellingChanges(postgres, lookups.forget)
  return {
    ...nameReads(transactions),
    ...authVerbs(transactions, random),
    ...nameVerbs(transactions),
    ...grantVerbs(transactions),
    ...offerVerbs(transactions),
    ...listVerbs(transactions),
    ...orderVerbs(transactions),
    check: () =>
      transactions.repeatable(async (db) => void (await db.run('UPDATE meta SET checked_at = ?', [clock.now()]))),
    lookups,
    instances: postgres.instances,
    failure: postgres.failure,
    rows: () => exportRows({ all: (sql, values) => transactions.read((db) => db.all(sql, values)) }, POSTGRES_PLACES),
    totals: () => transactions.read(async (db) => readTotals(await db.get(TOTALS))),
    close: postgres.close,
  }
}

const tellingChanges = (transactions: OpenPostgres, changed: () => void): Transactions => ({
  read: transactions.read,
  repeatable: transactions.repeatable,
  // Also after a failure: the change may have taken effect.
  change: (verb) => transactions.change(verb).finally(changed),
})
