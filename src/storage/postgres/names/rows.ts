// The small changes that the verbs of the name authority are made of. All run within a transaction.
import type { AuditEntry, NameShape } from '../../../authority/index.js'
import { hexCell, hexKey, nullable } from '../../sqlite/columns.js'
import type { Queries } from '../change.js'

const TAKE = `INSERT INTO name (name, skeleton, pubkey, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET skeleton = excluded.skeleton, pubkey = excluded.pubkey, created_at = excluded.created_at,
    released_at = NULL, suspended_at = NULL`
const RELEASE = 'UPDATE name SET released_at = ?, suspended_at = NULL WHERE name = ? AND released_at IS NULL'
const ARM = `INSERT INTO cooldown (pubkey, until) VALUES (?, ?)
  ON CONFLICT (pubkey) DO UPDATE SET until = greatest(cooldown.until, excluded.until)`
const NOTE = 'INSERT INTO audit (at, actor, action, name, pubkey, reason) VALUES (?, ?, ?, ?, ?, ?)'

/** A new row, or the released one of this name again. */
export async function takeName(db: Queries, { name, skeleton }: NameShape, pubkey: string, now: number): Promise<void> {
  await db.run(TAKE, [name, skeleton, hexCell.write(pubkey), now])
}

export async function releaseRow(db: Queries, name: string, now: number): Promise<void> {
  await db.run(RELEASE, [now, name])
}

/** Never shortens a cooldown that runs. */
export async function armCooldown(db: Queries, pubkey: string, now: number, ms: number): Promise<void> {
  if (ms > 0) await db.run(ARM, [hexKey(pubkey), now + ms])
}

/** One line of the history. */
export async function note(
  db: Queries,
  { at, actor, action, name, pubkey, reason }: Omit<AuditEntry, 'id'>,
): Promise<void> {
  await db.run(NOTE, [at, actor, action, name, nullable(hexCell).write(pubkey), reason])
}
