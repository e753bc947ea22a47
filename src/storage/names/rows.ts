// The small changes that the verbs of the name authority are made of, all within a change.
import type { AuditEntry, NameShape } from '../../authority/index.js'
import { sql } from '../dialect.js'
import { hexCell, hexKey, nullable, textCell } from '../sqlite/columns.js'
import { run, type Verb } from '../verbs.js'

const TAKE = `INSERT INTO name (name, skeleton, pubkey, created_at) VALUES (?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET skeleton = excluded.skeleton, pubkey = excluded.pubkey, created_at = excluded.created_at,
    released_at = NULL, suspended_at = NULL`
const RELEASE = 'UPDATE name SET released_at = ?, suspended_at = NULL WHERE name = ? AND released_at IS NULL'
const ARM = sql(
  ({ greatest }) => `INSERT INTO cooldown (pubkey, until) VALUES (?, ?)
  ON CONFLICT (pubkey) DO UPDATE SET until = ${greatest('cooldown.until', 'excluded.until')}`,
)
const NOTE = 'INSERT INTO audit (at, actor, action, name, pubkey, reason) VALUES (?, ?, ?, ?, ?, ?)'

/** A new row, or the released one of this name again. */
export const takeName = ({ name, skeleton }: NameShape, pubkey: string, now: number): Verb<number> =>
  run(TAKE, [name, skeleton, hexCell.write(pubkey), now])

export const releaseRow = (name: string, now: number): Verb<number> => run(RELEASE, [now, name])

/** Never shortens a cooldown that runs. */
export function* armCooldown(pubkey: string, now: number, ms: number): Verb<void> {
  if (ms > 0) yield* run(ARM, [hexKey(pubkey), now + ms])
}

/** One line of the history. */
export const note = ({ at, actor, action, name, pubkey, reason }: Omit<AuditEntry, 'id'>): Verb<number> =>
  run(NOTE, [at, actor, action, name, nullable(hexCell).write(pubkey), nullable(textCell).write(reason)])
