// Grants: which key owes or has paid which invoice.
import type { Grant, GrantStore } from '../../../authority/index.js'
import { hexCell, hexKey, integerCell } from '../../sqlite/columns.js'
import type { SqlValue } from '../../sqlite/sqlite.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'
import { GRANT } from './tables.js'

const SELECT = `SELECT ${GRANT.columns} FROM paid_grant`
const INSERT = `INSERT INTO paid_grant (${GRANT.columns}) VALUES (${GRANT.marks})`
const COUNT = `INSERT INTO grant_serial (pubkey, resource, serial) VALUES (?, ?, ?)
  ON CONFLICT (pubkey, resource) DO UPDATE SET serial = greatest(grant_serial.serial, excluded.serial)`
const PENDING = `${SELECT} WHERE status = 'pending' AND created_at >= ? ORDER BY created_at DESC, seq DESC LIMIT ?`
const SETTLE = "UPDATE paid_grant SET status = 'paid', paid_at = ? WHERE invoice_id = ? AND status = 'pending'"
/** A grant leaves its invoice behind, which buys nothing any more. */
const remove = (
  condition: string,
): string => `WITH gone AS (DELETE FROM paid_grant WHERE ${condition} RETURNING invoice_id)
  INSERT INTO past_grant (invoice_id) SELECT invoice_id FROM gone ON CONFLICT (invoice_id) DO NOTHING`
const DELETE = remove('invoice_id = ?')
const SPEND = remove("pubkey = ? AND resource = 'name'")

export function grantVerbs({ read, change }: Transactions): GrantStore {
  return {
    grant: (pubkey, resource) => read((db) => findGrant(db, pubkey, resource)),
    grantOfInvoice: (invoiceId) => read((db) => findByInvoice(db, invoiceId)),
    lastSerial: (pubkey, resource) => read((db) => lastSerial(db, pubkey, resource)),
    saveGrant: (grant, replaces) => change((db) => saveGrant(db, grant, replaces)),
    settleGrant: (invoiceId, now) =>
      change(async (db) => {
        const isKnown =
          (await db.run(SETTLE, [now, invoiceId])) > 0 || (await findByInvoice(db, invoiceId)) !== undefined
        return isKnown ? 'paid' : 'unknown'
      }),
    pendingGrants: (since, limit) => read(async (db) => (await db.all(PENDING, [since, limit])).map(GRANT.read)),
  }
}

async function find(db: Queries, condition: string, values: readonly SqlValue[]): Promise<Grant | undefined> {
  const row = await db.get(`${SELECT} WHERE ${condition}`, values)
  return row && GRANT.read(row)
}

const findGrant = (db: Queries, pubkey: string, resource: Grant['resource']) =>
  find(db, 'pubkey = ? AND resource = ?', [hexKey(pubkey), resource])

/** The grant that one invoice pays for. */
export const findByInvoice = (db: Queries, invoiceId: string) => find(db, 'invoice_id = ?', [invoiceId])

async function lastSerial(db: Queries, pubkey: string, resource: Grant['resource']): Promise<number> {
  const [serial] =
    (await db.get('SELECT serial FROM grant_serial WHERE pubkey = ? AND resource = ?', [hexKey(pubkey), resource])) ??
    []
  return serial === undefined ? 0 : integerCell.read(serial)
}

/** The grant was spent, replaced or voided: its invoice buys nothing any more. */
const isPast = async (db: Queries, invoiceId: string): Promise<boolean> =>
  (await db.get('SELECT 1 FROM past_grant WHERE invoice_id = ?', [invoiceId])) !== undefined

async function saveGrant(db: Queries, grant: Grant, replaces: string | null): Promise<Grant | 'serial-used'> {
  const { pubkey, resource, serial } = grant
  const stored = await findGrant(db, pubkey, resource)
  if (stored && (stored.status === 'paid' || stored.invoiceId !== replaces)) return stored
  if (serial <= (await lastSerial(db, pubkey, resource)) || (await isPast(db, grant.invoiceId))) return 'serial-used'
  if (stored) await deleteGrant(db, stored.invoiceId)
  await db.run(INSERT, GRANT.values(grant))
  await db.run(COUNT, [hexCell.write(pubkey), resource, serial])
  return grant
}

/** Its serial and its invoice are remembered. */
export async function deleteGrant(db: Queries, invoiceId: string): Promise<void> {
  await db.run(DELETE, [invoiceId])
}

/** Spends what a key has paid for a name. */
export async function spendPaidName(db: Queries, pubkey: string): Promise<void> {
  await db.run(SPEND, [hexCell.write(pubkey)])
}
