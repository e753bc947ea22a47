// What the operator changes. Every change leaves a line in the history, in the same transaction.
import type { AuditAction, NameShape, NameStore, OperatorStore } from '../../authority/index.js'
import { textCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { deleteGrant, findByInvoice } from './grants.js'
import type { ListVerbs } from './lists.js'
import { findActive, findOfKey, findRival } from './lookups.js'
import { note, releaseRow, takeName } from './rows.js'

type OrderVerbs = Omit<OperatorStore, keyof NameStore | keyof ListVerbs>
type Change = Parameters<OperatorStore['unreserve']>[1]

const RESERVE = `INSERT INTO reserved (name, skeleton, reason, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO NOTHING`
const SUSPEND = 'UPDATE name SET suspended_at = ? WHERE name = ?'

/** The verbs on one connection; `write` runs those that change anything. */
export function orderVerbs(db: Sqlite, write: Write): OrderVerbs {
  return {
    reserve: (shape, change) => write(() => (reserve(db, shape, change) ? 'reserved' : 'exists')),
    unreserve: (name, change) =>
      write(() => {
        if (db.run('DELETE FROM reserved WHERE name = ?', [name]) === 0) return 'unknown'
        noteOrder(db, 'unreserve', change, { name })
        return 'unreserved'
      }),
    assign: (shape, change) => write(() => assign(db, shape, change)),
    evict: (shape, change) => write(() => evict(db, shape, change)),
    suspend: (name, change) => write(() => suspend(db, name, change)),
    voidGrant: (invoiceId, change) =>
      write(() => {
        const grant = findByInvoice(db, invoiceId)
        if (!grant) return 'unknown'
        deleteGrant(db, invoiceId)
        const reason = `${invoiceId}: ${change.reason}`
        noteOrder(db, 'void-grant', { ...change, reason }, { pubkey: grant.pubkey })
        return 'voided'
      }),
  }
}

function reserve(db: Sqlite, { name, skeleton }: NameShape, change: Change): boolean {
  if (db.run(RESERVE, [name, skeleton, textCell.write(change.reason), change.now]) === 0) return false
  noteOrder(db, 'reserve', change, { name })
  return true
}

type Assignment = Parameters<OperatorStore['assign']>[1]

function assign(db: Sqlite, shape: NameShape, change: Assignment): Awaited<ReturnType<OperatorStore['assign']>> {
  const { pubkey, replace, now } = change
  const old = findOfKey(db, pubkey)
  if (old?.name === shape.name) return { outcome: 'held' }
  const by = findRival(db, shape, pubkey)
  if (by) return { outcome: 'taken', by }
  if (old && !replace) return { outcome: 'has-name', name: old.name }
  if (old) {
    releaseRow(db, old.name, now)
    noteOrder(db, 'release', change, old)
  }
  takeName(db, shape, pubkey, now)
  noteOrder(db, 'assign', change, { name: shape.name, pubkey })
  return { outcome: 'assigned', released: old?.name ?? null }
}

function evict(
  db: Sqlite,
  shape: NameShape,
  change: Parameters<OperatorStore['evict']>[1],
): Awaited<ReturnType<OperatorStore['evict']>> {
  const held = findActive(db, shape.name)
  if (!held) return { outcome: 'unknown' }
  const { pubkey } = held
  if (change.holder !== undefined && change.holder !== pubkey) return { outcome: 'other-holder', pubkey }
  releaseRow(db, shape.name, change.now)
  noteOrder(db, change.action ?? 'evict', change, held)
  if (change.reserve) reserve(db, shape, change)
  return { outcome: 'evicted', pubkey }
}

function suspend(db: Sqlite, name: string, change: Parameters<OperatorStore['suspend']>[1]) {
  const held = findActive(db, name)
  if (!held) return 'unknown'
  if ((held.suspendedAt !== null) === change.suspended) return 'same'
  db.run(SUSPEND, [change.suspended ? change.now : null, name])
  noteOrder(db, change.suspended ? 'suspend' : 'resume', change, held)
  return 'changed'
}

function noteOrder(
  db: Sqlite,
  action: AuditAction,
  { now, reason }: Change,
  what: { readonly name?: string; readonly pubkey?: string },
): void {
  note(db, { at: now, actor: 'operator', action, name: what.name ?? null, pubkey: what.pubkey ?? null, reason })
}
