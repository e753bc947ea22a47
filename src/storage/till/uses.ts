// Bounds that money hangs on, counted in the database for all processes together: they hold over a restart.
import type { UseStore } from '../../till/index.js'
import { sql } from '../dialect.js'
import { integerCell } from '../sqlite/columns.js'
import { get, type Runner, run, type Verb } from '../verbs.js'

/** Those that are over, and those that only a wrong clock can have written. SQLite would look at every use of the kind for both at once. */
const FORGET = sql(({ either }) =>
  either(
    'DELETE FROM secret_use WHERE kind = ?1 AND at <= ?2',
    'DELETE FROM secret_use WHERE kind = ?1 AND (at <= ?2 OR at > ?3)',
  ),
)
const FORGET_AHEAD = sql(({ either }) => either('DELETE FROM secret_use WHERE kind = ? AND at > ?', ''))
const COUNT = 'SELECT count(*), max(at) FROM secret_use WHERE kind = ? AND key = ?'
const INSERT = 'INSERT INTO secret_use (kind, key, at) VALUES (?, ?, ?)'

export const useVerbs = ({ change }: Runner): UseStore => ({ takeUse: (use) => change(() => takeUse(use)) })

function* takeUse({ kind, key, limit, windowMs, now }: Parameters<UseStore['takeUse']>[0]): Verb<boolean> {
  yield* forgetUses(kind, now - windowMs, now + windowMs)
  const [count = 0n, newest = null] = (yield* get(COUNT, [kind, key])) ?? []
  if (integerCell.read(count) >= limit) return false
  // Two of one millisecond are two.
  const after = newest === null ? now : integerCell.read(newest) + 1
  yield* run(INSERT, [kind, key, Math.max(now, after)])
  return true
}

function* forgetUses(kind: string, over: number, ahead: number): Verb<void> {
  yield* run(FORGET, ({ name }) => (name === 'SQLite' ? [kind, over] : [kind, over, ahead]))
  yield* run(FORGET_AHEAD, [kind, ahead])
}
