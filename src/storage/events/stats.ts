// What a relay's database holds, counted in it: a quarter of a second among a million events, so not for the thread that serves.
import type { Sqlite } from '../sqlite.js'

export interface EventStats {
  readonly events: number
  /** Of the file, without the room that is free in it. */
  readonly bytes: number
  /** The most frequent first. */
  readonly kinds: readonly { readonly kind: number; readonly events: number }[]
}

const INDEXED = 'SELECT kind, count(*) FROM by_kind WHERE seq <= (SELECT indexed FROM progress) GROUP BY kind'
const GONE = `SELECT json_extract(keys, '$.kind') AS kind, -count(*) FROM gone
  WHERE seq <= (SELECT indexed FROM progress) GROUP BY 1`
const STAGED = `SELECT json_extract(CAST(text AS TEXT), '$.kind') AS kind, count(*) FROM event
  WHERE seq > (SELECT indexed FROM progress) GROUP BY 1`
const PAGES =
  'SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size'

/** To be asked within a transaction: the three counts are of one moment. */
export function countEvents(db: Sqlite): EventStats {
  const counts = new Map<number, number>()
  for (const sql of [INDEXED, GONE, STAGED])
    for (const [kind, count] of db.all(sql)) counts.set(Number(kind), (counts.get(Number(kind)) ?? 0) + Number(count))
  const kinds = [...counts].flatMap(([kind, events]) => (events > 0 ? [{ kind, events }] : []))
  kinds.sort((a, b) => b.events - a.events || a.kind - b.kind)
  return { events: kinds.reduce((sum, { events }) => sum + events, 0), bytes: bytesOf(db), kinds }
}

export const bytesOf = (db: Sqlite): number => Number(db.all(PAGES)[0]?.[0])
