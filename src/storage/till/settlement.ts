// Settlement: what the chain, or its silence, does to a payment and to the invoice that names it.
import type { ConfirmationResult, Invoice, Payment, PaymentStore, Settlement, Sighting } from '../../till/index.js'
import { amountCell } from '../sqlite/columns.js'
import type { Write } from '../sqlite/group-commit.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import { becomes, mayBe } from './invoice-moves.js'
import type { Leases } from './leases.js'
import { endReply, insertLetters } from './letters.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment } from './rows.js'
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

/**
 * What a payment's settlement becomes. A missing kernel (`replied`) neither marks an unsent reply as sent
 * nor revives an abandoned payment: only a sighted kernel does that.
 */
function settlementAfter(before: Settlement, seen: Sighting['settlement']): Settlement {
  if (seen === 'replied' && (before === 'received' || before === 'abandoned')) return before
  return seen
}

function recordSighting(db: Sqlite, sighting: Sighting, now: number): void {
  const payment = findPayment(db, sighting.paymentId)
  if (!payment || payment.settlement === 'confirmed') return
  const settlement = settlementAfter(payment.settlement, sighting.settlement)
  const minedAt = sighting.minedHeight === null ? null : (payment.minedAt ?? now)
  storeSighting(db, { ...payment, settlement, minedAt }, sighting)
  followKernel(db, payment, settlement, now)
  if (payment.invoiceId === null) return
  if (payment.settlement === 'abandoned' && settlement !== 'abandoned') reviveInvoice(db, payment, now)
  db.run('UPDATE invoice SET confirmations = ? WHERE id = ? AND payment_id = ?', [
    sighting.confirmations,
    payment.invoiceId,
    payment.id,
  ])
}

/** A kernel in sight says that the payer has the reply; the till's own transaction goes to the node until it is in a block. */
function followKernel(db: Sqlite, before: Payment, after: Settlement, now: number): void {
  if (after === 'seen' || after === 'mined' || after === 'confirmed') endReply(db, before.id)
  if (isPushed(before.settlement) !== isPushed(after)) schedulePush(db, before.id, isPushed(after) ? now : null)
}

const isPushed = (settlement: Settlement): boolean =>
  settlement === 'received' || settlement === 'replied' || settlement === 'seen'

function storeSighting(db: Sqlite, payment: Payment, sighting: Sighting): void {
  db.run(
    `UPDATE payment SET settlement = ?, mined_at = ?, confirmed_at = ?, mined_height = ?, confirmations = ?,
       next_check_at = ?, output = ? WHERE id = ?`,
    [
      payment.settlement,
      payment.minedAt,
      payment.confirmedAt,
      sighting.minedHeight,
      sighting.confirmations,
      sighting.nextCheckAt,
      sighting.output ?? null,
      payment.id,
    ],
  )
}

/**
 * The kernel of an abandoned payment appeared: its invoice is paid after all, unless another one or the operator took it. One that
 * was given back and priced anew since asks for more or less: a payer who waits for a better rate must not settle it with the old amount.
 */
function reviveInvoice(db: Sqlite, payment: Payment, now: number): void {
  db.run(
    `UPDATE invoice SET ${becomes('kernel-appeared')}, paid_at = coalesce(paid_at, ?1), payment_id = ?2
     WHERE id = ?3 AND ${mayBe('kernel-appeared')} AND (payment_id = ?2 OR (payment_id IS NULL AND amount = ?4))`,
    [now, payment.id, payment.invoiceId, amountCell.write(payment.amount)],
  )
}

/** The payment as it was before, or undefined when there is nothing to confirm. */
function confirmPayment(db: Sqlite, sighting: Sighting, now: number): Payment | undefined {
  const payment = findPayment(db, sighting.paymentId)
  if (!payment || payment.settlement === 'confirmed') return undefined
  storeSighting(
    db,
    { ...payment, settlement: 'confirmed', minedAt: payment.minedAt ?? now, confirmedAt: now },
    sighting,
  )
  if (payment.invoiceId !== null) {
    reviveInvoice(db, payment, now)
    db.run(
      `UPDATE invoice SET ${becomes('depth-reached')}, confirmed_at = ?, confirmations = ?
       WHERE id = ? AND payment_id = ? AND ${mayBe('depth-reached')}`,
      [now, sighting.confirmations, payment.invoiceId, payment.id],
    )
  }
  followKernel(db, payment, 'confirmed', now)
  return payment
}

/** The invoice that stands `confirmed` and names this payment: what the payment was once meant for may have gone on without it. */
function settledBy(db: Sqlite, { id, invoiceId }: Payment): Invoice | null {
  const invoice = invoiceId === null ? undefined : findInvoice(db, invoiceId)
  return invoice?.status === 'confirmed' && invoice.paymentId === id ? invoice : null
}

/** It settled nothing: whatever looks for payments without an invoice finds it, and an operator may assign it. */
function detach(db: Sqlite, { id, invoiceId }: Payment): void {
  if (invoiceId === null) return
  db.run('UPDATE payment SET intended_invoice_id = invoice_id, invoice_id = NULL WHERE id = ?', [id])
}

/** The invoice of payment ?1, if it names that payment. */
const NAMES_PAYMENT = 'id = (SELECT invoice_id FROM payment WHERE id = ?1) AND payment_id = ?1'

function abandonPayment(db: Sqlite, id: string, nextCheckAt: number | null, reopen: boolean): boolean {
  const given = db.run(
    `UPDATE payment SET settlement = 'abandoned', next_check_at = ?
     WHERE id = ? AND settlement IN ('received', 'replied', 'seen')`,
    [nextCheckAt, id],
  )
  if (given === 0) return false
  schedulePush(db, id, null)
  // A reopened invoice waits for another payment; an expired one keeps the memory of this one.
  db.run(
    reopen
      ? `UPDATE invoice SET ${becomes('payment-void')}, paid_at = NULL, payment_id = NULL, confirmations = 0
         WHERE ${NAMES_PAYMENT} AND ${mayBe('payment-void')}`
      : `UPDATE invoice SET ${becomes('kernel-missing')}, confirmations = 0
         WHERE ${NAMES_PAYMENT} AND ${mayBe('kernel-missing')}`,
    [id],
  )
  return true
}
