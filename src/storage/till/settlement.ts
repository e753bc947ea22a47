// Settlement: what the chain, or its silence, does to a payment and to the invoice that names it.
import type { ConfirmationResult, Invoice, Payment, PaymentStore, Settlement, Sighting } from '../../till/index.js'
import { amountCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { GIVE_UP, REOPEN, REVIVE, SETTLE, SHOW_DEPTH } from './invoice-moves.js'
import type { Leases } from './leases.js'
import { endReply, insertLetters } from './letters.js'
import { insertEvent } from './outbox.js'
import { ABANDON, DETACH, MAY_BE_ABANDONED, SIGHTED, sightedValues } from './payment-moves.js'
import { findInvoice, findPayment } from './rows.js'
import { confirmed, hasReply, isPushed, isSettledBy, sighted } from './rules.js'
import { schedulePush } from './slate-moves.js'

export type SettlementVerbs = Pick<PaymentStore, 'recordSighting' | 'confirmPayment' | 'abandonPayment'>

/** The verbs on one connection; `write` runs those that change anything. Each ends the lease of the payment's check. */
export function settlementVerbs(db: Sqlite, write: Write, checks: Pick<Leases, 'end'>): SettlementVerbs {
  return {
    recordSighting: (sighting, now) =>
      write(() => {
        checks.end(sighting.paymentId)
        recordSighting(db, sighting, now)
      }),
    confirmPayment: (sighting, eventFor, now, letters = []) =>
      write((): ConfirmationResult | false => {
        checks.end(sighting.paymentId)
        const payment = confirmPayment(db, sighting, now)
        if (!payment) return false
        const settled = settledBy(db, payment)
        if (!settled) detach(db, payment)
        // In the line of the invoice it was made for: `payment.received` went there.
        if (eventFor) insertEvent(db, eventFor(settled), payment.invoiceId)
        insertLetters(db, sighting.paymentId, letters, now)
        return { settled }
      }),
    abandonPayment: (id, nextCheckAt, reopen = false) =>
      write(() => {
        checks.end(id)
        return abandonPayment(db, id, nextCheckAt, reopen)
      }),
  }
}

function recordSighting(db: Sqlite, sighting: Sighting, now: number): void {
  const payment = findPayment(db, sighting.paymentId)
  if (!payment || payment.settlement === 'confirmed') return
  const after = sighted(payment, sighting, now)
  storeSighting(db, after, sighting)
  followKernel(db, payment, after.settlement, now)
  if (payment.invoiceId === null) return
  if (payment.settlement === 'abandoned' && after.settlement !== 'abandoned') reviveInvoice(db, payment, now)
  db.run(SHOW_DEPTH, [sighting.confirmations, payment.invoiceId, payment.id])
}

/** A kernel in sight says that the payer has the reply; the till's own transaction goes to the node until it is in a block. */
function followKernel(db: Sqlite, before: Payment, after: Settlement, now: number): void {
  if (hasReply(after)) endReply(db, before.id)
  if (isPushed(before.settlement) !== isPushed(after)) schedulePush(db, before.id, isPushed(after) ? now : null)
}

function storeSighting(db: Sqlite, payment: Payment, sighting: Sighting): void {
  db.run(`UPDATE payment SET ${SIGHTED} WHERE id = ?`, sightedValues(payment, sighting))
}

function reviveInvoice(db: Sqlite, { id, invoiceId, amount }: Payment, now: number): void {
  db.run(REVIVE, [now, id, invoiceId, id, amountCell.write(amount)])
}

/** The payment as it was before, or undefined when there is nothing to confirm. */
function confirmPayment(db: Sqlite, sighting: Sighting, now: number): Payment | undefined {
  const payment = findPayment(db, sighting.paymentId)
  if (!payment || payment.settlement === 'confirmed') return undefined
  storeSighting(db, confirmed(payment, now), sighting)
  if (payment.invoiceId !== null) {
    reviveInvoice(db, payment, now)
    db.run(SETTLE, [now, sighting.confirmations, payment.invoiceId, payment.id])
  }
  followKernel(db, payment, 'confirmed', now)
  return payment
}

function settledBy(db: Sqlite, payment: Payment): Invoice | null {
  const invoice = payment.invoiceId === null ? undefined : findInvoice(db, payment.invoiceId)
  return isSettledBy(invoice, payment) ? invoice : null
}

function detach(db: Sqlite, { id, invoiceId }: Payment): void {
  if (invoiceId !== null) db.run(DETACH, [id])
}

function abandonPayment(db: Sqlite, id: string, nextCheckAt: number | null, reopen: boolean): boolean {
  if (db.run(`${ABANDON} WHERE ${MAY_BE_ABANDONED}`, [nextCheckAt, id]) === 0) return false
  schedulePush(db, id, null)
  db.run(reopen ? REOPEN : GIVE_UP, [id, id])
  return true
}
