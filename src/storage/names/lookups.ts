// Who holds what: the searches behind every answer of the authority, each one step down an index.
import type { ActiveName, NameShape, ReservedName } from '../../authority/index.js'
import { hexCell, hexKey, integerCell, textCell } from '../sqlite/columns.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { type Crowd, crowdsOf, isLike, lookAlikesIn } from './look-alikes.js'
import { ACTIVE } from './tables.js'

const SELECT = `SELECT ${ACTIVE.columns} FROM name`
// Naming the index turns a condition that does not fit it into an error instead of a slow search.
const BY_NAME = `${SELECT} WHERE name = ? AND released_at IS NULL`
const BY_KEY = `${SELECT} INDEXED BY name_of_key WHERE pubkey = ? AND released_at IS NULL`
const BY_SKELETON = 'FROM name INDEXED BY name_skeleton WHERE skeleton = ? AND released_at IS NULL'
const RESERVED_BY_SKELETON = 'FROM reserved INDEXED BY reserved_skeleton WHERE skeleton = ?'
const { rivals, keptBack } = crowdsOf({
  active: BY_SKELETON,
  reserved: RESERVED_BY_SKELETON,
  joined: 'group_concat(name)',
})
/** One name of each kind with a skeleton: most skeletons have none, or one. */
const FIRST_OF_SKELETON = `SELECT
  (SELECT name FROM reserved INDEXED BY reserved_skeleton WHERE skeleton = ?1 LIMIT 1),
  (SELECT name FROM name INDEXED BY name_skeleton WHERE skeleton = ?1 AND released_at IS NULL LIMIT 1)`
const KEY = 'SELECT pubkey FROM name WHERE name = ? AND released_at IS NULL AND suspended_at IS NULL'
const COOLDOWN = 'SELECT until FROM cooldown WHERE pubkey = ?'

/** The active row of a name, suspended or not. */
export function findActive(db: Sqlite, name: string): ActiveName | undefined {
  const row = db.get(BY_NAME, [name])
  return row && ACTIVE.read(row)
}

/** The holder of a name; undefined while it is suspended. */
export function findKey(db: Sqlite, name: string): string | undefined {
  const [pubkey] = db.get(KEY, [name]) ?? []
  return pubkey === undefined ? undefined : hexCell.read(pubkey)
}

/** The active row that a key (64 hex) holds. */
export function findOfKey(db: Sqlite, pubkey: string): ActiveName | undefined {
  const row = db.get(BY_KEY, [hexKey(pubkey)])
  return row && ACTIVE.read(row)
}

/** Another key's active name that is this one or looks like it. */
export const findRival = (db: Sqlite, shape: NameShape, exceptKey?: string): ActiveName | undefined =>
  firstLike(db, rivals, shape, ({ pubkey }) => pubkey !== exceptKey)

/** A name of the table `reserved` that is this one or looks like it. */
export const findReserved = (db: Sqlite, shape: NameShape): ReservedName | undefined =>
  firstLike(db, keptBack, shape, () => true)

/** Whether a key without a name can claim this one: one statement, unless the first of many candidates is no look-alike. */
export function findAvailability(db: Sqlite, shape: NameShape): 'free' | 'reserved' | 'taken' {
  const [reserved = null, active = null] = db.get(FIRST_OF_SKELETON, [shape.skeleton]) ?? []
  if (reserved !== null && (isLike(shape, textCell.read(reserved)) || findReserved(db, shape))) return 'reserved'
  if (active !== null && (isLike(shape, textCell.read(active)) || findRival(db, shape))) return 'taken'
  return 'free'
}

/** Most skeletons have no row, or the one that counts: asking for the first alone costs a third of asking for all. */
function firstLike<T extends { readonly name: string }>(
  db: Sqlite,
  { first, names, one, read }: Crowd<T>,
  shape: NameShape,
  counts: (candidate: T) => boolean,
): T | undefined {
  const row = db.get(first, [shape.skeleton])
  if (row === undefined) return undefined
  const candidate = read(row)
  if (counts(candidate) && isLike(shape, candidate.name)) return candidate
  for (const name of lookAlikesIn(db.get(names, [shape.skeleton]), shape)) {
    const found = db.get(one, [name])
    const other = found && read(found)
    if (other && counts(other)) return other
  }
  return undefined
}

/** Epoch milliseconds; 0 when none was armed. */
export function cooldownOf(db: Sqlite, pubkey: string): number {
  const [until] = db.get(COOLDOWN, [hexKey(pubkey)]) ?? []
  return until === undefined ? 0 : integerCell.read(until)
}
