// The messages of the Nostr rail that were handled.
import { fromHex, toHex } from '../../lib/bytes.js'
import type { SeenStore } from '../../till/index.js'
import { hexCell, hexKey } from '../sqlite/columns.js'
import { exists, many, type Runner, run, type Verb } from '../verbs.js'

const MARK = 'INSERT INTO seen (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)'
const SEEN = 'SELECT 1 FROM seen WHERE id = ?'
const FORGET = 'DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE at < ? ORDER BY at LIMIT ?)'

/** In a file. */
export const seenVerbs = ({ read, change }: Runner): SeenStore => ({
  markSeen: (ids, now) => change(() => markSeen(ids, now)),
  seenOf: (ids) => read(() => seenOf(ids)),
  forgetSeen: (before, limit) => change(() => forgetSeen(before, limit)),
})

function* markSeen(ids: readonly string[], now: number): Verb<void> {
  for (const id of ids) yield* run(MARK, [fromHex(id, 32, 'id'), now])
}

function* seenOf(ids: readonly string[]): Verb<ReadonlySet<string>> {
  const seen = new Set<string>()
  for (const id of ids) if (yield* exists(SEEN, [hexKey(id)])) seen.add(id)
  return seen
}

/** At most `limit` of those handled before then. */
const forgetSeen = (before: number, limit: number): Verb<number> => run(FORGET, [before, limit])

/** In one order, so that two processes never wait for each other's rows. */
const MARK_ALL = `INSERT INTO seen (id, at) SELECT DISTINCT id, ?::bigint FROM unnest(?::bytea[]) AS id ORDER BY id
  ON CONFLICT (id) DO UPDATE SET at = greatest(seen.at, excluded.at)`
const SEEN_AMONG = 'SELECT id FROM seen WHERE id = ANY(?::bytea[])'

/** Ids in hex as the text of an array of bytes. */
const arrayOf = (ids: readonly string[]): string => `{${ids.map((id) => `"\\\\x${id}"`).join(',')}}`

/** In PostgreSQL: all of them in one statement. */
export const seenAtOnce = ({ read, repeatable }: Runner): SeenStore => ({
  async markSeen(ids, now) {
    const known = arrayOf(ids.map((id) => toHex(fromHex(id, 32, 'id'))))
    if (ids.length > 0) await repeatable(() => run(MARK_ALL, [now, known]))
  },
  async seenOf(ids) {
    const keys = ids.filter((id) => hexKey(id) !== null)
    if (keys.length === 0) return new Set()
    return new Set(await read(() => many(SEEN_AMONG, [arrayOf(keys)], ([id = null]) => hexCell.read(id))))
  },
  forgetSeen: (before, limit) => repeatable(() => forgetSeen(before, limit)),
})
