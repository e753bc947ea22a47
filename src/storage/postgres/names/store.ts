// The name authority's rows in PostgreSQL: several front ends and commands use them at once, and all are equal.
import type { AuthRecords, OperatorStore, PublicLookups } from '../../../authority/index.js'
import type { GrinpayError } from '../../../lib/errors.js'
import { forgetCooldowns, forgetUsed } from '../../names/changes.js'
import { exportRows } from '../../names/export.js'
import type { NameRow } from '../../names/row-kinds.js'
import { commonNameVerbs } from '../../names/store.js'
import type { NameTotals } from '../../names/totals.js'
import { hexCell } from '../../sqlite/columns.js'
import { type Runner, run, type Verb } from '../../verbs.js'
import type { Instances } from '../instances.js'
import { type OpenPostgresParts, openPostgres } from '../open.js'
import type { PostgresRandom } from '../place.js'
import { postgresRunner } from '../run-verb.js'
import { NAMES_SERVICE } from '../services.js'
import { forgetWritten } from '../upkeep.js'
import { createPublicLookups } from './public-lookups.js'

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
  const runner = tellingChanges(postgresRunner(postgres), lookups.forget)
  return {
    ...commonNameVerbs(runner, clock.now),
    ...authVerbs(runner, random),
    lookups,
    instances: postgres.instances,
    failure: postgres.failure,
    rows: () => exportRows({ all: (sql, values) => postgres.read((db) => db.all(sql, values)) }),
    close: postgres.close,
  }
}

const tellingChanges = (runner: Runner, changed: () => void): Runner => ({
  ...runner,
  // Also after a failure: the change may have taken effect.
  change: (verb) => runner.change(verb).finally(changed),
})

/** A repeat of the same call, whose first answer was lost, finds its own row. */
const RECORD = `INSERT INTO auth (id, forget_at, used_by) VALUES (?, ?, ?::uuid)
  ON CONFLICT (id) DO UPDATE SET forget_at = auth.forget_at WHERE auth.used_by = excluded.used_by`

const authVerbs = ({ repeatable }: Runner, random: PostgresRandom): AuthRecords => ({
  recordAuth(id, forgetAt) {
    const call = random.uuid()
    return repeatable(() => recordAuth(id, forgetAt, call))
  },
  async forgetAuths(now, limit, cooldownsBy = now) {
    const forgotten = await repeatable(() => forgetUsed(now, limit))
    const cooldowns = await repeatable(() => forgetCooldowns(cooldownsBy, limit - forgotten))
    await repeatable(() => forgetWritten(limit))
    return forgotten + cooldowns
  },
})

function* recordAuth(id: string, forgetAt: number, call: string): Verb<'recorded' | 'replayed'> {
  return (yield* run(RECORD, [hexCell.write(id), forgetAt, call])) === 1 ? 'recorded' : 'replayed'
}
