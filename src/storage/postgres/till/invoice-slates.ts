// The grin1 rail: native invoice slates, the matcher's search on the rail, and the transactions that go to the node.
import { CLOSED_SLATE_MS, LONGEST_WAIT_MS } from '../../../lib/due-times.js'
import type { InvoiceSlateStore } from '../../../till/index.js'
import { numericAmountCell } from '../../sqlite/columns.js'
import { PUSH_COLUMNS, readPush } from '../../till/push-rows.js'
import { isWanted } from '../../till/rules.js'
import { CLOSE_EVERY_SLATE, HIDE_EVERY_SLATE, SLATE_END } from '../../till/slate-sql.js'
import type { Transactions } from '../transactions.js'
import { createClaims, IS_MINE, LEASE_ENDS } from './claims.js'
import { payableBy } from './payable.js'
import { findInvoice } from './rows.js'
import { replaceSlate } from './slate-moves.js'
import { INVOICE, INVOICE_SLATE } from './tables.js'

const BY_ID = `SELECT ${INVOICE_SLATE.columns} FROM invoice_slate WHERE id = ?`
const PAYABLE = payableBy("rail = 'grin1' AND amount = ?")

const CLOSE_OVER = `WITH over AS (
    SELECT id FROM invoice WHERE slatepack IS NOT NULL AND ${SLATE_END} <= ? ORDER BY ${SLATE_END} LIMIT ?
  ), closed AS (
    UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL FROM over WHERE invoice_id = over.id AND state = 'open'
  ) UPDATE invoice SET slatepack = NULL FROM over WHERE invoice.id = over.id`
const DROP_OLD = `DELETE FROM invoice_slate WHERE seq IN (
  SELECT seq FROM invoice_slate WHERE state = 'closed' AND created_at <= ? LIMIT ?)`

/** The conditions repeat those of the index word by word. */
const WITHOUT = `SELECT ${INVOICE.columns} FROM invoice WHERE status = 'open' AND rail = 'grin1' AND slatepack IS NULL
  AND coalesce(expires_at, 9223372036854775807) > ? ORDER BY created_at DESC LIMIT ?`
const TWIN = `SELECT 1 FROM invoice WHERE status = 'open' AND rail = 'grin1' AND amount = ?
  AND (created_at, seq) < (?, (SELECT seq FROM invoice WHERE id = ?)) LIMIT 1`

const claimPushes = createClaims({
  table: 'push',
  columns: PUSH_COLUMNS,
  due: 'next_push_at',
  longestWaitMs: LONGEST_WAIT_MS.push,
})
const RECORD = `UPDATE push SET attempts = attempts + 1, next_push_at = ?, last_error = ?, ${LEASE_ENDS}
  WHERE payment_id = ? AND next_push_at IS NOT NULL AND ${IS_MINE}`
/** Also of pushes that ended meanwhile. */
const END_LEASE = `UPDATE push SET ${LEASE_ENDS} WHERE payment_id = ? AND leased_by = ?`

export function invoiceSlateVerbs({ read, change, repeatable }: Transactions): InvoiceSlateStore {
  return {
    invoiceSlate: (slateId) =>
      read(async (db) => {
        const row = await db.get(BY_ID, [slateId])
        return row && INVOICE_SLATE.read(row)
      }),
    replaceInvoiceSlate: (slate, armor) =>
      change(async (db) => {
        const invoice = await findInvoice(db, slate.invoiceId)
        if (!invoice || !isWanted(invoice, slate)) return 'refused'
        await replaceSlate(db, invoice, { slate, armor })
        return 'replaced'
      }),
    async closeInvoiceSlates(cutoff, limit) {
      const closed = await change((db) => db.run(CLOSE_OVER, [cutoff, limit]))
      await repeatable((db) => db.run(DROP_OLD, [cutoff - CLOSED_SLATE_MS, limit]))
      return closed
    },
    closeEveryInvoiceSlate: () =>
      change(async (db) => {
        await db.run(HIDE_EVERY_SLATE)
        return db.run(CLOSE_EVERY_SLATE)
      }),
    invoicesWithoutSlate: (now, limit) => read(async (db) => (await db.all(WITHOUT, [now, limit])).map(INVOICE.read)),
    payableOnRail: (exact, cutoff, limit) =>
      read(async (db) => (await db.all(PAYABLE, [numericAmountCell.write(exact), cutoff, limit])).map(INVOICE.read)),
    hasEarlierTwin: ({ id, amount: exact, createdAt }) =>
      read(async (db) => (await db.get(TWIN, [numericAmountCell.write(exact), createdAt, id])) !== undefined),
    claimPushes: (claim) => repeatable(async (db) => (await claimPushes(db, claim)).map(readPush)),
    recordPush: (paymentId, nextPushAt, error, by) =>
      change(async (db) => {
        if ((await db.run(RECORD, [nextPushAt, error, paymentId, by])) === 0) await db.run(END_LEASE, [paymentId, by])
      }),
  }
}
