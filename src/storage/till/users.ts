// Tenants and their rotating receiving keys; every key ever assigned stays known.
import type { Page, User, UserStore } from '../../till/index.js'
import { readPage } from '../paging.js'
import { amountOfHalves, hexKey } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'
import { USER } from './tables.js'

const SELECT = `SELECT ${USER.columns} FROM user`

/** A user's credited money in two halves (see migrations/001-till.ts). What never arrived is not credited. */
const CREDITED = `
  (SELECT sum((amount >> 32) & 4294967295) FROM payment WHERE user_id = user.id AND settlement <> 'abandoned'),
  (SELECT sum(amount & 4294967295) FROM payment WHERE user_id = user.id AND settlement <> 'abandoned')`

type Credited = User & { readonly balance: ReturnType<typeof amountOfHalves> }
const CREDITED_USER = {
  columns: `${USER.columns}, ${CREDITED}`,
  // The page appends its two cursor columns.
  read: (row: Row): Credited => ({ ...USER.read(row), balance: amountOfHalves(row.at(-4), row.at(-3)) }),
}

/** Due by the global interval, then due by their own; each half has its partial index. */
const DUE = `SELECT ${USER.columns} FROM (
    SELECT * FROM (SELECT * FROM user WHERE rotate_interval IS NULL AND ?1 > 0 AND rotated_at <= ?2 - ?1 * 1000
      ORDER BY rotated_at LIMIT ?3)
    UNION ALL
    SELECT * FROM (SELECT * FROM user WHERE rotate_interval > 0 AND rotated_at + rotate_interval * 1000 <= ?2
      ORDER BY rotated_at + rotate_interval * 1000 LIMIT ?3)
  ) LIMIT ?3`

/** The verbs on one connection; `write` runs those that change anything. */
export function userVerbs(db: Sqlite, write: Write): UserStore {
  return {
    insertUser: (user) => write(() => insertUser(db, user)),
    async userById(id) {
      const row = db.get(`${SELECT} WHERE id = ?`, [id])
      return row && USER.read(row)
    },
    listUsers: async (limit, cursor): Promise<Page<Credited>> =>
      readPage(db, { table: CREDITED_USER, from: 'user' }, { limit, cursor }),
    rotateUser: (id, seenEpoch, pubkey, now) => write(() => rotateUser(db, { id, seenEpoch, pubkey, now })),
    setRotateInterval: (id, seconds) =>
      write(() =>
        db.run('UPDATE user SET rotate_interval = ? WHERE id = ?', [seconds, id]) > 0 ? 'updated' : 'unknown',
      ),
    usersDueForRotation: async (globalInterval, now, limit) => db.all(DUE, [globalInterval, now, limit]).map(USER.read),
    async userByPubkey(pubkey) {
      const row = db.get(`${SELECT} WHERE id = (SELECT user_id FROM endpub WHERE pubkey = ?)`, [hexKey(pubkey)])
      return row && USER.read(row)
    },
  }
}

function insertUser(db: Sqlite, user: User): 'created' | 'exists' {
  if (db.get('SELECT 1 FROM user WHERE id = ?', [user.id])) return 'exists'
  db.run(`INSERT INTO user (${USER.columns}) VALUES (${USER.marks})`, USER.values(user))
  rememberKey(db, user)
  return 'created'
}

interface Rotation {
  readonly id: string
  readonly seenEpoch: number
  readonly pubkey: string
  readonly now: number
}

function rotateUser(db: Sqlite, { id, seenEpoch, pubkey, now }: Rotation): 'rotated' | 'refused' {
  if (!db.get('SELECT 1 FROM user WHERE id = ? AND epoch = ?', [id, seenEpoch])) return 'refused'
  const renewed = { epoch: seenEpoch + 1, pubkey, rotatedAt: now }
  const change = USER.change(renewed)
  db.run(`UPDATE user SET ${change.sql} WHERE id = ?`, [...change.values, id])
  rememberKey(db, { id, ...renewed })
  return 'rotated'
}

function rememberKey(db: Sqlite, { id, epoch, pubkey, rotatedAt }: Omit<User, 'createdAt' | 'rotateInterval'>): void {
  db.run('INSERT INTO endpub (pubkey, user_id, epoch, created_at) VALUES (?, ?, ?, ?)', [
    hexKey(pubkey),
    id,
    epoch,
    rotatedAt,
  ])
}
