// The till's rows in PostgreSQL: several instances and commands use them at once, and all are equal.

import { CLOSED_SLATE_MS } from '../../../lib/due-times.js'
import type { GrinpayError } from '../../../lib/errors.js'
import type { TillStore } from '../../../till/index.js'
import { databaseUnavailable } from '../../errors.js'
import { integerCell } from '../../sqlite/columns.js'
import type { Row } from '../../sqlite/sqlite.js'
import { pullBacks } from '../../till/due-times.js'
import { dropOldSlates, SLATE_END } from '../../till/invoice-slates.js'
import { expireDue, forgetKeys } from '../../till/invoices.js'
import { keyVerbs } from '../../till/keys.js'
import { LEASES_IN_ROWS } from '../../till/leases.js'
import { seenAtOnce } from '../../till/seen.js'
import { commonTillVerbs, type RunningTillStore } from '../../till/store.js'
import { keysAtOnce, watchVerbs } from '../../till/watch.js'
import { run, type Verb } from '../../verbs.js'
import type { ReadAnywhere } from '../any-node.js'
import type { Bell } from '../bell.js'
import type { Connection } from '../driver.js'
import { type OpenPostgres, type OpenPostgresParts, openPostgres } from '../open.js'
import { postgresRunner } from '../run-verb.js'
import { TILL_SERVICE } from '../services.js'
import type { Transactions } from '../transactions.js'
import { forgetWritten } from '../upkeep.js'
import type { Watermark } from '../watermark.js'
import { claimVerbs } from './claims.js'
import { afterwards, requireIdentity, type SharedIdentity } from './identity.js'
import { requireKeys } from './keys.js'
import { type ChooseKeyIndex, followTimeline } from './timeline.js'

export interface SharedTillStore extends RunningTillStore, Pick<OpenPostgres, 'keepLease' | 'instances'> {
  /** Of the instances of this till. */
  readonly bell: Bell
  totals(): Promise<TillTotals>
  /** Resolves with DATABASE_WENT_BACK: then the process has to stop. */
  readonly failure: Promise<GrinpayError>
}

interface TillTotals {
  readonly invoices: number
  readonly payments: number
}

export type SharedTillParts = Omit<OpenPostgresParts, 'service' | 'atOnce' | 'prepare'> &
  SharedIdentity & {
    /** For commands, which do not wait for a primary. */
    readonly mustExist?: boolean | undefined
    /** Where keys go on under another primary, and after a restore. Undefined: nothing of that is done, as for commands that only look. */
    readonly keyIndexElsewhere?: ChooseKeyIndex | undefined
  }

/** Of the ten connections of the pool, so that reads and single statements need not wait for changes. */
const CHANGES_AT_ONCE = 8

const OTHER = { promoted: 'another primary', restored: 'the rows came from elsewhere' }

/**
 * Throws what `openPostgres` throws, and DATABASE_OTHER_CHAIN, DATABASE_OTHER_SEED. Without a primary at the start every verb asks first
 * whose the schema is.
 */
export async function openSharedTill({ mustExist = false, ...parts }: SharedTillParts): Promise<SharedTillStore> {
  const { place, clock, log, keyIndexElsewhere: choose } = parts

  async function prepare(connection: Connection, watermark: Watermark): Promise<void> {
    await requireKeys(connection, watermark)
    const other = choose && (await followTimeline(connection, choose))
    if (other)
      log?.warn(
        { host: connection.host },
        `${OTHER[other]}: the key counter was raised, and open invoice slates are closed`,
      )
  }

  const options = { ...parts, prepare, service: TILL_SERVICE, atOnce: CHANGES_AT_ONCE }
  const postgres = await openPostgres(options, { mustAnswer: mustExist })
  const transactions = afterwards(postgres, async () => {
    const owner = await requireIdentity(postgres, place, parts, clock.now())
    if (owner !== undefined && parts.fingerprint !== undefined) await pullBack(postgres, clock.now())
  })
  try {
    if (!postgres.pool.trouble) await transactions.read(async () => undefined)
  } catch (error) {
    if (mustExist || !databaseUnavailable.is(error)) {
      await postgres.close()
      throw error
    }
  }
  const bell = postgres.createBell()
  return {
    ...tillVerbs(transactions, postgres.watermark.keysAcknowledged),
    ...overviewVerbs(transactions),
    ...{ bell, keepLease: postgres.keepLease, instances: postgres.instances },
    totals: () => transactions.read(async (db) => totalsOf((await db.get(TOTALS)) ?? [])),
    check: () => transactions.repeatable(async (db) => void (await db.run(CHECK, [clock.now()]))),
    failure: postgres.failure,
    async close() {
      await bell.close()
      await postgres.close()
    },
  }
}

