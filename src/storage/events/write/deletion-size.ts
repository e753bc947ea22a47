// Limits the size of events that one deletion names. All of them are read for the decision, and index rows of deleted ones are recomputed, up to
// two thousand per event: one request of 130 kB could block the relay for seconds.
import type { Sqlite } from '../../sqlite/sqlite.js'
import { addressHash, prefixOf } from '../index/key-numbers.js'
import type { Staged } from '../staging/staged-event.js'
import type { DeletionTargets } from './deletions.js'
import type { WriterState } from './writer-state.js'

/** Limit for one deletion of several events. */
const MOST_BYTES = 1_048_576

const bytesSql = (table: string, column: string): string => `
  SELECT count(*), total(length(e.text)) FROM ${table} i JOIN event e ON e.seq = i.seq
  WHERE i.${column} IN (SELECT value FROM json_each(?)) AND i.seq <= ? AND (e.expires IS NULL OR e.expires > ?)`
/** Compares whole ids, as the stage does: others may share the first bits. */
const BY_PREFIX = `${bytesSql('by_id', 'prefix')}
  AND CAST(substr(e.text, ${'{"id":"'.length + 1}, 64) AS TEXT) IN (SELECT value FROM json_each(?))`
const BY_ADDRESS = bytesSql('by_address', 'hash')

interface Moment {
  readonly db: Sqlite
  readonly state: WriterState
  /** Epoch seconds. */
  readonly now: number
}

/** True when a deletion names too much. Reads no texts. The answer does not depend on what is staged, indexed or swept. */
export function namesTooMuch({ db, state, now }: Moment, targets: DeletionTargets): boolean {
  const { stage, indexed } = state
  const { ids, addresses } = targets
  if (ids.length + addresses.length < 2) return false
  const hashes = addresses.map(addressHash)
  let [events, bytes] = [0, 0]
  const add = (sql: string, values: readonly number[], ...more: readonly string[]) => {
    if (values.length === 0) return
    const [count, sum] = db.get(sql, [`[${values.join()}]`, indexed, now, ...more]) ?? []
    events += Number(count)
    bytes += Number(sum)
  }
  const addStaged = ({ seq, keys, start, end }: Staged) => {
    if (seq <= indexed || (keys.expires !== undefined && keys.expires <= now)) return
    events++
    bytes += end - start
  }
  add(BY_PREFIX, ids.map(prefixOf), JSON.stringify(ids))
  add(BY_ADDRESS, hashes)
  for (const id of ids) {
    const staged = stage.get(id)
    if (staged) addStaged(staged)
  }
  for (const hash of hashes) for (const staged of stage.underAddress(hash)) addStaged(staged)
  return events > 1 && bytes > MOST_BYTES
}
