// Payments: receiving, looking and matching, each with the invoice and the events it moves in the same transaction.
import type {
  AcceptExtras,
  AcceptPaymentAnswer,
  AssignAnswer,
  Invoice,
  Payment,
  PaymentStore,
  QueuedEvent,
  Settlement,
} from '../../till/index.js'
import { sql } from '../dialect.js'
import { either, readPage, when } from '../paging.js'
import { many, type Runner, run, type Verb } from '../verbs.js'
import { becomes } from './invoice-moves.js'
import { insertKeyed, keyedInsert } from './keys.js'
import type { WorkLeases } from './leases.js'
import { insertMessages } from './messages.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment, markReplied } from './rows.js'
import { acceptRefusal, assigned, assignRefusal, notStored } from './rules.js'
import type { SettlementVerbs } from './settlement.js'
import { closeSlates, finalizeSlate, isOpenSlate } from './slate-moves.js'
import { INVOICE, PAYMENT } from './tables.js'

const YOUNG = sql(
  ({ by }) => `SELECT ${PAYMENT.columns} FROM payment ${by('payment_created')}
  WHERE created_at BETWEEN ? AND ? AND settlement <> 'confirmed' ORDER BY created_at DESC, seq DESC LIMIT ?`,
)
const HASTEN = sql(
  ({ isAmong }) => `UPDATE payment SET next_check_at = ? WHERE ${isAmong('id', 'text')} AND next_check_at > ?`,
)
const POSTPONE = sql(({ leases }) => `UPDATE payment SET next_check_at = ?${leases.end} WHERE id = ?`)

/** In PostgreSQL no row is looked at before: of two at once, the second is repeated and finds the first. */
const INSERT = keyedInsert(
  `INSERT INTO payment (${PAYMENT.columns}) VALUES (${PAYMENT.marks}) ON CONFLICT (id) DO NOTHING`,
)
const PAY = `UPDATE invoice SET ${becomes('payment-accepted')}, paid_at = ?, payment_id = ?, confirmations = 0 WHERE id = ?`
const ASSIGN = 'UPDATE payment SET invoice_id = ? WHERE id = ?'

/** Keys, settlement, sums and claims have files of their own. */
type OtherVerbs = 'takeKeyIndex' | keyof SettlementVerbs | 'balance' | 'dayFigures' | 'claimChecks' | 'releaseChecks'

/** `checks`: leases of payments to check. */
export function paymentVerbs(
  { read, change, repeatable }: Runner,
  checks: Pick<WorkLeases, 'end'>,
): Omit<PaymentStore, OtherVerbs> {
  return {
    acceptPayment: (payment, event, now, cutoff, extras = {}) =>
      change(() => acceptPayment({ payment, event, now, cutoff, extras })),
    markReplied: (id) => repeatable(() => markReplied(id)),
    paymentById: (id) => read(() => findPayment(id)),
    listPayments: ({ unmatched, settlement, ...page }) =>
      read(() => {
        const where = [
          either('invoice_id IS NULL', 'invoice_id IS NOT NULL', unmatched),
          when('settlement = ?', settlement),
        ]
        return readPage({ table: PAYMENT, from: 'payment', where }, page)
      }),
    youngPayments: ({ from, to, limit }) => read(() => many(YOUNG, [from, to, limit], PAYMENT.read)),
    hastenChecks: (ids, now) => repeatable(() => hastenChecks(ids, now)),
    postponeCheck: (id, nextCheckAt) =>
      repeatable(() => {
        checks.end(id)
        return postponeCheck(id, nextCheckAt)
      }),
    assignPayment: (paymentId, invoiceId, seen, events, now) =>
      change(() => assignPayment({ paymentId, invoiceId, seen, events, now })),
  }
}

function* hastenChecks(ids: readonly string[], now: number): Verb<void> {
  yield* run(HASTEN, [now, JSON.stringify(ids), now])
}

function* postponeCheck(id: string, nextCheckAt: number | null): Verb<void> {
  yield* run(POSTPONE, [nextCheckAt, id])
}

interface Acceptance {
  readonly payment: Payment
  readonly event: QueuedEvent | null
  readonly now: number
  readonly cutoff: number
  readonly extras: AcceptExtras
}

/** A slate that is known already comes before every other refusal. */
function* acceptPayment(acceptance: Acceptance): Verb<AcceptPaymentAnswer> {
  const { payment, event, now, extras } = acceptance
  const invoice = payment.invoiceId === null ? undefined : yield* findInvoice(payment.invoiceId)
  const refusal = yield* refusalOf(acceptance, invoice)
  if (refusal) return (yield* knownSlate(payment)) ?? refusal()
  if ((yield* insertKeyed(INSERT, payment.keyIndex, PAYMENT.values(payment))) === 0) {
    const known = yield* knownSlate(payment)
    if (known) return known
  }
  if (invoice) yield* run(PAY, [now, payment.id, invoice.id])
  if (extras.finished) yield* finalizeSlate(payment.id, extras.finished, now)
  if (invoice) yield* closeSlates(invoice)
  yield* insertMessages(payment.id, extras.messages ?? [], now)
  if (event) yield* insertEvent(event)
  return { outcome: 'accepted' }
}

/** Why not, or the caller's bug when it is called. */
function* refusalOf(
  { payment, cutoff, extras: { finished } }: Acceptance,
  invoice: Invoice | undefined,
): Verb<(() => AcceptPaymentAnswer) | undefined> {
  if (payment.invoiceId === null) return undefined
  if (!invoice)
    return () => {
      throw notStored(payment)
    }
  const refusal = acceptRefusal(invoice, payment, cutoff)
  if (refusal) return () => refusal
  return finished && !(yield* isOpenSlate(finished.slateId, invoice.id))
    ? () => ({ outcome: 'slate-closed' })
    : undefined
}

function* knownSlate({ id }: Payment): Verb<AcceptPaymentAnswer | undefined> {
  const payment = yield* findPayment(id)
  return payment && { outcome: 'known-slate', payment }
}

interface Assignment {
  readonly paymentId: string
  readonly invoiceId: string
  readonly seen: Settlement
  readonly events: readonly QueuedEvent[]
  readonly now: number
}

function* assignPayment({ paymentId, invoiceId, seen, events, now }: Assignment): Verb<AssignAnswer> {
  const payment = yield* findPayment(paymentId)
  if (!payment) return 'unknown-payment'
  const invoice = yield* findInvoice(invoiceId)
  if (!invoice) return 'unknown-invoice'
  const refusal = assignRefusal(payment, invoice, seen)
  if (refusal) return refusal
  const change = INVOICE.change(assigned(payment, now))
  yield* run(ASSIGN, [invoiceId, payment.id])
  yield* run(`UPDATE invoice SET ${change.sql} WHERE id = ?`, [...change.values, invoiceId])
  for (const event of events) yield* insertEvent(event)
  return 'assigned'
}