/** Every verb of the port. `acknowledged` hears how far the counter of keys has come. */
export const tillVerbs = (transactions: Transactions, acknowledged: (next: number) => void) => {
  const runner = postgresRunner(transactions)
  const { change, repeatable } = runner
  return {
    ...commonTillVerbs(runner, LEASES_IN_ROWS),
    ...keyVerbs(runner, acknowledged),
    ...claimVerbs(runner),
    ...watchVerbs(runner, keysAtOnce),
    ...seenAtOnce(runner),
    async expireDue(now: number, limit: number) {
      await repeatable(() => forgetKeys(now, limit))
      await repeatable(() => forgetWritten(limit))
      await repeatable(addUpPayments)
      return change(() => expireDue(now, limit))
    },
    async closeInvoiceSlates(cutoff: number, limit: number) {
      const closed = await change(() => run(CLOSE_OVER, [cutoff, limit]))
      await repeatable(() => dropOldSlates(cutoff - CLOSED_SLATE_MS, limit))
      return closed
    },
  }
}

const CLOSE_OVER = `WITH over AS (
    SELECT id FROM invoice WHERE slatepack IS NOT NULL AND ${SLATE_END} <= ? ORDER BY ${SLATE_END} LIMIT ?
  ), closed AS (
    UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL FROM over WHERE invoice_id = over.id AND state = 'open'
  ) UPDATE invoice SET slatepack = NULL FROM over WHERE invoice.id = over.id`

const TOTALS = 'SELECT (SELECT count(*) FROM invoice), (SELECT count(*) FROM payment)'
const totalsOf = ([invoices = null, payments = null]: Row): TillTotals => ({
  invoices: integerCell.read(invoices),
  payments: integerCell.read(payments),
})

const CHECK = 'UPDATE meta SET checked_at = greatest(checked_at, ?) WHERE id = 1'

async function pullBack({ repeatable }: Transactions, now: number): Promise<void> {
  for (const { sql, values } of pullBacks(now)) await repeatable((db) => db.run(sql, values))
}

type OverviewVerbs = Pick<
  TillStore,
  'listInvoices' | 'listPayments' | 'backlog' | 'messageBacklog' | 'balance' | 'dayFigures'
>

/**
 * What operators, exports and metrics look at. While the primary is away it comes from a standby, and may be a little older; nothing is decided by
 * it.
 */
function overviewVerbs(transactions: Transactions & { readonly readAnywhere: ReadAnywhere }): OverviewVerbs {
  const runner = postgresRunner({ ...transactions, read: transactions.readAnywhere })
  const { listInvoices, listPayments, backlog, messageBacklog, balance, dayFigures } = commonTillVerbs(
    runner,
    LEASES_IN_ROWS,
  )
  return { listInvoices, listPayments, backlog, messageBacklog, balance, dayFigures }
}

/** The rows from which the balance is summed are added up from time to time, so that they stay few: so many at once. */
const MOST = 10_000
/** Fewer are left as they are: a till at rest writes nothing. */
const FEW = 100

/** One statement: of two processes at once, the second finds the rows of the first gone, and adds up the others. */
const ADD_UP = `WITH moved AS (
    DELETE FROM payment_total WHERE seq IN (SELECT seq FROM payment_total ORDER BY seq LIMIT ${MOST})
      AND (SELECT count(*) FROM (SELECT 1 FROM payment_total LIMIT ${FEW + 1}) AS counted) > ${FEW}
    RETURNING settlement, count, amount
  ) INSERT INTO payment_total (settlement, count, amount)
    SELECT settlement, sum(count), sum(amount) FROM moved GROUP BY settlement`

const addUpPayments = (): Verb<number> => run(ADD_UP)
