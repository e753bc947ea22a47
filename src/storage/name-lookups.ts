// Who holds what: the searches behind every answer of the authority, each one step down an index.
import type { ActiveName, NameShape, ReservedName } from '../authority/index.js'
import { hexKey, integer } from './columns.js'
import { ACTIVE, RESERVED } from './name-tables.js'
import type { Row, Sqlite } from './sqlite.js'

/** More names than this of one skeleton are not looked at one by one: whatever else looks like them counts as taken, the safe side. */
const MAX_CANDIDATES = 4096

const SELECT = `SELECT ${ACTIVE.columns} FROM name`
// Naming the index turns a condition that does not fit it into an error instead of a slow search.
const BY_NAME = `${SELECT} WHERE name = ? AND released_at IS NULL`
const BY_KEY = `${SELECT} INDEXED BY name_of_key WHERE pubkey = ? AND released_at IS NULL`
const BY_SKELETON = `${SELECT} INDEXED BY name_skeleton WHERE skeleton = ? AND released_at IS NULL LIMIT ${MAX_CANDIDATES + 1}`
const RESERVED_BY_SKELETON = `SELECT ${RESERVED.columns} FROM reserved INDEXED BY reserved_skeleton
  WHERE skeleton = ? LIMIT ${MAX_CANDIDATES + 1}`
const COOLDOWN = 'SELECT until FROM cooldown WHERE pubkey = ?'

/** The active row of a name, suspended or not. */
export function findActive(db: Sqlite, name: string): ActiveName | undefined {
  const row = db.get(BY_NAME, [name])
  return row && ACTIVE.read(row)
}

/** The active row that a key (64 hex) holds. */
export function findOfKey(db: Sqlite, pubkey: string): ActiveName | undefined {
  const row = db.get(BY_KEY, [hexKey(pubkey)])
  return row && ACTIVE.read(row)
}

/** Another key's active name that is this one or looks like it. */
export const findRival = (db: Sqlite, shape: NameShape, exceptKey?: string): ActiveName | undefined =>
  firstLike(db.all(BY_SKELETON, [shape.skeleton]), ACTIVE.read, shape, ({ pubkey }) => pubkey !== exceptKey)

/** A name of the table `reserved` that is this one or looks like it. */
export const findReserved = (db: Sqlite, shape: NameShape): ReservedName | undefined =>
  firstLike(db.all(RESERVED_BY_SKELETON, [shape.skeleton]), RESERVED.read, shape, () => true)

function firstLike<T extends { readonly name: string }>(
  rows: readonly Row[],
  read: (row: Row) => T,
  shape: NameShape,
  counts: (candidate: T) => boolean,
): T | undefined {
  const isTooMany = rows.length > MAX_CANDIDATES
  for (const row of rows) {
    const candidate = read(row)
    if (!counts(candidate)) continue
    if (isTooMany || candidate.name === shape.name || shape.looksLike(candidate.name)) return candidate
  }
  return undefined
}

/** Epoch milliseconds; 0 when none was armed. */
export function cooldownOf(db: Sqlite, pubkey: string): number {
  const [until] = db.get(COOLDOWN, [hexKey(pubkey)]) ?? []
  return until === undefined ? 0 : integer.read(until)
}
