// What the operator changes. Every change leaves a line in the history, in the same transaction.
import type { AuditAction, NameShape, NameStore, OperatorStore } from '../../authority/index.js'
import { textCell } from '../sqlite/columns.js'
import { type Runner, run, type Verb } from '../verbs.js'
import { deleteGrant, findByInvoice } from './grants.js'
import type { ListVerbs } from './lists.js'
import { findActive, findOfKey, findRival } from './lookups.js'
import { note, releaseRow, takeName } from './rows.js'

type OrderVerbs = Omit<OperatorStore, keyof NameStore | keyof ListVerbs>
type Change = Parameters<OperatorStore['unreserve']>[1]
type Outcome<Order extends keyof OrderVerbs> = Awaited<ReturnType<OrderVerbs[Order]>>

const RESERVE = `INSERT INTO reserved (name, skeleton, reason, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING`
const UNRESERVE = 'DELETE FROM reserved WHERE name = ?'
const SUSPEND = 'UPDATE name SET suspended_at = ? WHERE name = ?'

export const orderVerbs = ({ change: transact }: Runner): OrderVerbs => ({
  reserve: (shape, change) => transact(() => reserve(shape, change)),
  unreserve: (name, change) => transact(() => unreserve(name, change)),
  assign: (shape, change) => transact(() => assign(shape, change)),
  evict: (shape, change) => transact(() => evict(shape, change)),
  suspend: (name, change) => transact(() => suspend(name, change)),
  voidGrant: (invoiceId, change) => transact(() => voidGrant(invoiceId, change)),
})

function* reserve({ name, skeleton }: NameShape, change: Change): Verb<Outcome<'reserve'>> {
  if ((yield* run(RESERVE, [name, skeleton, textCell.write(change.reason), change.now])) === 0) return 'exists'
  yield* noteOrder('reserve', change, { name })
  return 'reserved'
}

function* unreserve(name: string, change: Change): Verb<Outcome<'unreserve'>> {
  if ((yield* run(UNRESERVE, [name])) === 0) return 'unknown'
  yield* noteOrder('unreserve', change, { name })
  return 'unreserved'
}

function* assign(shape: NameShape, change: Parameters<OperatorStore['assign']>[1]): Verb<Outcome<'assign'>> {
  const { pubkey, replace, now } = change
  const old = yield* findOfKey(pubkey)
  if (old?.name === shape.name) return { outcome: 'held' }
  const by = yield* findRival(shape, pubkey)
  if (by) return { outcome: 'taken', by }
  if (old && !replace) return { outcome: 'has-name', name: old.name }
  if (old) {
    yield* releaseRow(old.name, now)
    yield* noteOrder('release', change, old)
  }
  yield* takeName(shape, pubkey, now)
  yield* noteOrder('assign', change, { name: shape.name, pubkey })
  return { outcome: 'assigned', released: old?.name ?? null }
}

function* evict(shape: NameShape, change: Parameters<OperatorStore['evict']>[1]): Verb<Outcome<'evict'>> {
  const held = yield* findActive(shape.name)
  if (!held) return { outcome: 'unknown' }
  const { pubkey } = held
  if (change.holder !== undefined && change.holder !== pubkey) return { outcome: 'other-holder', pubkey }
  yield* releaseRow(shape.name, change.now)
  yield* noteOrder(change.action ?? 'evict', change, held)
  if (change.reserve) yield* reserve(shape, change)
  return { outcome: 'evicted', pubkey }
}

function* suspend(name: string, change: Parameters<OperatorStore['suspend']>[1]): Verb<Outcome<'suspend'>> {
  const held = yield* findActive(name)
  if (!held) return 'unknown'
  if ((held.suspendedAt !== null) === change.suspended) return 'same'
  yield* run(SUSPEND, [change.suspended ? change.now : null, name])
  yield* noteOrder(change.suspended ? 'suspend' : 'resume', change, held)
  return 'changed'
}

function* voidGrant(invoiceId: string, change: Change): Verb<Outcome<'voidGrant'>> {
  const grant = yield* findByInvoice(invoiceId)
  if (!grant) return 'unknown'
  yield* deleteGrant(invoiceId)
  const reason = `${invoiceId}: ${change.reason}`
  yield* noteOrder('void-grant', { ...change, reason }, { pubkey: grant.pubkey })
  return 'voided'
}

const noteOrder = (
  action: AuditAction,
  { now, reason }: Change,
  { name, pubkey }: { readonly name?: string; readonly pubkey?: string },
): Verb<number> => note({ at: now, actor: 'operator', action, name: name ?? null, pubkey: pubkey ?? null, reason })
