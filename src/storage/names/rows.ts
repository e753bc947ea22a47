// The small changes that the verbs of the name authority are made of. All must run with the write lock held.
import type { AuditEntry, NameShape } from '../../authority/index.js'
import { hexCell, hexKey, nullable, textCell } from '../sqlite/columns.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { AUDIT } from './tables.js'

const TAKE = `INSERT INTO name (name, skeleton, pubkey, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET skeleton = excluded.skeleton, pubkey = excluded.pubkey, created_at = excluded.created_at,
    released_at = NULL, suspended_at = NULL`
const RELEASE = 'UPDATE name SET released_at = ?, suspended_at = NULL WHERE name = ? AND released_at IS NULL'
const ARM = `INSERT INTO cooldown (pubkey, until) VALUES (?, ?)
  ON CONFLICT (pubkey) DO UPDATE SET until = max(until, excluded.until)`
const NOTE = `INSERT INTO audit (${AUDIT.columns}) VALUES (NULL, ?, ?, ?, ?, ?, ?)`

/** A new row, or the released one of this name again. */
export function takeName(db: Sqlite, { name, skeleton }: NameShape, pubkey: string, now: number): void {
  db.run(TAKE, [name, skeleton, hexCell.write(pubkey), now])
}

export function releaseRow(db: Sqlite, name: string, now: number): void {
  db.run(RELEASE, [now, name])
}

/** Never shortens a cooldown that runs. */
export function armCooldown(db: Sqlite, pubkey: string, now: number, ms: number): void {
  if (ms > 0) db.run(ARM, [hexKey(pubkey), now + ms])
}

/** One line of the history. */
export function note(db: Sqlite, { at, actor, action, name, pubkey, reason }: Omit<AuditEntry, 'id'>): void {
  db.run(NOTE, [at, actor, action, name, nullable(hexCell).write(pubkey), nullable(textCell).write(reason)])
}
