// Tenants and their rotating receiving keys; every key ever assigned stays known.
import type { User, UserStore } from '../../till/index.js'
import { sql } from '../dialect.js'
import { readPage } from '../paging.js'
import { amountOfHalves, hexKey } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'
import { all, one, type Runner, run, type Verb } from '../verbs.js'
import { USER } from './tables.js'

const USERS = sql(({ users }) => users)
const BY_ID = sql(({ users }) => `SELECT ${USER.columns} FROM ${users} WHERE id = ?`)
const BY_KEY = sql(
  ({ users }) => `SELECT ${USER.columns} FROM ${users} WHERE id = (SELECT user_id FROM endpub WHERE pubkey = ?)`,
)
const INSERT = sql(
  ({ users }) => `INSERT INTO ${users} (${USER.columns}) VALUES (${USER.marks}) ON CONFLICT (id) DO NOTHING`,
)
const INSERT_KEY = 'INSERT INTO endpub (pubkey, user_id, epoch, created_at) VALUES (?, ?, ?, ?)'
const SET_INTERVAL = sql(({ users }) => `UPDATE ${users} SET rotate_interval = ? WHERE id = ?`)

/** Each half has its partial index. */
const DUE_BY_GLOBAL = sql(
  ({ users }) =>
    `SELECT ${USER.columns} FROM ${users} WHERE rotate_interval IS NULL AND rotated_at <= ? ORDER BY rotated_at LIMIT ?`,
)
const DUE_BY_OWN = sql(
  ({
    users,
  }) => `SELECT ${USER.columns} FROM ${users} WHERE rotate_interval > 0 AND rotated_at + rotate_interval * 1000 <= ?
  ORDER BY rotated_at + rotate_interval * 1000 LIMIT ?`,
)

type Credited = User & { readonly balance: ReturnType<typeof amountOfHalves> }
/** With a user's credited money. What never arrived is not credited. */
const CREDITED_USER = {
  columns: sql(({ sums, users }) => {
    const credited = `FROM payment WHERE user_id = ${users}.id AND settlement <> 'abandoned'`
    return `${USER.columns}, ${sums('amount', (sum) => `(SELECT ${sum} ${credited})`)}`
  }),
  // The page appends its two cursor columns.
  read: (row: Row): Credited => ({ ...USER.read(row), balance: amountOfHalves(row.at(-4), row.at(-3)) }),
}

export const userVerbs = ({ read, change, repeatable }: Runner): UserStore => ({
  insertUser: (user) => change(() => insertUser(user)),
  userById: (id) => read(() => one(BY_ID, [id], USER.read)),
  listUsers: (limit, cursor) => read(() => readPage({ table: CREDITED_USER, from: USERS }, { limit, cursor })),
  rotateUser: (id, seenEpoch, pubkey, now) => change(() => rotateUser({ id, seenEpoch, pubkey, now })),
  setRotateInterval: (id, seconds) => repeatable(() => setRotateInterval(id, seconds)),
  usersDueForRotation: (globalInterval, now, limit) => read(() => usersDue(globalInterval, now, limit)),
  userByPubkey: (pubkey) => read(() => one(BY_KEY, [hexKey(pubkey)], USER.read)),
})

function* insertUser(user: User): Verb<'created' | 'exists'> {
  if ((yield* run(INSERT, USER.values(user))) === 0) return 'exists'
  yield* rememberKey(user)
  return 'created'
}

interface Rotation {
  readonly id: string
  readonly seenEpoch: number
  readonly pubkey: string
  readonly now: number
}

function* rotateUser({ id, seenEpoch, pubkey, now }: Rotation): Verb<'rotated' | 'refused'> {
  const renewed = { epoch: seenEpoch + 1, pubkey, rotatedAt: now }
  const change = USER.change(renewed)
  const changed = yield* run(
    ({ users }) => `UPDATE ${users} SET ${change.sql} WHERE id = ? AND epoch = ?`,
    [...change.values, id, seenEpoch],
  )
  if (changed === 0) return 'refused'
  yield* rememberKey({ id, ...renewed })
  return 'rotated'
}

const rememberKey = ({ id, epoch, pubkey, rotatedAt }: Omit<User, 'createdAt' | 'rotateInterval'>): Verb<number> =>
  run(INSERT_KEY, [hexKey(pubkey), id, epoch, rotatedAt])

function* setRotateInterval(id: string, seconds: number | null): Verb<'updated' | 'unknown'> {
  return (yield* run(SET_INTERVAL, [seconds, id])) > 0 ? 'updated' : 'unknown'
}

/** Due by the global interval in seconds (0: none has to rotate by it), then due by their own. */
function* usersDue(globalInterval: number, now: number, limit: number): Verb<readonly User[]> {
  const byGlobal = globalInterval > 0 ? yield* all(DUE_BY_GLOBAL, [now - globalInterval * 1000, limit]) : []
  return [...byGlobal, ...(yield* all(DUE_BY_OWN, [now, limit - byGlobal.length]))].map(USER.read)
}
