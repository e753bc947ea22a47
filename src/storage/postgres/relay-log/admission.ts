// Who may follow a log: the store that it began with, and copies of it. A store with events of its own would differ from all others for good.
import { relayNotJoined, relayOtherLog } from '../../errors.js'
import type { Queries } from '../change.js'
import { SHARD } from './schema.js'

/** A store before it follows. */
export interface EnteringStore {
  /** Id of the log that it follows; undefined: none yet. */
  readonly log: string | undefined
  /** UUID of this store, for the log that begins with it. */
  readonly founder: string
  /** Neither events nor lists of the operator. All such stores are alike. */
  readonly isEmpty: boolean
  /** Notes the log in the store. */
  bind(log: string): void
}

const NO_STORE = '00000000-0000-0000-0000-000000000000'

/** The first one wins. Repeated when its answer was lost. */
const FOUND = `UPDATE head SET founder = ?::uuid WHERE shard = ${SHARD} AND founder IS NULL`
const LOOK = `SELECT id::text, founder::text FROM head WHERE shard = ${SHARD}`

/** Answers the id of the log. Throws RELAY_NOT_JOINED, RELAY_OTHER_LOG. */
export async function admit(db: Queries, store: EnteringStore): Promise<string> {
  const founder = store.isEmpty ? NO_STORE : store.founder
  if (store.log === undefined) await db.run(FOUND, [founder])
  const [id, foundedBy] = ((await db.get(LOOK)) ?? []).map(String)
  if (id === undefined) throw relayOtherLog()
  if (store.log === id) return id
  if (store.log !== undefined) throw relayOtherLog()
  if (foundedBy !== founder) throw relayNotJoined()
  store.bind(id)
  return id
}
