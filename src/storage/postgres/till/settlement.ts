// Settlement: what the chain, or its silence, does to a payment and to the invoice that names it.
import type { ConfirmationResult, Invoice, Payment, PaymentStore, Settlement, Sighting } from '../../../till/index.js'
import { numericAmountCell } from '../../sqlite/columns.js'
import { GIVE_UP, REOPEN, REVIVE, SETTLE, SHOW_DEPTH } from '../../till/invoice-moves.js'
import { ABANDON, DETACH, MAY_BE_ABANDONED, SIGHTED, sightedValues } from '../../till/payment-moves.js'
import { confirmed, hasReply, isPushed, isSettledBy, sighted } from '../../till/rules.js'
import type { Queries } from '../change.js'
import type { Transactions } from '../transactions.js'
import { LEASE_ENDS } from './claims.js'
import { endReply, insertLetters } from './letters.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment } from './rows.js'
import { schedulePush } from './slate-moves.js'

export type SettlementVerbs = Pick<PaymentStore, 'recordSighting' | 'confirmPayment' | 'abandonPayment'>

const STORE = `UPDATE payment SET ${SIGHTED}, ${LEASE_ENDS} WHERE id = ?`
const END_CHECK = `UPDATE payment SET ${LEASE_ENDS} WHERE id = ? AND leased_by IS NOT NULL`

/** Each ends the lease of the payment's check. */
export function settlementVerbs({ change }: Transactions): SettlementVerbs {
  return {
    recordSighting: (sighting, now) => change((db) => recordSighting(db, sighting, now)),
    confirmPayment: (sighting, eventFor, now, letters = []) =>
      change(async (db): Promise<ConfirmationResult | false> => {
        const payment = await confirmPayment(db, sighting, now)
        if (!payment) return false
        const settled = await settledBy(db, payment)
        // In the line of the invoice it was made for: `payment.received` went there.
        if (eventFor) await insertEvent(db, eventFor(settled), payment.invoiceId)
        await insertLetters(db, payment.id, letters, now)
        return { settled }
      }),
    abandonPayment: (id, nextCheckAt, reopen = false) => change((db) => abandonPayment(db, id, nextCheckAt, reopen)),
  }
}

/** Undefined, and its check has ended, when there is nothing more to find out about it. */
async function findUnconfirmed(db: Queries, id: string): Promise<Payment | undefined> {
  const payment = await findPayment(db, id)
  if (payment?.settlement !== 'confirmed') return payment
  await db.run(END_CHECK, [id])
  return undefined
}

async function recordSighting(db: Queries, sighting: Sighting, now: number): Promise<void> {
  const payment = await findUnconfirmed(db, sighting.paymentId)
  if (!payment) return
  const after = sighted(payment, sighting, now)
  await db.run(STORE, sightedValues(after, sighting))
  await followKernel(db, payment, after.settlement, now)
  if (payment.invoiceId === null) return
  if (payment.settlement === 'abandoned' && after.settlement !== 'abandoned') await reviveInvoice(db, payment, now)
  await db.run(SHOW_DEPTH, [sighting.confirmations, payment.invoiceId, payment.id])
}

/** A kernel in sight says that the payer has the reply; the till's own transaction goes to the node until it is in a block. */
async function followKernel(db: Queries, before: Payment, after: Settlement, now: number): Promise<void> {
  if (hasReply(after)) await endReply(db, before.id)
  if (isPushed(before.settlement) !== isPushed(after)) await schedulePush(db, before.id, isPushed(after) ? now : null)
}

async function reviveInvoice(db: Queries, { id, invoiceId, amount }: Payment, now: number): Promise<void> {
  await db.run(REVIVE, [now, id, invoiceId, id, numericAmountCell.write(amount)])
}

/** The payment as it was before, or undefined when there is nothing to confirm. */
async function confirmPayment(db: Queries, sighting: Sighting, now: number): Promise<Payment | undefined> {
  const payment = await findUnconfirmed(db, sighting.paymentId)
  if (!payment) return undefined
  await db.run(STORE, sightedValues(confirmed(payment, now), sighting))
  if (payment.invoiceId !== null) {
    await reviveInvoice(db, payment, now)
    await db.run(SETTLE, [now, sighting.confirmations, payment.invoiceId, payment.id])
  }
  await followKernel(db, payment, 'confirmed', now)
  return payment
}

/** The invoice that a confirmed payment settled. One that settled none has no invoice any more. */
async function settledBy(db: Queries, payment: Payment): Promise<Invoice | null> {
  if (payment.invoiceId === null) return null
  const invoice = await findInvoice(db, payment.invoiceId)
  if (isSettledBy(invoice, payment)) return invoice
  await db.run(DETACH, [payment.id])
  return null
}

async function abandonPayment(db: Queries, id: string, nextCheckAt: number | null, reopen: boolean): Promise<boolean> {
  if ((await db.run(`${ABANDON}, ${LEASE_ENDS} WHERE ${MAY_BE_ABANDONED}`, [nextCheckAt, id])) === 0) {
    await db.run(END_CHECK, [id])
    return false
  }
  await schedulePush(db, id, null)
  await db.run(reopen ? REOPEN : GIVE_UP, [id, id])
  return true
}
