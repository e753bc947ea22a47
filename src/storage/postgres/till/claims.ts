// Hands out rows to several processes: each row to one of them, until its lease ends. The lease stands in the row.
import type { WorkClaim } from '../../../till/index.js'
import { byPosition } from '../../paging.js'
import type { Row, SqlValue } from '../../sqlite/sqlite.js'
import type { Queries } from '../change.js'

interface Work {
  readonly table: string
  /** What is answered of each row. */
  readonly columns: string
  /** When it is due; an index holds it with `seq`. */
  readonly due: string
  /** What a row must fulfil besides, beginning with `AND`; its marks are bound to `values` of the claim. */
  readonly and?: string
  readonly longestWaitMs: number
}

/** For SET in every verb that records a result. */
export const LEASE_ENDS = 'leased_until = NULL, leased_by = NULL'
/** Whether the result of the process ? counts: no other has the row, or had it last. */
export const IS_MINE = '(leased_by IS NULL OR leased_by = ?)'

/** One that has ended, or that only a wrong clock wrote: the time now, and the latest end that is believed. */
const IS_FREE = '(leased_until IS NULL OR leased_until <= ? OR leased_until > ?)'

/**
 * Rows due, at most `limit`, each followed by its due time and `seq`: those too far ahead to be true, then the longest overdue. What another
 * claim holds at this moment is passed over. A claim that is repeated after its answer was lost finds its rows handed out already.
 */
export function createClaims({ table, columns, due, and = '', longestWaitMs }: Work) {
  const claim = (when: string): string => `WITH work AS (
      SELECT seq AS number FROM ${table} WHERE ${due} ${when} ? AND ${IS_FREE} ${and} ORDER BY ${due}, seq LIMIT ? FOR UPDATE SKIP LOCKED
    ) UPDATE ${table} SET leased_until = ?, leased_by = ? FROM work WHERE seq = number RETURNING ${columns}, ${due}, seq`
  const [ahead, overdue] = [claim('>'), claim('<=')]

  return async (
    db: Queries,
    { now, leaseMs, by, limit }: WorkClaim,
    values: readonly SqlValue[] = [],
  ): Promise<readonly Row[]> => {
    const take = async (sql: string, bound: number, most: number): Promise<Row[]> =>
      (await db.all(sql, [bound, now, now + 2 * leaseMs, ...values, most, now + leaseMs, by])).toSorted(byPosition)
    const first = await take(ahead, now + longestWaitMs, limit)
    return first.length < limit ? [...first, ...(await take(overdue, now, limit - first.length))] : first
  }
}
