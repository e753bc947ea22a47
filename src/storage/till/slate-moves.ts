// What happens to native invoice slates and their transactions inside other verbs, all within a change.
import type { AcceptExtras, Invoice, InvoiceSlate, IssuedSlate } from '../../till/index.js'
import { exists, run, type Verb } from '../verbs.js'
import { insertKeyed, keyedInsert } from './keys.js'
import { requireShown } from './rules.js'
import { INVOICE_SLATE } from './tables.js'

const INSERT = keyedInsert(`INSERT INTO invoice_slate (${INVOICE_SLATE.columns}) VALUES (${INVOICE_SLATE.marks})`)
const CLOSE = "UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE invoice_id = ? AND state = 'open'"
const HIDE = 'UPDATE invoice SET slatepack = NULL WHERE id = ? AND slatepack IS NOT NULL'
const CLOSE_EVERY = "UPDATE invoice_slate SET state = 'closed', sealed_secrets = NULL WHERE state = 'open'"
const HIDE_EVERY = 'UPDATE invoice SET slatepack = NULL WHERE slatepack IS NOT NULL'
const SHOW = 'UPDATE invoice SET slate_id = ?, slatepack = ? WHERE id = ?'
const IS_OPEN = "SELECT 1 FROM invoice_slate WHERE id = ? AND invoice_id = ? AND state = 'open'"
const FINALIZE = "UPDATE invoice_slate SET state = 'finalized', sealed_secrets = NULL WHERE id = ?"
const INSERT_PUSH = 'INSERT INTO push (payment_id, attempts, next_push_at, body) VALUES (?, 0, ?, ?)'
const SCHEDULE_PUSH = 'UPDATE push SET next_push_at = ? WHERE payment_id = ?'

/** Stores the slate that a new invoice names. */
export function* insertFirstSlate(invoice: Invoice, slate: InvoiceSlate): Verb<void> {
  requireShown(invoice, slate)
  yield* insertSlate(slate)
}

/** For an invoice that has no open one. */
const insertSlate = (slate: InvoiceSlate): Verb<number> =>
  insertKeyed(INSERT, slate.keyIndex, INVOICE_SLATE.values(slate))

/** Closes the invoice's open slate, where it has one: secrets wiped, its I1 shown no longer. */
export function* closeSlates({ id, slateId }: Pick<Invoice, 'id' | 'slateId'>): Verb<void> {
  if (slateId !== null) yield* closeSlatesOf(id)
}

/** The same for an invoice that has one. */
export function* closeSlatesOf(invoiceId: string): Verb<void> {
  yield* run(CLOSE, [invoiceId])
  yield* run(HIDE, [invoiceId])
}

/** Closes every open slate of every invoice; answers how many there were. */
export function* closeEverySlate(): Verb<number> {
  yield* run(HIDE_EVERY)
  return yield* run(CLOSE_EVERY)
}

/** The invoice shows this slate from now on; an earlier one is closed. */
export function* replaceSlate(before: Invoice, { slate, armor }: IssuedSlate): Verb<void> {
  yield* closeSlates(before)
  yield* insertSlate(slate)
  yield* run(SHOW, [slate.slateId, armor, slate.invoiceId])
}

/** Whether this invoice still waits for this slate. */
export const isOpenSlate = (slateId: string, invoiceId: string): Verb<boolean> => exists(IS_OPEN, [slateId, invoiceId])

/** The slate is signed: its secrets are wiped, its transaction is due for the node. */
export function* finalizeSlate(
  paymentId: string,
  { slateId, transaction }: NonNullable<AcceptExtras['finished']>,
  now: number,
): Verb<void> {
  yield* run(FINALIZE, [slateId])
  yield* run(INSERT_PUSH, [paymentId, now, transaction])
}

/** When the payment's transaction, if the till has it, goes to the node next; null: no longer. */
export const schedulePush = (paymentId: string, nextPushAt: number | null): Verb<number> =>
  run(SCHEDULE_PUSH, [nextPushAt, paymentId])
