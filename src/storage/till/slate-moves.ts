// What happens to native invoice slates and their transactions inside other verbs. All of it must run with the write lock held.
import type { AcceptExtras, Invoice, InvoiceSlate, IssuedSlate } from '../../till/index.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { raiseKeyIndex } from './keys.js'
import { INVOICE_SLATE } from './tables.js'

const INSERT = `INSERT INTO invoice_slate (${INVOICE_SLATE.columns}) VALUES (${INVOICE_SLATE.marks})`

/** Stores the slate that a new invoice names. */
export function insertFirstSlate(db: Sqlite, invoice: Invoice, slate: InvoiceSlate): void {
  if (slate.invoiceId !== invoice.id || slate.slateId !== invoice.slateId || invoice.slatepack === null)
    throw new Error(`invoice ${invoice.id} does not show the slate it is stored with`)
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
  db.run("UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE invoice_id = ? AND state = 'open'", [
    invoiceId,
  ])
  db.run('UPDATE invoice SET slatepack = NULL WHERE id = ? AND slatepack IS NOT NULL', [invoiceId])
}

/** Closes every open slate of every invoice; answers how many there were. */
export function closeEverySlate(db: Sqlite): number {
  db.run('UPDATE invoice SET slatepack = NULL WHERE slatepack IS NOT NULL')
  return db.run("UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE state = 'open'")
}

/** The invoice shows this slate from now on; an earlier one is closed. */
export function replaceSlate(db: Sqlite, { slate, armor }: IssuedSlate): void {
  closeSlates(db, slate.invoiceId)
  insertSlate(db, slate)
  db.run('UPDATE invoice SET slate_id = ?, slatepack = ? WHERE id = ?', [slate.slateId, armor, slate.invoiceId])
}

/** Whether this invoice still waits for this slate. */
export const isOpenSlate = (db: Sqlite, slateId: string, invoiceId: string | null): boolean =>
  db.get("SELECT 1 FROM invoice_slate WHERE id = ? AND invoice_id = ? AND state = 'open'", [slateId, invoiceId]) !==
  undefined

/** The slate is signed: its secrets are wiped, its transaction is due for the node. */
export function finalizeSlate(
  db: Sqlite,
  paymentId: string,
  { slateId, transaction }: NonNullable<AcceptExtras['finished']>,
  now: number,
): void {
  db.run("UPDATE invoice_slate SET state = 'finalized', sealed_secrets = NULL WHERE id = ?", [slateId])
  db.run('INSERT INTO push (payment_id, attempts, next_push_at, body) VALUES (?, 0, ?, ?)', [
    paymentId,
    now,
    transaction,
  ])
}

/** When the payment's transaction, if the till has it, goes to the node next; null: no longer. */
export function schedulePush(db: Sqlite, paymentId: string, nextPushAt: number | null): void {
  db.run('UPDATE push SET next_push_at = ? WHERE payment_id = ?', [nextPushAt, paymentId])
}
