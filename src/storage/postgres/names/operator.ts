// What the operator changes. Every change leaves a line in the history, in the same transaction.
import type { AuditAction, NameShape, NameStore, OperatorStore } from '../../../authority/index.js'
import type { ListVerbs } from '../../names/lists.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'
import { deleteGrant, findByInvoice } from './grants.js'
import { findActive, findOfKey, findRival } from './lookups.js'
import { note, releaseRow, takeName } from './rows.js'

type OrderVerbs = Omit<OperatorStore, keyof NameStore | keyof ListVerbs>
type Change = Parameters<OperatorStore['unreserve']>[1]

const RESERVE = `INSERT INTO reserved (name, skeleton, reason, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING`
const SUSPEND = 'UPDATE name SET suspended_at = ? WHERE name = ?'

export function orderVerbs({ change: transact }: Transactions): OrderVerbs {
  return {
    reserve: (shape, change) => transact(async (db) => ((await reserve(db, shape, change)) ? 'reserved' : 'exists')),
    unreserve: (name, change) =>
      transact(async (db) => {
        if ((await db.run('DELETE FROM reserved WHERE name = ?', [name])) === 0) return 'unknown'
        await noteOrder(db, 'unreserve', change, { name })
        return 'unreserved'
      }),
    assign: (shape, change) => transact((db) => assign(db, shape, change)),
    evict: (shape, change) => transact((db) => evict(db, shape, change)),
    suspend: (name, change) => transact((db) => suspend(db, name, change)),
    voidGrant: (invoiceId, change) =>
      transact(async (db) => {
        const grant = await findByInvoice(db, invoiceId)
        if (!grant) return 'unknown'
        await deleteGrant(db, invoiceId)
        const reason = `${invoiceId}: ${change.reason}`
        await noteOrder(db, 'void-grant', { ...change, reason }, { pubkey: grant.pubkey })
        return 'voided'
      }),
  }
}

async function reserve(db: Queries, { name, skeleton }: NameShape, change: Change): Promise<boolean> {
  if ((await db.run(RESERVE, [name, skeleton, change.reason, change.now])) === 0) return false
  await noteOrder(db, 'reserve', change, { name })
  return true
}

type Assignment = Parameters<OperatorStore['assign']>[1]

async function assign(db: Queries, shape: NameShape, change: Assignment): ReturnType<OperatorStore['assign']> {
  const { pubkey, replace, now } = change
  const old = await findOfKey(db, pubkey)
  if (old?.name === shape.name) return { outcome: 'held' }
  const by = await findRival(db, shape, pubkey)
  if (by) return { outcome: 'taken', by }
  if (old && !replace) return { outcome: 'has-name', name: old.name }
  if (old) {
    await releaseRow(db, old.name, now)
    await noteOrder(db, 'release', change, old)
  }
  await takeName(db, shape, pubkey, now)
  await noteOrder(db, 'assign', change, { name: shape.name, pubkey })
  return { outcome: 'assigned', released: old?.name ?? null }
}

type Eviction = Parameters<OperatorStore['evict']>[1]

async function evict(db: Queries, shape: NameShape, change: Eviction): ReturnType<OperatorStore['evict']> {
  const held = await findActive(db, shape.name)
  if (!held) return { outcome: 'unknown' }
  const { pubkey } = held
  if (change.holder !== undefined && change.holder !== pubkey) return { outcome: 'other-holder', pubkey }
  await releaseRow(db, shape.name, change.now)
  await noteOrder(db, change.action ?? 'evict', change, held)
  if (change.reserve) await reserve(db, shape, change)
  return { outcome: 'evicted', pubkey }
}

type Suspension = Parameters<OperatorStore['suspend']>[1]

async function suspend(db: Queries, name: string, change: Suspension): ReturnType<OperatorStore['suspend']> {
  const held = await findActive(db, name)
  if (!held) return 'unknown'
  if ((held.suspendedAt !== null) === change.suspended) return 'same'
  await db.run(SUSPEND, [change.suspended ? change.now : null, name])
  await noteOrder(db, change.suspended ? 'suspend' : 'resume', change, held)
  return 'changed'
}

function noteOrder(
  db: Queries,
  action: AuditAction,
  { now, reason }: Change,
  what: { readonly name?: string; readonly pubkey?: string },
): Promise<void> {
  return note(db, { at: now, actor: 'operator', action, name: what.name ?? null, pubkey: what.pubkey ?? null, reason })
}
