// What happens to native invoice slates and their transactions inside other verbs. All of it must run with the write lock held.
import type { AcceptExtras, Invoice, InvoiceSlate, IssuedSlate } from '../../till/index.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { raiseKeyIndex } from './keys.js'
import { requireShown } from './rules.js'
import {
  CLOSE_EVERY_SLATE,
  CLOSE_SLATE,
  FINALIZE_SLATE,
  HIDE_EVERY_SLATE,
  HIDE_SLATE,
  INSERT_PUSH,
  IS_OPEN_SLATE,
  SCHEDULE_PUSH,
  SHOW_SLATE,
} from './slate-sql.js'
import { INVOICE_SLATE } from './tables.js'

const INSERT = `INSERT INTO invoice_slate (${INVOICE_SLATE.columns}) VALUES (${INVOICE_SLATE.marks})`

/** Stores the slate that a new invoice names. */
export function insertFirstSlate(db: Sqlite, invoice: Invoice, slate: InvoiceSlate): void {
  requireShown(invoice, slate)
  insertSlate(db, slate)
}

/** For an invoice that has no open one. Its key is never handed out again, whatever the caller did. */
function insertSlate(db: Sqlite, slate: InvoiceSlate): void {
  db.run(INSERT, INVOICE_SLATE.values(slate))
  raiseKeyIndex(db, slate.keyIndex + 1)
}

/**
 * Drops slates made by then that were closed without being signed, at most `limit`: nothing with their keys can be on the chain, and the
 * counter never comes back to them.
 */
export const dropOldSlates = (db: Sqlite, madeBy: number, limit: number): number =>
  db.run(
    `DELETE FROM invoice_slate WHERE seq IN (SELECT seq FROM invoice_slate INDEXED BY invoice_slate_aged
       WHERE state = 'closed' AND created_at <= ? LIMIT ?)`,
    [madeBy, limit],
  )

/** Closes the invoice's open slate, where it has one: secrets wiped, its I1 shown no longer. */
export function closeSlates(db: Sqlite, invoiceId: string): void {
  db.run(CLOSE_SLATE, [invoiceId])
  db.run(HIDE_SLATE, [invoiceId])
}

/** Closes every open slate of every invoice; answers how many there were. */
export function closeEverySlate(db: Sqlite): number {
  db.run(HIDE_EVERY_SLATE)
  return db.run(CLOSE_EVERY_SLATE)
}

/** The invoice shows this slate from now on; an earlier one is closed. */
export function replaceSlate(db: Sqlite, { slate, armor }: IssuedSlate): void {
  closeSlates(db, slate.invoiceId)
  insertSlate(db, slate)
  db.run(SHOW_SLATE, [slate.slateId, armor, slate.invoiceId])
}

/** Whether this invoice still waits for this slate. */
export const isOpenSlate = (db: Sqlite, slateId: string, invoiceId: string | null): boolean =>
  db.get(IS_OPEN_SLATE, [slateId, invoiceId]) !== undefined

/** The slate is signed: its secrets are wiped, its transaction is due for the node. */
export function finalizeSlate(
  db: Sqlite,
  paymentId: string,
  { slateId, transaction }: NonNullable<AcceptExtras['finished']>,
  now: number,
): void {
  db.run(FINALIZE_SLATE, [slateId])
  db.run(INSERT_PUSH, [paymentId, now, transaction])
}

/** When the payment's transaction, if the till has it, goes to the node next; null: no longer. */
export function schedulePush(db: Sqlite, paymentId: string, nextPushAt: number | null): void {
  db.run(SCHEDULE_PUSH, [nextPushAt, paymentId])
}
