// Grants: which key owes or has paid which invoice.
import type { Grant, GrantStore } from '../../authority/index.js'
import { hexCell, hexKey, integerCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { GRANT } from './tables.js'

const SELECT = `SELECT ${GRANT.columns} FROM paid_grant`
const INSERT = `INSERT INTO paid_grant (${GRANT.columns}) VALUES (${GRANT.marks})`
const COUNT = `INSERT INTO grant_serial (pubkey, resource, serial) VALUES (?, ?, ?)
  ON CONFLICT (pubkey, resource) DO UPDATE SET serial = max(serial, excluded.serial)`
const PENDING = `${SELECT} WHERE status = 'pending' AND created_at >= ? ORDER BY created_at DESC, seq DESC LIMIT ?`
const SETTLE = "UPDATE paid_grant SET status = 'paid', paid_at = ? WHERE invoice_id = ? AND status = 'pending'"

/** The verbs on one connection; `write` runs those that change anything. */
export function grantVerbs(db: Sqlite, write: Write): GrantStore {
  return {
    grant: async (pubkey, resource) => findGrant(db, pubkey, resource),
    grantOfInvoice: async (invoiceId) => findByInvoice(db, invoiceId),
    lastSerial: async (pubkey, resource) => lastSerial(db, pubkey, resource),
    saveGrant: (grant, replaces) => write(() => saveGrant(db, grant, replaces)),
    settleGrant: (invoiceId, now) =>
      write(() => {
        const isKnown = db.run(SETTLE, [now, invoiceId]) > 0 || findByInvoice(db, invoiceId) !== undefined
        return isKnown ? 'paid' : 'unknown'
      }),
    pendingGrants: async (since, limit) => db.all(PENDING, [since, limit]).map(GRANT.read),
  }
}

function findGrant(db: Sqlite, pubkey: string, resource: Grant['resource']): Grant | undefined {
  const row = db.get(`${SELECT} WHERE pubkey = ? AND resource = ?`, [hexKey(pubkey), resource])
  return row && GRANT.read(row)
}

/** The grant that one invoice pays for. */
export function findByInvoice(db: Sqlite, invoiceId: string): Grant | undefined {
  const row = db.get(`${SELECT} WHERE invoice_id = ?`, [invoiceId])
  return row && GRANT.read(row)
}

function lastSerial(db: Sqlite, pubkey: string, resource: Grant['resource']): number {
  const [serial] =
    db.get('SELECT serial FROM grant_serial WHERE pubkey = ? AND resource = ?', [hexKey(pubkey), resource]) ?? []
  return serial === undefined ? 0 : integerCell.read(serial)
}

/** The grant was spent, replaced or voided: its invoice no longer buys anything. */
const isPast = (db: Sqlite, invoiceId: string): boolean =>
  db.get('SELECT 1 FROM past_grant WHERE invoice_id = ?', [invoiceId]) !== undefined

function saveGrant(db: Sqlite, grant: Grant, replaces: string | null): Grant | 'serial-used' {
  const { pubkey, resource, serial } = grant
  const stored = findGrant(db, pubkey, resource)
  if (stored && (stored.status === 'paid' || stored.invoiceId !== replaces)) return stored
  if (serial <= lastSerial(db, pubkey, resource) || isPast(db, grant.invoiceId)) return 'serial-used'
  if (stored) deleteGrant(db, stored.invoiceId)
  db.run(INSERT, GRANT.values(grant))
  db.run(COUNT, [hexCell.write(pubkey), resource, serial])
  return grant
}

/** Its serial and its invoice are remembered. */
export function deleteGrant(db: Sqlite, invoiceId: string): void {
  db.run('DELETE FROM paid_grant WHERE invoice_id = ?', [invoiceId])
}
