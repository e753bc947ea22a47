// A database that lost changes, or that came from a backup, is used as it is: keys go on far behind, and no slate of before is signed.
import { type KeysAsOf, readKeysAsOf } from '../../till/keys.js'
import { closeEverySlate } from '../../till/slate-moves.js'
import { requireStep } from '../migrate.js'
import { onPrimary } from '../open.js'
import type { DatabasePlace } from '../place.js'
import { runVerb } from '../run-verb.js'
import { TILL_SERVICE } from '../services.js'
import { noteHistory } from './timeline.js'

const KEYS = 'SELECT next_key_index, checked_at FROM wallet, meta FOR UPDATE OF wallet'

/** Indexes of the next key. */
export interface AdoptedKeys {
  readonly before: number
  readonly after: number
}

/** Answers where keys stood and where they go on. Throws KEYS_EXHAUSTED, SCHEMA_…, DATABASE_UNREACHABLE. */
export const adoptTill = (place: DatabasePlace, choose: (known: KeysAsOf) => number): Promise<AdoptedKeys> =>
  onPrimary({ place, service: TILL_SERVICE }, async (connection) => {
    await requireStep(connection, place.schema, TILL_SERVICE)
    await connection.script('BEGIN')
    try {
      const known = readKeysAsOf(await connection.get(KEYS))
      const after = Math.max(known.next, choose(known))
      await runVerb(connection, closeEverySlate())
      await noteHistory(connection, after)
      await connection.script('COMMIT')
      if (!connection.isSound) throw new Error('the server gave up waiting for a standby: run the command again')
      return { before: known.next, after }
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => undefined)
      throw error
    }
  })
