// Limits the size of events that one deletion names. All of them are read for the decision, and index rows of deleted ones are recomputed, up to
// two thousand per event: one request of 130 kB could block the relay for seconds.
import { authorAt, GIFT_WRAP_KIND } from '../../../nostr/event/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { addressHash, prefixOf } from '../index/key-numbers.js'
import type { Staged } from '../staging/staged-event.js'
import type { DeletionTargets } from './deletions.js'
import { type Deleter, MAY_DELETE } from './lookups.js'
import type { WriterState } from './writer-state.js'

/** Limit for one deletion of several events. */
const MOST_BYTES = 1_048_576

const bytesSql = (table: string, column: string): string => `
  SELECT count(*), total(length(e.text)) FROM ${table} i JOIN event e ON e.seq = i.seq
  WHERE i.${column} IN (SELECT value FROM json_each(?)) AND i.seq <= ? AND (e.expires IS NULL OR e.expires > ?)`
/** Compares whole ids, as the stage does: others may share the first bits. */
const BY_PREFIX = `${bytesSql('by_id', 'prefix')}
  AND CAST(substr(e.text, ${'{"id":"'.length + 1}, 64) AS TEXT) IN (SELECT value FROM json_each(?))`
const DELETABLE = `${BY_PREFIX} AND ${MAY_DELETE}`
const BY_ADDRESS = bytesSql('by_address', 'hash')

interface Moment {
  readonly db: Sqlite
  readonly state: WriterState
  /** Epoch seconds. */
  readonly now: number
}

/**
 * True when a deletion names too much. The answer does not depend on what is staged, indexed or swept. Counts what the deleter may delete; all that
 * is named without one (rules 1).
 */
export function namesTooMuch({ db, state, now }: Moment, targets: DeletionTargets, deleter?: Deleter): boolean {
  const { stage, indexed } = state
  const { ids, addresses } = targets
  if (ids.length + addresses.length < 2) return false
  const hashes = addresses.map(addressHash)
  let [events, bytes] = [0, 0]
  const add = (sql: string, values: readonly number[], ...more: readonly (string | number)[]) => {
    if (values.length === 0) return
    const [count, sum] = db.get(sql, [`[${values.join()}]`, indexed, now, ...more]) ?? []
    events += Number(count)
    bytes += Number(sum)
  }
  const mayDelete = ({ bytes, start, keys }: Staged): boolean =>
    deleter === undefined ||
    authorAt(bytes, start) === deleter.author ||
    (deleter.wraps && keys.kind === GIFT_WRAP_KIND)
  const addStaged = (staged: Staged) => {
    const { seq, keys, start, end } = staged
    if (seq <= indexed || (keys.expires !== undefined && keys.expires <= now) || !mayDelete(staged)) return
    events++
    bytes += end - start
  }
  const prefixes = ids.map(prefixOf)
  if (deleter) add(DELETABLE, prefixes, JSON.stringify(ids), deleter.author, Number(deleter.wraps))
  else add(BY_PREFIX, prefixes, JSON.stringify(ids))
  add(BY_ADDRESS, hashes)
  for (const id of ids) {
    const staged = stage.get(id)
    if (staged) addStaged(staged)
  }
  for (const hash of hashes) for (const staged of stage.underAddress(hash)) addStaged(staged)
  return events > 1 && bytes > MOST_BYTES
}
