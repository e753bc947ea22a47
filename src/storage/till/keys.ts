// The wallet's key counter. It only rises, and each index is taken by a change of its own, so every index is used once.

import { type Sql, sql } from '../dialect.js'
import { keysExhausted } from '../errors.js'
import { integerCell } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'
import { get, type Runner, returning, run, type Verb } from '../verbs.js'

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

/** Repeated when its answer was lost: the index before stays unused, which is harmless. */
const TAKE = `UPDATE wallet SET next_key_index = next_key_index + 1 WHERE id = 1 AND next_key_index <= ${LAST_INDEX}
  RETURNING next_key_index - 1`
const SKIP = sql(
  ({ greatest }) =>
    `UPDATE wallet SET next_key_index = ${greatest('next_key_index', '?')} WHERE id = 1 RETURNING next_key_index`,
)
export const NEXT_KEY = 'SELECT next_key_index FROM wallet WHERE id = 1'
const AS_OF = 'SELECT next_key_index, checked_at FROM wallet, meta'
const RAISE = 'UPDATE wallet SET next_key_index = ? WHERE id = 1 AND next_key_index < ?'

/** `acknowledged` hears how far the counter has come. */
export const keyVerbs = (
  { read, repeatable }: Runner,
  acknowledged: (next: number) => void = () => undefined,
): KeyVerbs => ({
  async takeKeyIndex() {
    const index = await repeatable(takeKeyIndex)
    acknowledged(index + 1)
    return index
  },
  async skipKeyIndexTo(index) {
    requireKeyIndex(index)
    return repeatable(() => skipTo(index))
  },
  nextKeyIndex: () => read(nextKeyIndex),
  keysAsOf: () => read(keysAsOf),
})

function* takeKeyIndex(): Verb<number> {
  const [taken] = yield* returning(TAKE)
  if (taken === undefined) throw keysExhausted()
  return indexIn(taken)
}

function* skipTo(index: number): Verb<number> {
  return indexIn((yield* returning(SKIP, [index]))[0])
}

function* nextKeyIndex(): Verb<number> {
  return indexIn(yield* get(NEXT_KEY))
}

/** How far keys have come, and when that was known. */
export function* keysAsOf(): Verb<KeysAsOf> {
  return readKeysAsOf(yield* get(AS_OF))
}

export const readKeysAsOf = ([next = null, at = null]: Row = []): KeysAsOf => ({
  next: integerCell.read(next),
  at: integerCell.read(at),
})

const indexIn = ([index = null]: Row = []): number => integerCell.read(index)

/** Throws RangeError outside 0 … 2^31-1. */
function requireKeyIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index > LAST_INDEX) throw new RangeError(`key index: ${index}`)
}

/** The counter is at least `next`. */
export const raiseKeyIndex = (next: number): Verb<number> => run(RAISE, [next, next])

/** Of `insertKeyed`: PostgreSQL raises the counter in the same statement. */
export const keyedInsert = (insert: string): Sql =>
  sql(({ either }) => either(insert, `WITH raised AS (${RAISE}) ${insert}`))
const RAISE_AFTER = sql(({ either }) => either(RAISE, ''))

/**
 * Inserts a row with a key; answers how many were. Whatever the caller did, an index that stands in a row is never handed out again: nothing is
 * written for one that was taken, as every one was.
 */
export function* insertKeyed(insert: Sql, keyIndex: number, values: Row): Verb<number> {
  const next = keyIndex + 1
  const inserted = yield* run(insert, ({ name }) => (name === 'SQLite' ? values : [next, next, ...values]))
  yield* run(RAISE_AFTER, [next, next])
  return inserted
}
