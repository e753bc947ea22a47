// The wallet's key counter. It only rises, and each index is taken by a commit of its own, so every index is used once.
import { keysExhausted } from '../../errors.js'
import { integerCell } from '../../sqlite/columns.js'
import { type KeyVerbs, LAST_INDEX, readKeysAsOf, requireKeyIndex } from '../../till/keys.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'

/** Repeated when its answer was lost: the index before stays unused, which is harmless. */
const TAKE = `UPDATE wallet SET next_key_index = next_key_index + 1 WHERE id = 1 AND next_key_index <= ${LAST_INDEX}
  RETURNING next_key_index - 1`
const SKIP = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?) WHERE id = 1 RETURNING next_key_index'
const NEXT = 'SELECT next_key_index FROM wallet WHERE id = 1'
const AS_OF = 'SELECT next_key_index, checked_at FROM wallet, meta'
/** Writes nothing for an index that was handed out, as every one was. */
const RAISE = 'UPDATE wallet SET next_key_index = ? WHERE id = 1 AND next_key_index < ?'

export const keyVerbs = ({ read, repeatable }: Transactions): KeyVerbs => ({
  takeKeyIndex: () =>
    repeatable(async (db) => {
      const [index] = (await db.get(TAKE)) ?? []
      if (index === undefined) throw keysExhausted()
      return integerCell.read(index)
    }),
  async skipKeyIndexTo(index) {
    requireKeyIndex(index)
    return repeatable(async (db) => integerCell.read((await db.get(SKIP, [index]))?.[0] ?? null))
  },
  nextKeyIndex: () => read(async (db) => integerCell.read((await db.get(NEXT))?.[0] ?? null)),
  keysAsOf: () => read(async (db) => readKeysAsOf(await db.get(AS_OF))),
})

/** Whatever the caller did, an index that stands in a row is never handed out again. */
export async function raiseKeyIndex(db: Queries, next: number): Promise<void> {
  await db.run(RAISE, [next, next])
}
