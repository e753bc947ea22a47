// Sign-in links and sessions.
import type { ConsoleStore, Link, NewSession, Session } from '../../console/index.js'
import { IDLE_MS, KEPT_MS, linkState, sessionState } from '../../console/sign-in/lifetimes.js'
import { ROLES } from '../../console/sign-in/roles.js'
import { createTable, hexCell, hexKey, integerCell, nullable, textCell, wordCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { insertBegin, insertEnd } from './audit.js'

const LINK = createTable<Link>({
  hash: ['hash', hexCell],
  name: ['name', textCell],
  role: ['role', wordCell(...ROLES)],
  purpose: ['purpose', wordCell('sign-in', 'passkey')],
  createdAt: ['created_at', integerCell],
  expiresAt: ['expires_at', integerCell],
  spentAt: ['spent_at', nullable(integerCell)],
})

const SESSION = createTable<Session>({
  hash: ['hash', hexCell],
  id: ['id', textCell],
  name: ['name', textCell],
  role: ['role', wordCell(...ROLES)],
  createdAt: ['created_at', integerCell],
  usedAt: ['used_at', integerCell],
  address: ['address', textCell],
  browser: ['browser', textCell],
  endedAt: ['ended_at', nullable(integerCell)],
  endedBy: ['ended_by', nullable(textCell)],
})

const MAX_LISTED = 200
/** Old rows that one sign-in or one link removes at most. */
const SWEPT = 500

type SessionVerbs = Pick<
  ConsoleStore,
  | 'addLink'
  | 'findLink'
  | 'spendLink'
  | 'findSession'
  | 'touchSession'
  | 'endSession'
  | 'endAllSessions'
  | 'liveSessions'
>

export function linkOf(db: Sqlite, hash: string): Link | undefined {
  const row = db.get(`SELECT ${LINK.columns} FROM link WHERE hash = ?`, [hexKey(hash)])
  return row && LINK.read(row)
}

function sweep(db: Sqlite, now: number): void {
  const before = now - KEPT_MS
  db.run(`DELETE FROM link WHERE hash IN (SELECT hash FROM link WHERE created_at < ? LIMIT ${SWEPT})`, [before])
  db.run(`DELETE FROM session WHERE hash IN (SELECT hash FROM session WHERE used_at < ? LIMIT ${SWEPT})`, [before])
}

/** With its entry in the audit log, within a transaction of the caller: there is none without the other. */
export function insertSession(
  db: Sqlite,
  { name, role }: Pick<Session, 'name' | 'role'>,
  { now, ...fresh }: NewSession,
  action: 'session.enter' | 'passkey.create' = 'session.enter',
): Session {
  const session = { ...fresh, name, role, createdAt: now, usedAt: now, endedAt: null, endedBy: null }
  sweep(db, now)
  db.run(`INSERT INTO session (${SESSION.columns}) VALUES (${SESSION.marks})`, SESSION.values(session))
  const { id } = session
  const entry = insertBegin(db, { at: now, person: name, role, session: id, action, object: id, values: {} })
  insertEnd(db, entry, { at: now, outcome: 'done' })
  return session
}

export function sessionVerbs(db: Sqlite, write: Write): SessionVerbs {
  return {
    addLink: (link) =>
      write(() => {
        sweep(db, link.createdAt)
        db.run(`INSERT INTO link (${LINK.columns}) VALUES (${LINK.marks})`, LINK.values(link))
      }),
    findLink: async (hash) => linkOf(db, hash),
    spendLink: (hash, session) =>
      write(() => {
        const link = linkOf(db, hash)
        if (link?.purpose !== 'sign-in') return 'unknown'
        const state = linkState(link, session.now)
        if (state !== 'good') return state
        db.run('UPDATE link SET spent_at = ? WHERE hash = ?', [session.now, hexKey(hash)])
        return insertSession(db, link, session)
      }),
    async findSession(hash) {
      const row = db.get(`SELECT ${SESSION.columns} FROM session WHERE hash = ?`, [hexKey(hash)])
      return row && SESSION.read(row)
    },
    touchSession: (id, { usedAt, address, browser }) =>
      write(
        () =>
          void db.run('UPDATE session SET used_at = ?, address = ?, browser = ? WHERE id = ? AND ended_at IS NULL', [
            usedAt,
            address,
            browser,
            id,
          ]),
      ),
    endSession: (id, { at, by }) =>
      write(
        () =>
          db.run('UPDATE session SET ended_at = ?, ended_by = ? WHERE id = ? AND ended_at IS NULL', [at, by, id]) > 0,
      ),
    endAllSessions: ({ at, by }) =>
      write(() => db.run('UPDATE session SET ended_at = ?, ended_by = ? WHERE ended_at IS NULL', [at, by])),
    async liveSessions(now) {
      const rows = db.all(
        `SELECT ${SESSION.columns} FROM session WHERE ended_at IS NULL AND used_at > ? ORDER BY used_at DESC LIMIT ${MAX_LISTED}`,
        [now - IDLE_MS],
      )
      return rows.map(SESSION.read).filter((session) => sessionState(session, now) === 'live')
    },
  }
}
