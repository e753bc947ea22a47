// Statistics of a relay's database. Counting takes a quarter of a second for a million events, so it never runs on the event loop.
import type { Sqlite } from '../sqlite/sqlite.js'
import { secondOf } from './index/index-keys.js'

export interface EventStats {
  readonly events: number
  /** Bytes of the file without its free pages. */
  readonly bytes: number
  /** The most frequent first. */
  readonly kinds: readonly { readonly kind: number; readonly events: number }[]
  /** Epoch seconds of `created_at`; undefined when there are no events. */
  readonly oldest: number | undefined
  readonly newest: number | undefined
  /** Events with an expiration (NIP-40). */
  readonly expiring: number
}

const INDEXED = 'SELECT kind, count(*) FROM by_kind WHERE seq <= (SELECT indexed FROM progress) GROUP BY kind'
const GONE = `SELECT json_extract(keys, '$.kind') AS kind, -count(*) FROM gone
  WHERE seq <= (SELECT indexed FROM progress) GROUP BY 1`
const STAGED = `SELECT json_extract(CAST(text AS TEXT), '$.kind') AS kind, count(*) FROM event
  WHERE seq > (SELECT indexed FROM progress) GROUP BY 1`
/** Rows may outlive their events. */
const INDEXED_TIMES = ['ASC', 'DESC'].map(
  (order) => `SELECT place FROM by_time
    WHERE seq <= (SELECT indexed FROM progress) AND seq NOT IN (SELECT seq FROM gone) ORDER BY place ${order} LIMIT 1`,
)
const STAGED_TIMES = `SELECT min(time), max(time) FROM (SELECT json_extract(CAST(text AS TEXT), '$.created_at') AS time
  FROM event WHERE seq > (SELECT indexed FROM progress))`
const EXPIRING = 'SELECT count(*) FROM expiry'
const PAGES =
  'SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size'

/** Call within a transaction, so that all numbers are of one snapshot. */
export function countEvents(db: Sqlite): EventStats {
  const counts = new Map<number, number>()
  for (const sql of [INDEXED, GONE, STAGED])
    for (const [kind, count] of db.all(sql)) counts.set(Number(kind), (counts.get(Number(kind)) ?? 0) + Number(count))
  const kinds = [...counts].flatMap(([kind, events]) => (events > 0 ? [{ kind, events }] : []))
  kinds.sort((a, b) => b.events - a.events || a.kind - b.kind)
  const expiring = Number(db.get(EXPIRING)?.[0])
  return {
    events: kinds.reduce((sum, { events }) => sum + events, 0),
    bytes: bytesOf(db),
    kinds,
    ...spanOf(db),
    expiring,
  }
}

function spanOf(db: Sqlite): Pick<EventStats, 'oldest' | 'newest'> {
  const indexed = INDEXED_TIMES.flatMap((sql) => db.all(sql)).map(([place]) => secondOf(Number(place)))
  const staged = (db.get(STAGED_TIMES) ?? []).flatMap((time) => (time === null ? [] : [Number(time)]))
  const times = [...indexed, ...staged]
  if (times.length === 0) return { oldest: undefined, newest: undefined }
  return { oldest: Math.min(...times), newest: Math.max(...times) }
}

const FREE = 'SELECT freelist_count * page_size FROM pragma_freelist_count, pragma_page_size'

/** Bytes of the free pages inside of the file. */
export const freeBytesOf = (db: Sqlite): number => Number(db.all(FREE)[0]?.[0])

export const bytesOf = (db: Sqlite): number => Number(db.all(PAGES)[0]?.[0])
