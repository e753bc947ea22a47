// The audit log: each entry in two halves, only added to.
import type { AuditEntry, ConsoleStore } from '../../console/index.js'
import { ROLES } from '../../console/sign-in/roles.js'
import { membersOf } from '../../lib/parse-json.js'
import { foreignText } from '../../lib/plain-text.js'
import { type Order, readPage } from '../paging.js'
import { createTable, integerCell, json, nullable, textCell, wordCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import { runVerb } from '../sqlite/run-verb.js'
import type { Sqlite } from '../sqlite/sqlite.js'

type AuditVerbs = Pick<ConsoleStore, 'beginAudit' | 'endAudit' | 'auditPage'>

const texts = json<Readonly<Record<string, string>>>(
  (values) => values,
  (read) => Object.fromEntries(Object.entries(membersOf(read)).map(([name, value]) => [name, foreignText(value)])),
)

const ENTRY = createTable<AuditEntry>({
  id: ['audit.seq', integerCell],
  at: ['audit.at', integerCell],
  person: ['person', textCell],
  role: ['role', nullable(wordCell(...ROLES))],
  session: ['session', nullable(textCell)],
  action: ['action', textCell],
  object: ['object', textCell],
  values: ['details', texts],
  outcome: ['audit_end.outcome', nullable(textCell)],
  endedAt: ['audit_end.at', nullable(integerCell)],
})

const NEWEST: Order = {
  columns: ['audit.seq'],
  next: '<',
  parse: (cursor) => (/^\d{1,15}$/.test(cursor) ? [BigInt(cursor)] : undefined),
}

type NewEntry = Parameters<ConsoleStore['beginAudit']>[0]
type EntryEnd = Parameters<ConsoleStore['endAudit']>[1]

/** Within a transaction of the caller. */
export function insertBegin(db: Sqlite, { at, person, role, session, action, object, values }: NewEntry): number {
  db.run('INSERT INTO audit (at, person, role, session, action, object, details) VALUES (?, ?, ?, ?, ?, ?, ?)', [
    at,
    person,
    role,
    session,
    action,
    object,
    texts.write(values),
  ])
  return integerCell.read(db.get('SELECT last_insert_rowid()')?.[0] ?? null)
}

/** Within a transaction of the caller. */
export const insertEnd = (db: Sqlite, id: number, { at, outcome }: EntryEnd): void =>
  void db.run('INSERT OR IGNORE INTO audit_end (seq, at, outcome) VALUES (?, ?, ?)', [id, at, outcome])

const LIST = { table: ENTRY, from: 'audit LEFT JOIN audit_end USING (seq)', order: NEWEST }

export const auditVerbs = (db: Sqlite, write: Write): AuditVerbs => ({
  beginAudit: (entry) => write(() => insertBegin(db, entry)),
  endAudit: (id, end) => write(() => insertEnd(db, id, end)),
  auditPage: async (limit, cursor) => runVerb(db, readPage(LIST, { limit, cursor })),
})
