// Who holds what: the searches behind every answer of the authority, each one step down an index. In PostgreSQL two claims
// of look-alikes read the same skeleton under SERIALIZABLE: one of them is repeated, and finds the other.
import type { ActiveName, NameReads, NameShape, ReservedName } from '../../authority/index.js'
import { type Dialect, type Sql, sql } from '../dialect.js'
import { hexCell, hexKey, integerCell, textCell } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'
import { get, one, type Runner, type Verb } from '../verbs.js'
import { ACTIVE, RESERVED } from './tables.js'

const SELECT = `SELECT ${ACTIVE.columns} FROM name`
const BY_NAME = `${SELECT} WHERE name = ? AND released_at IS NULL`
// Naming the index turns a condition that does not fit it into an error instead of a slow search.
const BY_KEY = sql(({ by }) => `${SELECT} ${by('name_of_key')} WHERE pubkey = ? AND released_at IS NULL`)
const KEY = 'SELECT pubkey FROM name WHERE name = ? AND released_at IS NULL AND suspended_at IS NULL'
const COOLDOWN = 'SELECT until FROM cooldown WHERE pubkey = ?'

/** Where names with a skeleton are. */
interface Crowd<T> {
  /** The first row of a skeleton. */
  readonly first: Sql
  /** Their names as one text: a row for each of thousands would cost the neighbours of a large group ten times as much. */
  readonly names: Sql
  /** The row of one name. */
  readonly named: Sql
  readonly read: (row: Row) => T
}

/** More names than this of one skeleton are not looked at one by one: all of them count as look-alikes, the safe side. */
const MAX_CANDIDATES = 4096

const active = ({ by }: Dialect): string =>
  `FROM name ${by('name_skeleton')} WHERE skeleton = ?1 AND released_at IS NULL`
const reserved = ({ by }: Dialect): string => `FROM reserved ${by('reserved_skeleton')} WHERE skeleton = ?1`
const namesOf = (from: (dialect: Dialect) => string): Sql =>
  sql(
    (dialect) =>
      `SELECT ${dialect.joined('name')} FROM (SELECT name ${from(dialect)} LIMIT ${MAX_CANDIDATES + 1}) AS candidate`,
  )

const RIVALS: Crowd<ActiveName> = {
  first: sql((dialect) => `SELECT ${ACTIVE.columns} ${active(dialect)} LIMIT 1`),
  names: namesOf(active),
  named: BY_NAME,
  read: ACTIVE.read,
}
const KEPT_BACK: Crowd<ReservedName> = {
  first: sql((dialect) => `SELECT ${RESERVED.columns} ${reserved(dialect)} LIMIT 1`),
  names: namesOf(reserved),
  named: `SELECT ${RESERVED.columns} FROM reserved WHERE name = ?`,
  read: RESERVED.read,
}
/** One name of each kind with a skeleton: most skeletons have none, or one. */
const FIRST_OF_SKELETON = sql(
  (dialect) => `SELECT (SELECT name ${reserved(dialect)} LIMIT 1), (SELECT name ${active(dialect)} LIMIT 1)`,
)

/** The lookups; each asks the database anew, so a change of another process counts at once. */
export const nameReads = ({ read }: Runner): NameReads => ({
  activeName: (name) => read(() => findActive(name)),
  keyOfName: (name) => read(() => findKey(name)),
  nameOfKey: (pubkey) => read(() => findOfKey(pubkey)),
  rivalOf: (shape, exceptKey) => read(() => findRival(shape, exceptKey)),
  reservedLike: (shape) => read(() => findReserved(shape)),
  availabilityOf: (shape) => read(() => findAvailability(shape)),
  cooldownUntil: (pubkey) => read(() => cooldownOf(pubkey)),
})

/** The active row of a name, suspended or not. */
export const findActive = (name: string): Verb<ActiveName | undefined> => one(BY_NAME, [name], ACTIVE.read)

/** The holder of a name; undefined while it is suspended. */
export const findKey = (name: string): Verb<string | undefined> =>
  one(KEY, [name], ([pubkey = null]) => hexCell.read(pubkey))

/** The active row that a key (64 hex) holds. */
export const findOfKey = (pubkey: string): Verb<ActiveName | undefined> => one(BY_KEY, [hexKey(pubkey)], ACTIVE.read)

/** Another key's active name that is this one or looks like it. */
export const findRival = (shape: NameShape, exceptKey?: string): Verb<ActiveName | undefined> =>
  firstLike(RIVALS, shape, ({ pubkey }) => pubkey !== exceptKey)

/** A name of the table `reserved` that is this one or looks like it. */
export const findReserved = (shape: NameShape): Verb<ReservedName | undefined> =>
  firstLike(KEPT_BACK, shape, () => true)

/** Whether a key without a name can claim this one: one statement, unless the first of many candidates is no look-alike. */
function* findAvailability(shape: NameShape): Verb<'free' | 'reserved' | 'taken'> {
  const [kept = null, held = null] = (yield* get(FIRST_OF_SKELETON, [shape.skeleton])) ?? []
  if (kept !== null && (isLike(shape, textCell.read(kept)) || (yield* findReserved(shape)))) return 'reserved'
  if (held !== null && (isLike(shape, textCell.read(held)) || (yield* findRival(shape)))) return 'taken'
  return 'free'
}

/** Most skeletons have no row, or the one that counts: asking for the first alone costs a third of asking for all. */
function* firstLike<T extends { readonly name: string }>(
  { first, names, named, read }: Crowd<T>,
  shape: NameShape,
  counts: (candidate: T) => boolean,
): Verb<T | undefined> {
  const candidate = yield* one(first, [shape.skeleton], read)
  if (candidate === undefined) return undefined
  if (counts(candidate) && isLike(shape, candidate.name)) return candidate
  for (const name of lookAlikesIn(yield* get(names, [shape.skeleton]), shape)) {
    const other = yield* one(named, [name], read)
    if (other && counts(other)) return other
  }
  return undefined
}

const isLike = (shape: NameShape, name: string): boolean => name === shape.name || shape.looksLike(name)

/** `names`: what the statement of a crowd answered. */
function lookAlikesIn([names]: Row = [], shape: NameShape): readonly string[] {
  const candidates = String(names ?? '').split(',')
  return candidates.length > MAX_CANDIDATES ? candidates : candidates.filter((name) => isLike(shape, name))
}

/** Epoch milliseconds; 0 when none was armed. */
export function* cooldownOf(pubkey: string): Verb<number> {
  return (yield* one(COOLDOWN, [hexKey(pubkey)], ([until = null]) => integerCell.read(until))) ?? 0
}
