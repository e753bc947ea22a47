// The wallet's key counter. It only rises, and each index is taken by a commit of its own, so every index is used once.
import { databaseWentBack, keysExhausted } from '../../errors.js'
import { integerCell } from '../../sqlite/columns.js'
import type { SqlValue } from '../../sqlite/sqlite.js'
import { type KeyVerbs, LAST_INDEX, readKeysAsOf, requireKeyIndex } from '../../till/keys.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'
import type { Watermark } from '../watermark.js'

/** Repeated when its answer was lost: the index before stays unused, which is harmless. */
const TAKE = `UPDATE wallet SET next_key_index = next_key_index + 1 WHERE id = 1 AND next_key_index <= ${LAST_INDEX}
  RETURNING next_key_index - 1`
const SKIP = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?) WHERE id = 1 RETURNING next_key_index'
const NEXT = 'SELECT next_key_index FROM wallet WHERE id = 1'
const AS_OF = 'SELECT next_key_index, checked_at FROM wallet, meta'

/** `acknowledged` hears how far the counter has come. */
export const keyVerbs = ({ read, repeatable }: Transactions, acknowledged: (next: number) => void): KeyVerbs => ({
  async takeKeyIndex() {
    const index = await repeatable(async (db) => {
      const [taken] = (await db.get(TAKE)) ?? []
      if (taken === undefined) throw keysExhausted()
      return integerCell.read(taken)
    })
    acknowledged(index + 1)
    return index
  },
  async skipKeyIndexTo(index) {
    requireKeyIndex(index)
    return repeatable(async (db) => integerCell.read((await db.get(SKIP, [index]))?.[0] ?? null))
  },
  nextKeyIndex: () => read(async (db) => integerCell.read((await db.get(NEXT))?.[0] ?? null)),
  keysAsOf: () => read(async (db) => readKeysAsOf(await db.get(AS_OF))),
})

/** Throws DATABASE_WENT_BACK when keys that were handed out would be handed out again. */
export async function requireKeys(
  db: Pick<Queries, 'get'>,
  watermark: Pick<Watermark, 'leastKeyIndex' | 'goneBack'>,
): Promise<void> {
  // Keys that are handed out on other connections while this one is asked do not count.
  const least = watermark.leastKeyIndex
  const missing = least - integerCell.read((await db.get(NEXT))?.[0] ?? null)
  if (missing <= 0) return
  await watermark.goneBack(missing)
  throw databaseWentBack(missing)
}

/**
 * A row with a key, inserted; `keyed` binds it. Whatever the caller did, an index that stands in a row is never handed out again: nothing is
 * written for one that was taken, as every one was.
 */
export const insertKeyed = (insert: string): string =>
  `WITH raised AS (UPDATE wallet SET next_key_index = ? WHERE id = 1 AND next_key_index < ?) ${insert}`

export const keyed = (keyIndex: number, values: readonly SqlValue[]): readonly SqlValue[] => [
  keyIndex + 1,
  keyIndex + 1,
  ...values,
]
