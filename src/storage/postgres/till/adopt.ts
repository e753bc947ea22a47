// A database that lost changes, or that came from a backup, is used as it is: keys go on far behind, and no slate of before is signed.
import { keysExhausted } from '../../errors.js'
import { LAST_INDEX, readKeysAsOf } from '../../till/keys.js'
import { requireStep } from '../migrate.js'
import { onPrimary } from '../open.js'
import type { DatabasePlace } from '../place.js'
import { TILL_SERVICE } from '../services.js'
import { type ChooseKeyIndex, closeEverySlate } from './timeline.js'

const KEYS = 'SELECT next_key_index, checked_at FROM wallet, meta FOR UPDATE OF wallet'
const RAISE = 'UPDATE wallet SET next_key_index = greatest(next_key_index, ?) WHERE id = 1'

/** Answers the next key index. Throws KEYS_EXHAUSTED, SCHEMA_…, DATABASE_UNREACHABLE. */
export const adoptTill = (place: DatabasePlace, choose: ChooseKeyIndex): Promise<number> =>
  onPrimary({ place, service: TILL_SERVICE }, async (connection) => {
    await requireStep(connection, place.schema, TILL_SERVICE)
    await connection.script('BEGIN')
    try {
      const next = choose(readKeysAsOf(await connection.get(KEYS)))
      if (next > LAST_INDEX) throw keysExhausted()
      await closeEverySlate(connection)
      await connection.run(RAISE, [next])
      await connection.script('COMMIT')
      if (!connection.isSound) throw new Error('the server gave up waiting for a standby: run the command again')
      return next
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => undefined)
      throw error
    }
  })
