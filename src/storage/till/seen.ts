// The messages of the Nostr rail that were handled, in a file; in PostgreSQL: postgres/till/seen.ts.
import { fromHex } from '../../lib/bytes.js'
import type { SeenStore } from '../../till/index.js'
import { hexKey } from '../sqlite/columns.js'
import { exists, type Runner, run, type Verb } from '../verbs.js'

const MARK = 'INSERT INTO seen (id, at) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET at = max(at, excluded.at)'
const SEEN = 'SELECT 1 FROM seen WHERE id = ?'
const FORGET = 'DELETE FROM seen WHERE id IN (SELECT id FROM seen WHERE at < ? ORDER BY at LIMIT ?)'

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
export const forgetSeen = (before: number, limit: number): Verb<number> => run(FORGET, [before, limit])
