// People who sign in by passkey.
import type { ConsoleStore, Passkey, PersonRecord } from '../../console/index.js'
import { linkState } from '../../console/sign-in/lifetimes.js'
import { ROLES } from '../../console/sign-in/roles.js'
import { bytesCell, createTable, hexKey, integerCell, nullable, textCell, wordCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { insertSession, linkOf } from './sessions.js'

type PeopleVerbs = Pick<ConsoleStore, 'addPasskey' | 'findPasskey' | 'usePasskey' | 'people' | 'removePerson'>

const PASSKEY = createTable<Passkey>({
  id: ['passkey.id', bytesCell],
  name: ['person.name', textCell],
  role: ['person.role', wordCell(...ROLES)],
  publicKey: ['passkey.public_key', bytesCell],
  counter: ['passkey.counter', integerCell],
})

const PERSON = createTable<PersonRecord>({
  name: ['person.name', textCell],
  role: ['person.role', wordCell(...ROLES)],
  createdAt: ['person.created_at', integerCell],
  passkeys: ['count(passkey.id)', integerCell],
  usedAt: ['max(passkey.used_at)', nullable(integerCell)],
})

const MAX_LISTED = 200

export function peopleVerbs(db: Sqlite, write: Write): PeopleVerbs {
  const passkeyOf = (id: Uint8Array): Passkey | undefined => {
    const row = db.get(
      `SELECT ${PASSKEY.columns} FROM passkey JOIN person ON person.name = passkey.person WHERE passkey.id = ?`,
      [id],
    )
    return row && PASSKEY.read(row)
  }

  return {
    addPasskey: (hash, { id, publicKey, counter }, session) =>
      write(() => {
        const link = linkOf(db, hash)
        if (link?.purpose !== 'passkey') return 'unknown'
        const state = linkState(link, session.now)
        if (state !== 'good') return state
        if (passkeyOf(id)) return 'taken'
        const { name, role } = link
        db.run('UPDATE link SET spent_at = ? WHERE hash = ?', [session.now, hexKey(hash)])
        db.run(
          'INSERT INTO person (name, role, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET role = excluded.role',
          [name, role, session.now],
        )
        db.run('INSERT INTO passkey (id, person, public_key, counter, created_at) VALUES (?, ?, ?, ?, ?)', [
          id,
          name,
          publicKey,
          counter,
          session.now,
        ])
        // A role that was changed counts at once, not for later sign-ins only.
        db.run('UPDATE session SET ended_at = ?, ended_by = ? WHERE name = ? AND role <> ? AND ended_at IS NULL', [
          session.now,
          name,
          name,
          role,
        ])
        return insertSession(db, { name, role }, session, 'passkey.create')
      }),
    findPasskey: async (id) => passkeyOf(id),
    usePasskey: (id, counter, session) =>
      write(() => {
        const passkey = passkeyOf(id)
        if (!passkey) return 'unknown'
        // Authenticators that do not count say 0 for ever; of the others a number that does not grow is a copy of the key.
        if (counter <= passkey.counter && (counter !== 0 || passkey.counter !== 0)) return 'replayed'
        db.run('UPDATE passkey SET counter = ?, used_at = ? WHERE id = ?', [counter, session.now, id])
        return insertSession(db, passkey, session)
      }),
    async people() {
      const rows = db.all(
        `SELECT ${PERSON.columns} FROM person LEFT JOIN passkey ON passkey.person = person.name
          GROUP BY person.name ORDER BY person.name LIMIT ${MAX_LISTED}`,
      )
      return rows.map(PERSON.read)
    },
    removePerson: (name, { at, by }) =>
      write(() => {
        const links = db.run('UPDATE link SET spent_at = ? WHERE name = ? AND spent_at IS NULL', [at, name])
        db.run('DELETE FROM passkey WHERE person = ?', [name])
        const people = db.run('DELETE FROM person WHERE name = ?', [name])
        const sessions = db.run('UPDATE session SET ended_at = ?, ended_by = ? WHERE name = ? AND ended_at IS NULL', [
          at,
          by,
          name,
        ])
        return links + people + sessions > 0
      }),
  }
}
