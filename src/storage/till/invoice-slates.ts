// The grin1 rail: native invoice slates, the matcher's search on the rail, and the transactions that go to the node.
import type { InvoiceSlate, InvoiceSlateStore, Push } from '../../till/index.js'
import { sql } from '../dialect.js'
import { amountCell, integerCell, textCell } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'
import { exists, many, one, type Runner, run, type Verb } from '../verbs.js'
import { payableBy } from './invoices.js'
import type { WorkLeases } from './leases.js'
import { findInvoice } from './rows.js'
import { isWanted, SLATE_RAIL } from './rules.js'
import { closeEverySlate, replaceSlate } from './slate-moves.js'
import { INVOICE, INVOICE_SLATE } from './tables.js'

const BY_ID = `SELECT ${INVOICE_SLATE.columns} FROM invoice_slate WHERE id = ?`
const PAYABLE = payableBy('payable_rail', `rail = '${SLATE_RAIL}' AND amount = ?`)

/** The conditions repeat those of the index word by word. */
const WITHOUT = sql(
  ({ by }) => `SELECT ${INVOICE.columns} FROM invoice ${by('invoice_without_slate')}
  WHERE status = 'open' AND rail = '${SLATE_RAIL}' AND slatepack IS NULL AND coalesce(expires_at, 9223372036854775807) > ?
  ORDER BY created_at DESC LIMIT ?`,
)
const TWIN = sql(
  ({
    by,
  }) => `SELECT 1 FROM invoice ${by('invoice_open_rail')} WHERE status = 'open' AND rail = '${SLATE_RAIL}' AND amount = ?
  AND (created_at, seq) < (?, (SELECT seq FROM invoice WHERE id = ?)) LIMIT 1`,
)
const DROP_OLD = sql(
  ({ by }) => `DELETE FROM invoice_slate WHERE seq IN (SELECT seq FROM invoice_slate ${by('invoice_slate_aged')}
  WHERE state = 'closed' AND created_at <= ? LIMIT ?)`,
)
const RECORD = sql(
  ({ leases }) => `UPDATE push SET attempts = attempts + 1, next_push_at = ?, last_error = ?${leases.end}
  WHERE payment_id = ? AND next_push_at IS NOT NULL${leases.isMine}`,
)
/** Also of pushes that ended meanwhile. */
const END_LEASE = sql(({ either }) =>
  either('', 'UPDATE push SET leased_until = NULL, leased_by = NULL WHERE payment_id = ? AND leased_by = ?'),
)

/** When the slate that an invoice shows is to be closed; word by word the expression of the index. */
export const SLATE_END = `CASE WHEN payment_id IS NOT NULL OR status = 'cancelled' THEN 0
  ELSE coalesce(expires_at, 9223372036854775807) END`

export const PUSH_COLUMNS = 'payment_id, body, attempts'

/** A row of `PUSH_COLUMNS`. */
export const readPush = ([paymentId = null, body = null, attempts = null]: Row): Push => ({
  paymentId: textCell.read(paymentId),
  transaction: textCell.read(body),
  attempts: integerCell.read(attempts),
})

/** `pushes`: leases of transactions that go to the node. */
export function invoiceSlateVerbs(
  { read, change }: Runner,
  pushes: WorkLeases,
): Omit<InvoiceSlateStore, 'claimPushes' | 'closeInvoiceSlates'> {
  return {
    invoiceSlate: (slateId) => read(() => one(BY_ID, [slateId], INVOICE_SLATE.read)),
    replaceInvoiceSlate: (slate, armor) => change(() => replaceWanted(slate, armor)),
    closeEveryInvoiceSlate: () => change(closeEverySlate),
    invoicesWithoutSlate: (now, limit) => read(() => many(WITHOUT, [now, limit], INVOICE.read)),
    payableOnRail: (exact, cutoff, limit) =>
      read(() => many(PAYABLE, [amountCell.write(exact), cutoff, limit], INVOICE.read)),
    hasEarlierTwin: ({ id, amount, createdAt }) => read(() => exists(TWIN, [amountCell.write(amount), createdAt, id])),
    recordPush: (paymentId, nextPushAt, error, by) =>
      change(function* (): Verb<void> {
        if (!pushes.isMine(paymentId, by)) return
        pushes.end(paymentId)
        const recorded = yield* run(RECORD, ({ leases }) => [nextPushAt, error, paymentId, ...leases.by(by)])
        if (recorded === 0) yield* run(END_LEASE, [paymentId, by])
      }),
  }
}

function* replaceWanted(slate: InvoiceSlate, armor: string): Verb<'replaced' | 'refused'> {
  const invoice = yield* findInvoice(slate.invoiceId)
  if (!invoice || !isWanted(invoice, slate)) return 'refused'
  yield* replaceSlate(invoice, { slate, armor })
  return 'replaced'
}

/**
 * Drops slates made by then that were closed without being signed, at most `limit`: nothing with their keys can be on the chain, and the
 * counter never comes back to them.
 */
export const dropOldSlates = (madeBy: number, limit: number): Verb<number> => run(DROP_OLD, [madeBy, limit])
