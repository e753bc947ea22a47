// Claiming and releasing a name, and the signed requests that were used for it.
import type {
  AuthRecords,
  ClaimOutcome,
  NameChanges,
  NameClaim,
  NameReads,
  NameRelease,
} from '../../../authority/index.js'
import { hexCell } from '../../sqlite/columns.js'
import type { Queries } from '../change.js'
import type { PostgresRandom } from '../place.js'
import type { Transactions } from '../transactions.js'
import { forgetWritten } from '../upkeep.js'
import { spendPaidName } from './grants.js'
import { cooldownOf, findActive, findAvailability, findKey, findOfKey, findReserved, findRival } from './lookups.js'
import { armCooldown, note, releaseRow, takeName } from './rows.js'

const PAID = "SELECT 1 FROM paid_grant WHERE pubkey = ? AND resource = 'name' AND status = 'paid'"
/** A repeat of the same call, whose first answer was lost, finds its own row. */
const RECORD = `INSERT INTO auth (id, forget_at, used_by) VALUES (?, ?, ?::uuid)
  ON CONFLICT (id) DO UPDATE SET forget_at = auth.forget_at WHERE auth.used_by = excluded.used_by`
const FORGET = 'DELETE FROM auth WHERE id IN (SELECT id FROM auth WHERE forget_at <= ? ORDER BY forget_at LIMIT ?)'
const FORGET_COOLDOWNS =
  'DELETE FROM cooldown WHERE pubkey IN (SELECT pubkey FROM cooldown WHERE until <= ? ORDER BY until LIMIT ?)'

/** The lookups; each asks the primary anew, so a change of another front end counts at once. */
export function nameReads({ read }: Transactions): NameReads {
  return {
    activeName: (name) => read((db) => findActive(db, name)),
    keyOfName: (name) => read((db) => findKey(db, name)),
    nameOfKey: (pubkey) => read((db) => findOfKey(db, pubkey)),
    rivalOf: (shape, exceptKey) => read((db) => findRival(db, shape, exceptKey)),
    reservedLike: (shape) => read((db) => findReserved(db, shape)),
    availabilityOf: (shape) => read((db) => findAvailability(db, shape)),
    cooldownUntil: (pubkey) => read((db) => cooldownOf(db, pubkey)),
  }
}

export function authVerbs({ repeatable }: Transactions, random: PostgresRandom): AuthRecords {
  return {
    recordAuth(id, forgetAt) {
      const call = random.uuid()
      return repeatable(async (db) =>
        (await db.run(RECORD, [hexCell.write(id), forgetAt, call])) === 1 ? 'recorded' : 'replayed',
      )
    },
    async forgetAuths(now, limit) {
      const forgotten = await repeatable((db) => db.run(FORGET, [now, limit]))
      const cooldowns = await repeatable((db) => db.run(FORGET_COOLDOWNS, [now, limit - forgotten]))
      await repeatable((db) => forgetWritten(db, limit))
      return forgotten + cooldowns
    },
  }
}

export function nameVerbs({ change }: Transactions): NameChanges {
  return {
    claimName: (claim) => change((db) => claimName(db, claim)),
    releaseName: (release) => change((db) => releaseName(db, release)),
  }
}

async function claimName(db: Queries, claim: NameClaim): Promise<ClaimOutcome> {
  const { shape, pubkey, now, cooldownMs, paid } = claim
  const old = await findOfKey(db, pubkey)
  if (old?.name === shape.name) return { outcome: 'held' }
  if (old && old.suspendedAt !== null) return { outcome: 'suspended' }
  if ((await cooldownOf(db, pubkey)) > now) return { outcome: 'cooldown' }
  if (await findReserved(db, shape)) return { outcome: 'reserved' }
  if (await findRival(db, shape, pubkey)) return { outcome: 'taken' }
  if (paid && !(await db.get(PAID, [hexCell.write(pubkey)]))) return { outcome: 'unpaid' }
  if (old) await releaseAndStartCooldown(db, { name: old.name, pubkey, now, cooldownMs })
  await takeName(db, shape, pubkey, now)
  if (paid) await spendPaidName(db, pubkey)
  await note(db, { at: now, actor: 'holder', action: 'claim', name: shape.name, pubkey, reason: null })
  return { outcome: 'claimed', released: old?.name ?? null }
}

async function releaseName(
  db: Queries,
  release: NameRelease,
): Promise<Awaited<ReturnType<NameChanges['releaseName']>>> {
  const held = await findActive(db, release.name)
  if (!held) return 'unknown'
  if (held.pubkey !== release.pubkey) return 'not-owner'
  if (held.suspendedAt !== null) return 'suspended'
  await releaseAndStartCooldown(db, release)
  return 'released'
}

async function releaseAndStartCooldown(db: Queries, { name, pubkey, now, cooldownMs }: NameRelease): Promise<void> {
  await releaseRow(db, name, now)
  await armCooldown(db, pubkey, now, cooldownMs)
  await note(db, { at: now, actor: 'holder', action: 'release', name, pubkey, reason: null })
}
