// Tenants and their rotating receiving keys; every key ever assigned stays known.
import type { User, UserStore } from '../../../till/index.js'
import { amountOfSum, hexKey } from '../../sqlite/columns.js'
import type { Row } from '../../sqlite/sqlite.js'
import type { Queries } from '../change.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'
import { USER } from './tables.js'

const SELECT = `SELECT ${USER.columns} FROM till_user`
const BY_ID = `${SELECT} WHERE id = ?`
const BY_KEY = `${SELECT} WHERE id = (SELECT user_id FROM endpub WHERE pubkey = ?)`
const INSERT = `INSERT INTO till_user (${USER.columns}) VALUES (${USER.marks}) ON CONFLICT (id) DO NOTHING`
const INSERT_KEY = 'INSERT INTO endpub (pubkey, user_id, epoch, created_at) VALUES (?, ?, ?, ?)'
const SET_INTERVAL = 'UPDATE till_user SET rotate_interval = ? WHERE id = ?'

/** Each half has its partial index. */
const DUE_BY_GLOBAL = `${SELECT} WHERE rotate_interval IS NULL AND rotated_at <= ? ORDER BY rotated_at LIMIT ?`
const DUE_BY_OWN = `${SELECT} WHERE rotate_interval > 0 AND rotated_at + rotate_interval * 1000 <= ?
  ORDER BY rotated_at + rotate_interval * 1000 LIMIT ?`

/** A user's credited money. What never arrived is not credited. */
const CREDITED =
  "(SELECT sum(amount) FROM payment WHERE user_id = till_user.id AND settlement <> 'abandoned') AS balance"

type Credited = User & { readonly balance: ReturnType<typeof amountOfSum> }
const CREDITED_USER = {
  columns: `${USER.columns}, ${CREDITED}`,
  // The page appends its two cursor columns.
  read: (row: Row): Credited => ({ ...USER.read(row), balance: amountOfSum(row.at(-3)) }),
}

export function userVerbs({ read, change, repeatable }: Transactions): UserStore {
  const page = createPages(read)
  const find = (sql: string, key: Row[number]) =>
    read(async (db) => {
      const row = await db.get(sql, [key])
      return row && USER.read(row)
    })

  return {
    insertUser: (user) => change((db) => insertUser(db, user)),
    userById: (id) => find(BY_ID, id),
    listUsers: (limit, cursor) => page({ table: CREDITED_USER, from: 'till_user' }, { limit, cursor }),
    rotateUser: (id, seenEpoch, pubkey, now) => change((db) => rotateUser(db, { id, seenEpoch, pubkey, now })),
    setRotateInterval: (id, seconds) =>
      repeatable(async (db) => ((await db.run(SET_INTERVAL, [seconds, id])) > 0 ? 'updated' : 'unknown')),
    usersDueForRotation: (globalInterval, now, limit) =>
      read(async (db) => (await rowsDue(db, globalInterval, now, limit)).map(USER.read)),
    userByPubkey: (pubkey) => find(BY_KEY, hexKey(pubkey)),
  }
}

async function insertUser(db: Queries, user: User): Promise<'created' | 'exists'> {
  if ((await db.run(INSERT, USER.values(user))) === 0) return 'exists'
  await rememberKey(db, user)
  return 'created'
}

interface Rotation {
  readonly id: string
  readonly seenEpoch: number
  readonly pubkey: string
  readonly now: number
}

async function rotateUser(db: Queries, { id, seenEpoch, pubkey, now }: Rotation): ReturnType<UserStore['rotateUser']> {
  const renewed = { epoch: seenEpoch + 1, pubkey, rotatedAt: now }
  const { sql, values } = USER.change(renewed)
  const changed = await db.run(`UPDATE till_user SET ${sql} WHERE id = ? AND epoch = ?`, [...values, id, seenEpoch])
  if (changed === 0) return 'refused'
  await rememberKey(db, { id, ...renewed })
  return 'rotated'
}

async function rememberKey(
  db: Queries,
  { id, epoch, pubkey, rotatedAt }: Omit<User, 'createdAt' | 'rotateInterval'>,
): Promise<void> {
  await db.run(INSERT_KEY, [hexKey(pubkey), id, epoch, rotatedAt])
}

/** Due by the global interval in seconds (0: none has to rotate by it), then due by their own. */
async function rowsDue(db: Queries, globalInterval: number, now: number, limit: number): Promise<readonly Row[]> {
  const byGlobal = globalInterval > 0 ? await db.all(DUE_BY_GLOBAL, [now - globalInterval * 1000, limit]) : []
  return [...byGlobal, ...(await db.all(DUE_BY_OWN, [now, limit - byGlobal.length]))]
}
