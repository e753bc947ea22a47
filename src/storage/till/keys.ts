// The wallet's key counter. It only rises, and only under the write lock, so every index is used once.

import { keysExhausted } from '../errors.js'
import { integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'

/** Child indexes are 31 bits wide (specification: grin-wallet, 1.7 and 10.2). */
export const LAST_INDEX = 2 ** 31 - 1

export interface KeyVerbs {
  /** Takes the next child index; every index is returned once. Throws KEYS_EXHAUSTED. */
  takeKeyIndex(): Promise<number>
  /**
   * After a restore: raises the counter to at least `index` and returns the next index. It never goes back.
   * Throws RangeError outside 0 … 2^31-1.
   */
  skipKeyIndexTo(index: number): Promise<number>
  /** The index that `takeKeyIndex` would return, without taking it. */
  nextKeyIndex(): Promise<number>
  /** The same, with the age of this knowledge. */
  keysAsOf(): Promise<KeysAsOf>
}

/** How far the counter is known to have come, and when it was last read (epoch milliseconds): a copy of a database is as old as that. */
export interface KeysAsOf {
  readonly next: number
  readonly at: number
}

export const keysAsOf = (db: Sqlite): KeysAsOf =>
  readKeysAsOf(db.get('SELECT next_key_index, checked_at FROM wallet, meta'))

export const readKeysAsOf = ([next = null, at = null]: Row = []): KeysAsOf => ({
  next: integerCell.read(next),
  at: integerCell.read(at),
})

/** Throws RangeError outside 0 … 2^31-1. */
export function requireKeyIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index > LAST_INDEX) throw new RangeError(`key index: ${index}`)
}

export function keyVerbs(db: Sqlite, write: Write): KeyVerbs {
  const next = (): number => integerCell.read(db.get('SELECT next_key_index FROM wallet')?.[0] ?? null)
  return {
    takeKeyIndex: () =>
      write(() => {
        const index = next()
        if (index > LAST_INDEX) throw keysExhausted()
        raiseKeyIndex(db, index + 1)
        return index
      }),
    skipKeyIndexTo: (index) =>
      write(() => {
        requireKeyIndex(index)
        raiseKeyIndex(db, index)
        return next()
      }),
    nextKeyIndex: async () => next(),
    keysAsOf: async () => keysAsOf(db),
  }
}

/** Must run with the write lock held. */
export function raiseKeyIndex(db: Sqlite, next: number): void {
  db.run('UPDATE wallet SET next_key_index = ?1 WHERE next_key_index < ?1', [next])
}
