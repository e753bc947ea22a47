// What happens to native invoice slates and their transactions inside other verbs.
import type { AcceptExtras, Invoice, InvoiceSlate, IssuedSlate } from '../../../till/index.js'
import { requireShown } from '../../till/rules.js'
import {
  CLOSE_SLATE,
  FINALIZE_SLATE,
  HIDE_SLATE,
  INSERT_PUSH,
  IS_OPEN_SLATE,
  SCHEDULE_PUSH,
  SHOW_SLATE,
} from '../../till/slate-sql.js'
import type { Queries } from '../change.js'
import { insertKeyed, keyed } from './keys.js'
import { INVOICE_SLATE } from './tables.js'

const INSERT = insertKeyed(`INSERT INTO invoice_slate (${INVOICE_SLATE.columns}) VALUES (${INVOICE_SLATE.marks})`)

/** Stores the slate that a new invoice names. */
export async function insertFirstSlate(db: Queries, invoice: Invoice, slate: InvoiceSlate): Promise<void> {
  requireShown(invoice, slate)
  await insertSlate(db, slate)
}

/** For an invoice that has no open one. */
async function insertSlate(db: Queries, slate: InvoiceSlate): Promise<void> {
  await db.run(INSERT, keyed(slate.keyIndex, INVOICE_SLATE.values(slate)))
}

/** Closes the invoice's open slate, where it has one: secrets wiped, its I1 shown no longer. */
export async function closeSlates(db: Queries, { id, slateId }: Pick<Invoice, 'id' | 'slateId'>): Promise<void> {
  if (slateId === null) return
  await db.run(CLOSE_SLATE, [id])
  await db.run(HIDE_SLATE, [id])
}

/** The invoice shows this slate from now on; an earlier one is closed. */
export async function replaceSlate(db: Queries, before: Invoice, { slate, armor }: IssuedSlate): Promise<void> {
  await closeSlates(db, before)
  await insertSlate(db, slate)
  await db.run(SHOW_SLATE, [slate.slateId, armor, slate.invoiceId])
}

/** Whether this invoice still waits for this slate. */
export const isOpenSlate = async (db: Queries, slateId: string, invoiceId: string | null): Promise<boolean> =>
  (await db.get(IS_OPEN_SLATE, [slateId, invoiceId])) !== undefined

/** The slate is signed: its secrets are wiped, its transaction is due for the node. */
export async function finalizeSlate(
  db: Queries,
  paymentId: string,
  { slateId, transaction }: NonNullable<AcceptExtras['finished']>,
  now: number,
): Promise<void> {
  await db.run(FINALIZE_SLATE, [slateId])
  await db.run(INSERT_PUSH, [paymentId, now, transaction])
}

/** When the payment's transaction, if the till has it, goes to the node next; null: no longer. */
export async function schedulePush(db: Queries, paymentId: string, nextPushAt: number | null): Promise<void> {
  await db.run(SCHEDULE_PUSH, [nextPushAt, paymentId])
}
