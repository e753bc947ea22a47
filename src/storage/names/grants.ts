// Grants: which key owes or has paid which invoice.
import type { Grant, GrantStore } from '../../authority/index.js'
import { type Sql, sql } from '../dialect.js'
import { hexCell, hexKey, integerCell } from '../sqlite/columns.js'
import { exists, many, one, type Runner, run, type Verb } from '../verbs.js'
import { GRANT } from './tables.js'

const SELECT = `SELECT ${GRANT.columns} FROM paid_grant`
const OF_KEY = `${SELECT} WHERE pubkey = ? AND resource = ?`
const OF_INVOICE = `${SELECT} WHERE invoice_id = ?`
const INSERT = `INSERT INTO paid_grant (${GRANT.columns}) VALUES (${GRANT.marks})`
const SERIAL = 'SELECT serial FROM grant_serial WHERE pubkey = ? AND resource = ?'
const COUNT = sql(
  ({ greatest }) => `INSERT INTO grant_serial (pubkey, resource, serial) VALUES (?, ?, ?)
  ON CONFLICT (pubkey, resource) DO UPDATE SET serial = ${greatest('grant_serial.serial', 'excluded.serial')}`,
)
const PENDING = `${SELECT} WHERE status = 'pending' AND created_at >= ? ORDER BY created_at DESC, seq DESC LIMIT ?`
const SETTLE = "UPDATE paid_grant SET status = 'paid', paid_at = ? WHERE invoice_id = ? AND status = 'pending'"
/** A grant leaves its invoice behind, which no longer buys anything: in SQLite a trigger sees to it. */
const remove = (condition: string): Sql =>
  sql(({ either }) =>
    either(
      `DELETE FROM paid_grant WHERE ${condition}`,
      `WITH gone AS (DELETE FROM paid_grant WHERE ${condition} RETURNING invoice_id)
        INSERT INTO past_grant (invoice_id) SELECT invoice_id FROM gone ON CONFLICT (invoice_id) DO NOTHING`,
    ),
  )
const DELETE = remove('invoice_id = ?')
const SPEND = remove("pubkey = ? AND resource = 'name'")
/** The grant was spent, replaced or voided. */
const IS_PAST = 'SELECT 1 FROM past_grant WHERE invoice_id = ?'

export const grantVerbs = ({ read, change }: Runner): GrantStore => ({
  grant: (pubkey, resource) => read(() => findGrant(pubkey, resource)),
  grantOfInvoice: (invoiceId) => read(() => findByInvoice(invoiceId)),
  lastSerial: (pubkey, resource) => read(() => lastSerial(pubkey, resource)),
  saveGrant: (grant, replaces) => change(() => saveGrant(grant, replaces)),
  settleGrant: (invoiceId, now) => change(() => settleGrant(invoiceId, now)),
  pendingGrants: (since, limit) => read(() => many(PENDING, [since, limit], GRANT.read)),
})

const findGrant = (pubkey: string, resource: Grant['resource']): Verb<Grant | undefined> =>
  one(OF_KEY, [hexKey(pubkey), resource], GRANT.read)

/** The grant that one invoice pays for. */
export const findByInvoice = (invoiceId: string): Verb<Grant | undefined> => one(OF_INVOICE, [invoiceId], GRANT.read)

function* lastSerial(pubkey: string, resource: Grant['resource']): Verb<number> {
  return (yield* one(SERIAL, [hexKey(pubkey), resource], ([serial = null]) => integerCell.read(serial))) ?? 0
}

function* saveGrant(grant: Grant, replaces: string | null): Verb<Grant | 'serial-used'> {
  const { pubkey, resource, serial } = grant
  const stored = yield* findGrant(pubkey, resource)
  if (stored && (stored.status === 'paid' || stored.invoiceId !== replaces)) return stored
  if (serial <= (yield* lastSerial(pubkey, resource))) return 'serial-used'
  if (yield* exists(IS_PAST, [grant.invoiceId])) return 'serial-used'
  if (stored) yield* deleteGrant(stored.invoiceId)
  yield* run(INSERT, GRANT.values(grant))
  yield* run(COUNT, [hexCell.write(pubkey), resource, serial])
  return grant
}

function* settleGrant(invoiceId: string, now: number): Verb<'paid' | 'unknown'> {
  const isKnown = (yield* run(SETTLE, [now, invoiceId])) > 0 || (yield* findByInvoice(invoiceId)) !== undefined
  return isKnown ? 'paid' : 'unknown'
}

/** Its serial and its invoice are remembered. */
export const deleteGrant = (invoiceId: string): Verb<number> => run(DELETE, [invoiceId])

/** Spends what a key has paid for a name. */
export const spendPaidName = (pubkey: string): Verb<number> => run(SPEND, [hexCell.write(pubkey)])
