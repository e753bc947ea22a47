// The messages of the Nostr rail that were handled: all of them in one statement.
import { fromHex, toHex } from '../../../lib/bytes.js'
import type { SeenStore } from '../../../till/index.js'
import { hexCell, hexKey } from '../../sqlite/columns.js'
import { forgetSeen } from '../../till/seen.js'
import { many, type Runner, run } from '../../verbs.js'

/** In one order, so that two processes never wait for each other's rows. */
const MARK = `INSERT INTO seen (id, at) SELECT DISTINCT id, ?::bigint FROM unnest(?::bytea[]) AS id ORDER BY id
  ON CONFLICT (id) DO UPDATE SET at = greatest(seen.at, excluded.at)`
const SEEN = 'SELECT id FROM seen WHERE id = ANY(?::bytea[])'

/** Ids in hex as the text of an array of bytes. */
const arrayOf = (ids: readonly string[]): string => `{${ids.map((id) => `"\\\\x${id}"`).join(',')}}`

export const seenVerbs = ({ read, repeatable }: Runner): SeenStore => ({
  async markSeen(ids, now) {
    const known = arrayOf(ids.map((id) => toHex(fromHex(id, 32, 'id'))))
    if (ids.length > 0) await repeatable(() => run(MARK, [now, known]))
  },
  async seenOf(ids) {
    const keys = ids.filter((id) => hexKey(id) !== null)
    if (keys.length === 0) return new Set()
    return new Set(await read(() => many(SEEN, [arrayOf(keys)], ([id = null]) => hexCell.read(id))))
  },
  forgetSeen: (before, limit) => repeatable(() => forgetSeen(before, limit)),
})
