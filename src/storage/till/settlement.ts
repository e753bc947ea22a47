// Settlement: what the chain, or its silence, does to a payment and to the invoice that names it.
import type { ConfirmationResult, Invoice, Payment, PaymentStore, Settlement, Sighting } from '../../till/index.js'
import { sql } from '../dialect.js'
import { amountCell } from '../sqlite/columns.js'
import type { SqlValue } from '../sqlite/sqlite.js'
import { type Runner, run, type Verb } from '../verbs.js'
import { GIVE_UP, REOPEN, REVIVE, SETTLE, SHOW_DEPTH } from './invoice-moves.js'
import type { WorkLeases } from './leases.js'
import { endReply, insertMessages } from './messages.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment } from './rows.js'
import { confirmed, hasReply, isPushed, isSettledBy, sighted } from './rules.js'
import { schedulePush } from './slate-moves.js'

export type SettlementVerbs = Pick<PaymentStore, 'recordSighting' | 'confirmPayment' | 'abandonPayment'>

/** Bound to `sightedValues`. */
const SIGHTED =
  'settlement = ?, mined_at = ?, confirmed_at = ?, mined_height = ?, confirmations = ?, next_check_at = ?, output = ?'

const STORE = sql(({ leases }) => `UPDATE payment SET ${SIGHTED}${leases.end} WHERE id = ?`)
const ABANDON = sql(
  ({ leases }) =>
    `UPDATE payment SET settlement = 'abandoned', next_check_at = ?${leases.end} WHERE id = ? AND settlement IN ('received', 'replied', 'seen')`,
)
/** It settled nothing: whatever looks for payments without an invoice finds it, and an operator may assign it. */
const DETACH = 'UPDATE payment SET intended_invoice_id = invoice_id, invoice_id = NULL WHERE id = ?'

/** Of a payment that nothing changes. */
const END_CHECK = sql(({ either }) =>
  either('', `UPDATE payment SET leased_until = NULL, leased_by = NULL WHERE id = ? AND leased_by IS NOT NULL`),
)

/** Each ends the lease of the payment's check, which is one of `checks`. */
export function settlementVerbs({ change }: Runner, checks: Pick<WorkLeases, 'end'>): SettlementVerbs {
  return {
    recordSighting: (sighting, now) =>
      change(() => {
        checks.end(sighting.paymentId)
        return recordSighting(sighting, now)
      }),
    confirmPayment: (sighting, eventFor, now, messages = []) =>
      change(function* (): Verb<ConfirmationResult | false> {
        checks.end(sighting.paymentId)
        const payment = yield* confirmPayment(sighting, now)
        if (!payment) return false
        const settled = yield* settledBy(payment)
        // In the line of the invoice it was made for: `payment.received` went there.
        if (eventFor) yield* insertEvent(eventFor(settled), payment.invoiceId)
        yield* insertMessages(payment.id, messages, now)
        return { settled }
      }),
    abandonPayment: (id, nextCheckAt, reopen = false) =>
      change(() => {
        checks.end(id)
        return abandonPayment(id, nextCheckAt, reopen)
      }),
  }
}

/** Undefined, and its check has ended, when there is nothing more to find out about it. */
function* findUnconfirmed(id: string): Verb<Payment | undefined> {
  const payment = yield* findPayment(id)
  if (payment?.settlement !== 'confirmed') return payment
  yield* run(END_CHECK, [id])
  return undefined
}

function* recordSighting(sighting: Sighting, now: number): Verb<void> {
  const payment = yield* findUnconfirmed(sighting.paymentId)
  if (!payment) return
  const after = sighted(payment, sighting, now)
  yield* run(STORE, sightedValues(after, sighting))
  yield* followKernel(payment, after.settlement, now)
  if (payment.invoiceId === null) return
  if (payment.settlement === 'abandoned' && after.settlement !== 'abandoned') yield* reviveInvoice(payment, now)
  yield* run(SHOW_DEPTH, [sighting.confirmations, payment.invoiceId, payment.id])
}

const sightedValues = (payment: Payment, sighting: Sighting): SqlValue[] => [
  payment.settlement,
  payment.minedAt,
  payment.confirmedAt,
  sighting.minedHeight,
  sighting.confirmations,
  sighting.nextCheckAt,
  sighting.output ?? null,
  payment.id,
]

/** A kernel in sight says that the payer has the reply; the till's own transaction goes to the node until it is in a block. */
function* followKernel(before: Payment, after: Settlement, now: number): Verb<void> {
  if (hasReply(after)) yield* endReply(before.id)
  if (isPushed(before.settlement) !== isPushed(after)) yield* schedulePush(before.id, isPushed(after) ? now : null)
}

const reviveInvoice = ({ id, invoiceId, amount }: Payment, now: number): Verb<number> =>
  run(REVIVE, [now, id, invoiceId, id, amountCell.write(amount)])

/** The payment as it was before, or undefined when there is nothing to confirm. */
function* confirmPayment(sighting: Sighting, now: number): Verb<Payment | undefined> {
  const payment = yield* findUnconfirmed(sighting.paymentId)
  if (!payment) return undefined
  yield* run(STORE, sightedValues(confirmed(payment, now), sighting))
  if (payment.invoiceId !== null) {
    yield* reviveInvoice(payment, now)
    yield* run(SETTLE, [now, sighting.confirmations, payment.invoiceId, payment.id])
  }
  yield* followKernel(payment, 'confirmed', now)
  return payment
}

/** The invoice that a confirmed payment settled. One that settled none has no invoice any more. */
function* settledBy(payment: Payment): Verb<Invoice | null> {
  if (payment.invoiceId === null) return null
  const invoice = yield* findInvoice(payment.invoiceId)
  if (isSettledBy(invoice, payment)) return invoice
  yield* run(DETACH, [payment.id])
  return null
}

function* abandonPayment(id: string, nextCheckAt: number | null, reopen: boolean): Verb<boolean> {
  if ((yield* run(ABANDON, [nextCheckAt, id])) === 0) {
    yield* run(END_CHECK, [id])
    return false
  }
  yield* schedulePush(id, null)
  yield* run(reopen ? REOPEN : GIVE_UP, [id, id])
  return true
}
