// SQL of a change, without the index tables.
import type { Row, Sqlite } from '../../sqlite/sqlite.js'
import { bulk, runBulk } from '../index/index-tables.js'
import type { Decided } from './decide.js'
import { DELETION_KIND, type Mark } from './deletions.js'
import type { Stored } from './lookups.js'

const EVENT = bulk(3, (rows) => `INSERT INTO event VALUES ${rows}`)
const EXPIRY = bulk(2, (rows) => `INSERT INTO expiry VALUES ${rows}`)
const GONE = bulk(2, (rows) => `INSERT OR REPLACE INTO gone VALUES ${rows}`)
const MARK = bulk(
  3,
  (rows) =>
    `INSERT INTO deletion VALUES ${rows} ON CONFLICT (target) DO UPDATE SET until = excluded.until, seq = excluded.seq WHERE excluded.until > until`,
)

export function writeAdded(db: Sqlite, { added, marks }: Pick<Decided, 'added' | 'marks'>): void {
  const rows: Row[] = []
  const expiring: Row[] = []
  for (const { seq, text, keys } of added) {
    const { expires } = keys
    rows.push([seq, text.bytes, expires ?? null])
    if (expires !== undefined) expiring.push([expires, seq])
  }
  runBulk(db, EVENT, rows)
  runBulk(db, EXPIRY, expiring)
  runBulk(
    db,
    MARK,
    marks.map(({ target, until, seq }) => [target, until, seq]),
  )
}

/** `isIndexed`: index rows of the event may exist. They are erased later, in bulk. */
export function writeRemoved(db: Sqlite, removed: readonly Stored[], isIndexed: (seq: number) => boolean): void {
  if (removed.length === 0) return
  const seqs = `[${removed.map(({ seq }) => seq).join()}]`
  db.run('DELETE FROM event WHERE seq IN (SELECT value FROM json_each(?))', [seqs])
  const left = removed.filter(({ seq }) => isIndexed(seq))
  runBulk(
    db,
    GONE,
    left.map(({ seq, keys }) => [seq, JSON.stringify(keys)]),
  )
  for (const { seq, event, keys } of removed) {
    if (keys.expires !== undefined) db.run('DELETE FROM expiry WHERE expires = ? AND seq = ?', [keys.expires, seq])
    if (event.kind === DELETION_KIND) forgetMarks(db, seq)
  }
}

const FORGET_EXPIRED = `DELETE FROM deletion WHERE target IN (SELECT value FROM json_each(?))
  AND EXISTS (SELECT 1 FROM event e WHERE e.seq = deletion.seq AND e.expires <= ?)`

/** Makes room for new marks where an expired deletion, which refuses nothing, is not swept yet. `now` is epoch seconds. */
export function forgetExpiredMarks(db: Sqlite, marks: readonly Mark[], now: number): void {
  if (marks.length > 0) db.run(FORGET_EXPIRED, [JSON.stringify(marks.map(({ target }) => target)), now])
}

/** A deletion that is itself deleted, by the operator or by age, no longer refuses events. */
const forgetMarks = (db: Sqlite, seq: number): number => db.run('DELETE FROM deletion WHERE seq = ?', [seq])
