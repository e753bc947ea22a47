// The grin1 rail: native invoice slates, the matcher's search on the rail, and the transactions that go to the node.
import { CLOSED_SLATE_MS, LONGEST_WAIT_MS } from '../../lib/due-times.js'
import type { InvoiceSlateStore } from '../../till/index.js'
import { amountCell, textCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { createDueSearch } from './due-times.js'
import { payableBy } from './invoices.js'
import { createLeases } from './leases.js'
import { PUSH_COLUMNS, readPush } from './push-rows.js'
import { findInvoice } from './rows.js'
import { isWanted } from './rules.js'
import { closeEverySlate, closeSlates, dropOldSlates, replaceSlate } from './slate-moves.js'
import { SLATE_END } from './slate-sql.js'
import { INVOICE, INVOICE_SLATE } from './tables.js'

const SELECT = `SELECT ${INVOICE_SLATE.columns} FROM invoice_slate`
const PAYABLE = payableBy('payable_rail', "rail = 'grin1' AND amount = ?")

const OVER = `SELECT id FROM invoice INDEXED BY invoice_slate_end WHERE slatepack IS NOT NULL AND ${SLATE_END} <= ?
  ORDER BY ${SLATE_END} LIMIT ?`

/** The conditions repeat those of the index word by word. */
const WITHOUT = `SELECT ${INVOICE.columns} FROM invoice INDEXED BY invoice_without_slate
  WHERE status = 'open' AND rail = 'grin1' AND slatepack IS NULL AND coalesce(expires_at, 9223372036854775807) > ?
  ORDER BY created_at DESC LIMIT ?`

const TWIN = `SELECT 1 FROM invoice INDEXED BY invoice_open_rail WHERE status = 'open' AND rail = 'grin1' AND amount = ?
  AND (created_at, seq) < (?, (SELECT seq FROM invoice WHERE id = ?)) LIMIT 1`

const pushesDue = createDueSearch({
  select: `SELECT ${PUSH_COLUMNS} FROM push`,
  column: 'next_push_at',
  longestWaitMs: LONGEST_WAIT_MS.push,
})
const RECORD =
  'UPDATE push SET attempts = attempts + 1, next_push_at = ?, last_error = ? WHERE payment_id = ? AND next_push_at IS NOT NULL'

/** The verbs on one connection; `write` runs those that change anything. */
export function invoiceSlateVerbs(db: Sqlite, write: Write): InvoiceSlateStore {
  const leases = createLeases()
  return {
    async invoiceSlate(slateId) {
      const row = db.get(`${SELECT} WHERE id = ?`, [slateId])
      return row && INVOICE_SLATE.read(row)
    },
    replaceInvoiceSlate: (slate, armor) =>
      write(() => {
        if (!isWanted(findInvoice(db, slate.invoiceId), slate)) return 'refused'
        replaceSlate(db, { slate, armor })
        return 'replaced'
      }),
    closeInvoiceSlates: (cutoff, limit) =>
      write(() => {
        const over = db.all(OVER, [cutoff, limit])
        for (const [id = null] of over) closeSlates(db, textCell.read(id))
        dropOldSlates(db, cutoff - CLOSED_SLATE_MS, limit)
        return over.length
      }),
    closeEveryInvoiceSlate: () => write(() => closeEverySlate(db)),
    invoicesWithoutSlate: async (now, limit) => db.all(WITHOUT, [now, limit]).map(INVOICE.read),
    payableOnRail: async (exact, cutoff, limit) =>
      db.all(PAYABLE, [amountCell.write(exact), cutoff, limit]).map(INVOICE.read),
    hasEarlierTwin: async ({ id, amount: exact, createdAt }) =>
      db.get(TWIN, [amountCell.write(exact), createdAt, id]) !== undefined,
    claimPushes: async (claim) =>
      leases.claim(
        claim,
        (limit) => pushesDue(db, claim.now, limit).map(readPush),
        ({ paymentId }) => paymentId,
      ),
    recordPush: (paymentId, nextPushAt, error, by) =>
      write(() => {
        if (!leases.isMine(paymentId, by)) return
        leases.end(paymentId)
        db.run(RECORD, [nextPushAt, error, paymentId])
      }),
  }
}
