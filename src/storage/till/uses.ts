// Bounds that money hangs on, counted in the file: they hold over a restart.
import type { UseStore } from '../../till/index.js'
import { integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'

const FORGET = ['at <= ?', 'at > ?'].map((when) => `DELETE FROM secret_use WHERE kind = ? AND ${when}`)
const COUNT = 'SELECT count(*), max(at) FROM secret_use WHERE kind = ? AND key = ?'
const INSERT = 'INSERT INTO secret_use (kind, key, at) VALUES (?, ?, ?)'

/** The verb on one connection. */
export function useVerbs(db: Sqlite, write: Write): UseStore {
  return {
    takeUse: ({ kind, key, limit, windowMs, now }) =>
      write(() => {
        for (const [at, sql] of FORGET.entries()) db.run(sql, [kind, at === 0 ? now - windowMs : now + windowMs])
        const [count = 0n, newest = null] = db.get(COUNT, [kind, key]) ?? []
        if (integerCell.read(count) >= limit) return false
        // Two of one millisecond are two.
        const after = newest === null ? now : integerCell.read(newest) + 1
        db.run(INSERT, [kind, key, Math.max(now, after)])
        return true
      }),
  }
}
