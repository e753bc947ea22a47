// Claiming and releasing a name, and the signed requests that were used for it.
import type { ClaimOutcome, NameChanges, NameClaim, NameRelease } from '../../authority/index.js'
import { hexCell } from '../sqlite/columns.js'
import { exists, type Runner, run, type Verb } from '../verbs.js'
import { spendPaidName } from './grants.js'
import { cooldownOf, findActive, findOfKey, findReserved, findRival } from './lookups.js'
import { armCooldown, note, releaseRow, takeName } from './rows.js'

const PAID = "SELECT 1 FROM paid_grant WHERE pubkey = ? AND resource = 'name' AND status = 'paid'"
const FORGET = 'DELETE FROM auth WHERE id IN (SELECT id FROM auth WHERE forget_at <= ? ORDER BY forget_at LIMIT ?)'
const FORGET_COOLDOWNS =
  'DELETE FROM cooldown WHERE pubkey IN (SELECT pubkey FROM cooldown WHERE until <= ? ORDER BY until LIMIT ?)'

/** Signed requests that were used, up to `now`; at most `limit`. */
export const forgetUsed = (now: number, limit: number): Verb<number> => run(FORGET, [now, limit])
/** Cooldowns that ended by `now`; at most `limit`. */
export const forgetCooldowns = (now: number, limit: number): Verb<number> => run(FORGET_COOLDOWNS, [now, limit])

export const nameVerbs = ({ change }: Runner): NameChanges => ({
  claimName: (claim) => change(() => claimName(claim)),
  releaseName: (release) => change(() => releaseName(release)),
})

function* claimName({ shape, pubkey, now, cooldownMs, paid }: NameClaim): Verb<ClaimOutcome> {
  const old = yield* findOfKey(pubkey)
  if (old?.name === shape.name) return { outcome: 'held' }
  if (old && old.suspendedAt !== null) return { outcome: 'suspended' }
  if ((yield* cooldownOf(pubkey)) > now) return { outcome: 'cooldown' }
  if (yield* findReserved(shape)) return { outcome: 'reserved' }
  if (yield* findRival(shape, pubkey)) return { outcome: 'taken' }
  if (paid && !(yield* exists(PAID, [hexCell.write(pubkey)]))) return { outcome: 'unpaid' }
  if (old) yield* releaseAndStartCooldown({ name: old.name, pubkey, now, cooldownMs })
  yield* takeName(shape, pubkey, now)
  if (paid) yield* spendPaidName(pubkey)
  yield* note({ at: now, actor: 'holder', action: 'claim', name: shape.name, pubkey, reason: null })
  return { outcome: 'claimed', released: old?.name ?? null }
}

function* releaseName(release: NameRelease): Verb<'released' | 'unknown' | 'not-owner' | 'suspended'> {
  const held = yield* findActive(release.name)
  if (!held) return 'unknown'
  if (held.pubkey !== release.pubkey) return 'not-owner'
  if (held.suspendedAt !== null) return 'suspended'
  yield* releaseAndStartCooldown(release)
  return 'released'
}

function* releaseAndStartCooldown({ name, pubkey, now, cooldownMs }: NameRelease): Verb<void> {
  yield* releaseRow(name, now)
  yield* armCooldown(pubkey, now, cooldownMs)
  yield* note({ at: now, actor: 'holder', action: 'release', name, pubkey, reason: null })
}
