// The rules by which events are decided rise once every front end knows them: from the next entry on all decide by them.
import { relayRulesEarly } from '../../errors.js'
import { RULES } from '../../events/write/decide.js'
import { requireStep } from '../migrate.js'
import { onPrimary } from '../open.js'
import type { DatabasePlace } from '../place.js'
import { RELAY_LOG_SERVICE } from '../services.js'
import { SHARD } from './schema.js'

/** Entries wait for the end of this transaction. */
const KNOWN = `SELECT rules FROM head WHERE shard = ${SHARD} FOR UPDATE`
const OTHERS = `SELECT DISTINCT host || ' (' || version || ')' FROM instance
  WHERE version <> ? AND seen > now() - interval '30 s' ORDER BY 1`
const RAISE = `UPDATE head SET rules = greatest(rules, ?::int) WHERE shard = ${SHARD} RETURNING rules`

export interface RaisedRules {
  readonly before: number
  readonly rules: number
}

/** `rules`: those of this program, whose version is `version`. Throws RELAY_RULES_EARLY while a front end of another version runs. */
export const raiseRules = (place: DatabasePlace, version: string, rules: number = RULES): Promise<RaisedRules> =>
  onPrimary({ place, service: RELAY_LOG_SERVICE }, async (connection) => {
    await requireStep(connection, place.schema, RELAY_LOG_SERVICE)
    await connection.script('BEGIN')
    try {
      const [before] = (await connection.get(KNOWN)) ?? []
      const others = await connection.all(OTHERS, [version])
      if (others.length > 0) throw relayRulesEarly(others.flat().map(String))
      const [after] = (await connection.get(RAISE, [rules])) ?? []
      await connection.script('COMMIT')
      if (!connection.isSound) throw new Error('the server gave up waiting for a standby: run the command again')
      return { before: Number(before), rules: Number(after) }
    } catch (error) {
      await connection.script('ROLLBACK').catch(() => undefined)
      throw error
    }
  })
