// Claiming and releasing a name, and the signed requests that were used for it.
import type {
  AuthRecords,
  ClaimOutcome,
  NameChanges,
  NameClaim,
  NameReads,
  NameRelease,
} from '../../authority/index.js'
import { hexCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { cooldownOf, findActive, findAvailability, findKey, findOfKey, findReserved, findRival } from './lookups.js'
import { armCooldown, note, releaseRow, takeName } from './rows.js'

const PAID = "SELECT 1 FROM paid_grant WHERE pubkey = ? AND resource = 'name' AND status = 'paid'"
const SPEND = "DELETE FROM paid_grant WHERE pubkey = ? AND resource = 'name'"
const RECORD = 'INSERT INTO auth (id, forget_at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING'
const FORGET = 'DELETE FROM auth WHERE id IN (SELECT id FROM auth WHERE forget_at <= ? ORDER BY forget_at LIMIT ?)'
const FORGET_COOLDOWNS =
  'DELETE FROM cooldown WHERE pubkey IN (SELECT pubkey FROM cooldown WHERE until <= ? ORDER BY until LIMIT ?)'

/** The lookups; each asks the database anew, so another process's changes count at once. */
export function nameReads(db: Sqlite): NameReads {
  return {
    activeName: async (name) => findActive(db, name),
    keyOfName: async (name) => findKey(db, name),
    nameOfKey: async (pubkey) => findOfKey(db, pubkey),
    rivalOf: async (shape, exceptKey) => findRival(db, shape, exceptKey),
    reservedLike: async (shape) => findReserved(db, shape),
    availabilityOf: async (shape) => findAvailability(db, shape),
    cooldownUntil: async (pubkey) => cooldownOf(db, pubkey),
  }
}

/** The verbs on one connection; `write` runs those that change anything. */
export function authVerbs(db: Sqlite, write: Write): AuthRecords {
  return {
    recordAuth: (id, forgetAt) =>
      write(() => (db.run(RECORD, [hexCell.write(id), forgetAt]) === 1 ? 'recorded' : 'replayed')),
    forgetAuths: (now, limit) =>
      write(() => {
        const forgotten = db.run(FORGET, [now, limit])
        return forgotten + db.run(FORGET_COOLDOWNS, [now, limit - forgotten])
      }),
  }
}

/** The verbs on one connection; `write` runs those that change anything. */
export function nameVerbs(db: Sqlite, write: Write): NameChanges {
  return {
    claimName: (claim) => write(() => claimName(db, claim)),
    releaseName: (release) => write(() => releaseName(db, release)),
  }
}

function claimName(db: Sqlite, { shape, pubkey, now, cooldownMs, paid }: NameClaim): ClaimOutcome {
  const old = findOfKey(db, pubkey)
  if (old?.name === shape.name) return { outcome: 'held' }
  if (old && old.suspendedAt !== null) return { outcome: 'suspended' }
  if (cooldownOf(db, pubkey) > now) return { outcome: 'cooldown' }
  if (findReserved(db, shape)) return { outcome: 'reserved' }
  if (findRival(db, shape, pubkey)) return { outcome: 'taken' }
  if (paid && !db.get(PAID, [hexCell.write(pubkey)])) return { outcome: 'unpaid' }
  if (old) releaseAndStartCooldown(db, { name: old.name, pubkey, now, cooldownMs })
  takeName(db, shape, pubkey, now)
  if (paid) db.run(SPEND, [hexCell.write(pubkey)])
  note(db, { at: now, actor: 'holder', action: 'claim', name: shape.name, pubkey, reason: null })
  return { outcome: 'claimed', released: old?.name ?? null }
}

function releaseName(db: Sqlite, release: NameRelease): 'released' | 'unknown' | 'not-owner' | 'suspended' {
  const held = findActive(db, release.name)
  if (!held) return 'unknown'
  if (held.pubkey !== release.pubkey) return 'not-owner'
  if (held.suspendedAt !== null) return 'suspended'
  releaseAndStartCooldown(db, release)
  return 'released'
}

function releaseAndStartCooldown(db: Sqlite, { name, pubkey, now, cooldownMs }: NameRelease): void {
  releaseRow(db, name, now)
  armCooldown(db, pubkey, now, cooldownMs)
  note(db, { at: now, actor: 'holder', action: 'release', name, pubkey, reason: null })
}
