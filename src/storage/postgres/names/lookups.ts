// Who holds what. Within a SERIALIZABLE transaction these searches are what two claims of look-alikes conflict over.
import type { ActiveName, NameShape, ReservedName } from '../../../authority/index.js'
import { type Crowd, crowdsOf, isLike, lookAlikesIn } from '../../names/look-alikes.js'
import { hexCell, hexKey, integerCell, textCell } from '../../sqlite/columns.js'
import type { Queries } from '../change.js'
import { ACTIVE } from './tables.js'

const BY_NAME = `SELECT ${ACTIVE.columns} FROM name WHERE name = ? AND released_at IS NULL`
const BY_KEY = `SELECT ${ACTIVE.columns} FROM name WHERE pubkey = ? AND released_at IS NULL`
const BY_SKELETON = 'FROM name WHERE skeleton = ? AND released_at IS NULL'
const RESERVED_BY_SKELETON = 'FROM reserved WHERE skeleton = ?'
const { rivals, keptBack } = crowdsOf({
  active: BY_SKELETON,
  reserved: RESERVED_BY_SKELETON,
  joined: "string_agg(name, ',')",
})
const FIRST_OF_SKELETON = `SELECT (SELECT name ${RESERVED_BY_SKELETON} LIMIT 1), (SELECT name ${BY_SKELETON} LIMIT 1)`
const KEY = 'SELECT pubkey FROM name WHERE name = ? AND released_at IS NULL AND suspended_at IS NULL'
const COOLDOWN = 'SELECT until FROM cooldown WHERE pubkey = ?'

/** The active row of a name, suspended or not. */
export async function findActive(db: Queries, name: string): Promise<ActiveName | undefined> {
  const row = await db.get(BY_NAME, [name])
  return row && ACTIVE.read(row)
}

/** The holder of a name; undefined while it is suspended. */
export async function findKey(db: Queries, name: string): Promise<string | undefined> {
  const [pubkey] = (await db.get(KEY, [name])) ?? []
  return pubkey === undefined ? undefined : hexCell.read(pubkey)
}

/** The active row that a key (64 hex) holds. */
export async function findOfKey(db: Queries, pubkey: string): Promise<ActiveName | undefined> {
  const row = await db.get(BY_KEY, [hexKey(pubkey)])
  return row && ACTIVE.read(row)
}

/** Another key's active name that is this one or looks like it. */
export const findRival = (db: Queries, shape: NameShape, exceptKey?: string): Promise<ActiveName | undefined> =>
  firstLike(db, rivals, shape, ({ pubkey }) => pubkey !== exceptKey)

/** A name of the table `reserved` that is this one or looks like it. */
export const findReserved = (db: Queries, shape: NameShape): Promise<ReservedName | undefined> =>
  firstLike(db, keptBack, shape, () => true)

/** Whether a key without a name can claim this one: one statement, unless the first of many candidates is no look-alike. */
export async function findAvailability(db: Queries, shape: NameShape): Promise<'free' | 'reserved' | 'taken'> {
  const [reserved = null, active = null] = (await db.get(FIRST_OF_SKELETON, [shape.skeleton, shape.skeleton])) ?? []
  if (reserved !== null && (isLike(shape, textCell.read(reserved)) || (await findReserved(db, shape))))
    return 'reserved'
  if (active !== null && (isLike(shape, textCell.read(active)) || (await findRival(db, shape)))) return 'taken'
  return 'free'
}

/** Epoch milliseconds; 0 when none was armed. */
export async function cooldownOf(db: Queries, pubkey: string): Promise<number> {
  const [until] = (await db.get(COOLDOWN, [hexKey(pubkey)])) ?? []
  return until === undefined ? 0 : integerCell.read(until)
}

/** Most skeletons have no row, or the one that counts. */
async function firstLike<T extends { readonly name: string }>(
  db: Queries,
  { first, names, one, read }: Crowd<T>,
  shape: NameShape,
  counts: (candidate: T) => boolean,
): Promise<T | undefined> {
  const row = await db.get(first, [shape.skeleton])
  if (row === undefined) return undefined
  const candidate = read(row)
  if (counts(candidate) && isLike(shape, candidate.name)) return candidate
  for (const name of lookAlikesIn(await db.get(names, [shape.skeleton]), shape)) {
    const found = await db.get(one, [name])
    const other = found && read(found)
    if (other && counts(other)) return other
  }
  return undefined
}
