// Bounds that money hangs on, counted for all processes together: of two calls at once, SERIALIZABLE lets one count after the other.
import type { UseStore } from '../../../till/index.js'
import { integerCell } from '../../sqlite/columns.js'
import type { Transactions } from '../transactions.js'

const FORGET = 'DELETE FROM secret_use WHERE kind = ? AND (at <= ? OR at > ?)'
const COUNT = 'SELECT count(*), max(at) FROM secret_use WHERE kind = ? AND key = ?'
const INSERT = 'INSERT INTO secret_use (kind, key, at) VALUES (?, ?, ?)'

export const useVerbs = ({ change }: Transactions): UseStore => ({
  takeUse: ({ kind, key, limit, windowMs, now }) =>
    change(async (db) => {
      await db.run(FORGET, [kind, now - windowMs, now + windowMs])
      const [count = 0n, newest = null] = (await db.get(COUNT, [kind, key])) ?? []
      if (integerCell.read(count) >= limit) return false
      // Two of one millisecond are two.
      const after = newest === null ? now : integerCell.read(newest) + 1
      await db.run(INSERT, [kind, key, Math.max(now, after)])
      return true
    }),
})
