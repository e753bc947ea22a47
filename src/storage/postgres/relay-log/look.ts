// A relay's log as commands and the doctor see it.
import { openPostgres } from '../open.js'
import type { PostgresParts } from '../place.js'
import { RELAY_LOG_SERVICE } from '../services.js'
import { SHARD } from './schema.js'

const LOG = `SELECT id::text, (founder IS NOT NULL)::int, pos, rules, (SELECT min(pos) FROM log WHERE shard = ${SHARD}) FROM head WHERE shard = ${SHARD}`
/** Rows of processes that ended without a word are left out. */
const FRONT_ENDS = `SELECT origin::text, pos, version, (extract(epoch FROM clock_timestamp() - seen) * 1000)::bigint
  FROM replica WHERE shard = ${SHARD} AND seen > now() - interval '30 seconds' ORDER BY pos, origin`

interface SeenFrontEnd {
  readonly origin: string
  /** Of the last entry that it reported; it reports every 5 s. */
  readonly pos: number
  readonly version: string
  readonly silentMs: number
}

export interface RelayLogView {
  readonly id: string
  /** A store has begun it. */
  readonly isFounded: boolean
  /** Of the last entry; 0: there is none. */
  readonly head: number
  /** Of the first entry that is kept; undefined: there is none. */
  readonly oldest: number | undefined
  /** The version of the rules by which events are decided. */
  readonly rules: number
  readonly frontEnds: readonly SeenFrontEnd[]
}

/** Waits for a standby, as a relay does. Throws DATABASE_UNREACHABLE, SCHEMA_MISSING and the like. */
export async function lookAtRelayLog(parts: Pick<PostgresParts, 'place' | 'clock' | 'random'>): Promise<RelayLogView> {
  const postgres = await openPostgres({ ...parts, service: RELAY_LOG_SERVICE }, { mustAnswer: true })
  try {
    return await postgres.read(async (db) => {
      const [id, isFounded, head, rules, oldest = null] = (await db.get(LOG)) ?? []
      const rows = await db.all(FRONT_ENDS)
      return {
        id: String(id),
        isFounded: Number(isFounded) === 1,
        head: Number(head),
        oldest: oldest === null ? undefined : Number(oldest),
        rules: Number(rules),
        frontEnds: rows.map(([origin, pos, version, silent]) => ({
          origin: String(origin),
          pos: Number(pos),
          version: String(version),
          silentMs: Number(silent),
        })),
      }
    })
  } finally {
    await postgres.close()
  }
}
