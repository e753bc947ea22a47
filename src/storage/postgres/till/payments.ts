// Payments: receiving, looking, checking and matching, each with the invoice and the events it moves in the same transaction.
import { LONGEST_WAIT_MS } from '../../../lib/due-times.js'
import type {
  AcceptExtras,
  AcceptPaymentAnswer,
  AssignAnswer,
  Invoice,
  Payment,
  PaymentStore,
} from '../../../till/index.js'
import { either, when } from '../../paging.js'
import { becomes } from '../../till/invoice-moves.js'
import { acceptRefusal, assigned, assignRefusal, notStored } from '../../till/rules.js'
import type { Queries } from '../change.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'
import { createClaims, LEASE_ENDS } from './claims.js'
import { insertKeyed, keyed } from './keys.js'
import { insertLetters } from './letters.js'
import { insertEvent } from './outbox.js'
import { findInvoice, findPayment, markReplied } from './rows.js'
import type { SettlementVerbs } from './settlement.js'
import { closeSlates, finalizeSlate, isOpenSlate } from './slate-moves.js'
import { INVOICE, PAYMENT } from './tables.js'

const claimChecks = createClaims({
  table: 'payment',
  columns: PAYMENT.columns,
  due: 'next_check_at',
  longestWaitMs: LONGEST_WAIT_MS.payment,
})
const RELEASE = `UPDATE payment SET ${LEASE_ENDS}
  WHERE id IN (SELECT json_array_elements_text(?::json)) AND leased_by = ?`
const YOUNG = `SELECT ${PAYMENT.columns} FROM payment
  WHERE created_at BETWEEN ? AND ? AND settlement <> 'confirmed' ORDER BY created_at DESC, seq DESC LIMIT ?`
const HASTEN = `UPDATE payment SET next_check_at = ?
  WHERE id IN (SELECT json_array_elements_text(?::json)) AND next_check_at > ?`
const POSTPONE = `UPDATE payment SET next_check_at = ?, ${LEASE_ENDS} WHERE id = ?`

/** It looks at no row before: of two at once, the second is repeated and finds the first. */
const INSERT = insertKeyed(
  `INSERT INTO payment (${PAYMENT.columns}) VALUES (${PAYMENT.marks}) ON CONFLICT (id) DO NOTHING`,
)
const PAY = `UPDATE invoice SET ${becomes('payment-accepted')}, paid_at = ?, payment_id = ?, confirmations = 0 WHERE id = ?`

type OtherVerbs = 'takeKeyIndex' | keyof SettlementVerbs | 'balance' | 'dayFigures'

/** Keys, settlement and sums have files of their own. */
export function paymentVerbs({ read, change, repeatable }: Transactions): Omit<PaymentStore, OtherVerbs> {
  const page = createPages(read)
  return {
    acceptPayment: (payment, event, now, cutoff, extras = {}) =>
      change(async (db): Promise<AcceptPaymentAnswer> => {
        const refusal = await storeUnlessRefused(db, payment, now, cutoff, extras)
        if (!refusal && event) await insertEvent(db, event)
        return refusal ?? { outcome: 'accepted' }
      }),
    markReplied: (id) => repeatable((db) => markReplied(db, id)),
    paymentById: (id) => read((db) => findPayment(db, id)),
    async listPayments({ unmatched, settlement, ...request }) {
      const where = [
        either('invoice_id IS NULL', 'invoice_id IS NOT NULL', unmatched),
        when('settlement = ?', settlement),
      ]
      return page({ table: PAYMENT, from: 'payment', where }, request)
    },
    claimChecks: (claim) => repeatable(async (db) => (await claimChecks(db, claim)).map(PAYMENT.read)),
    releaseChecks: (ids, by) => repeatable(async (db) => void (await db.run(RELEASE, [JSON.stringify(ids), by]))),
    youngPayments: ({ from, to, limit }) =>
      read(async (db) => (await db.all(YOUNG, [from, to, limit])).map(PAYMENT.read)),
    hastenChecks: (ids, now) => repeatable(async (db) => void (await db.run(HASTEN, [now, JSON.stringify(ids), now]))),
    postponeCheck: (id, nextCheckAt) => repeatable(async (db) => void (await db.run(POSTPONE, [nextCheckAt, id]))),
    assignPayment: (paymentId, invoiceId, seen, events, now) =>
      change(async (db): Promise<AssignAnswer> => {
        const payment = await findPayment(db, paymentId)
        if (!payment) return 'unknown-payment'
        const invoice = await findInvoice(db, invoiceId)
        if (!invoice) return 'unknown-invoice'
        const refusal = assignRefusal(payment, invoice, seen)
        if (refusal) return refusal
        await assignPayment(db, payment, invoiceId, now)
        for (const event of events) await insertEvent(db, event)
        return 'assigned'
      }),
  }
}

/** Undefined: the payment and what belongs to it are stored. A slate that is known already comes before every other refusal. */
async function storeUnlessRefused(
  db: Queries,
  payment: Payment,
  now: number,
  cutoff: number,
  extras: AcceptExtras,
): Promise<AcceptPaymentAnswer | undefined> {
  const invoice = payment.invoiceId === null ? undefined : await findInvoice(db, payment.invoiceId)
  const refusal = await refusalOf(db, payment, invoice, cutoff, extras)
  if (refusal) return (await knownSlate(db, payment)) ?? refusal()
  if ((await db.run(INSERT, keyed(payment.keyIndex, PAYMENT.values(payment)))) === 0) return knownSlate(db, payment)
  if (invoice) await db.run(PAY, [now, payment.id, invoice.id])
  if (extras.finished) await finalizeSlate(db, payment.id, extras.finished, now)
  if (invoice) await closeSlates(db, invoice)
  await insertLetters(db, payment.id, extras.letters ?? [], now)
  return undefined
}

/** Why not, or the caller's bug when it is called. */
async function refusalOf(
  db: Queries,
  payment: Payment,
  invoice: Invoice | undefined,
  cutoff: number,
  { finished }: AcceptExtras,
): Promise<(() => AcceptPaymentAnswer) | undefined> {
  if (payment.invoiceId === null) return undefined
  if (!invoice)
    return () => {
      throw notStored(payment)
    }
  const refusal = acceptRefusal(invoice, payment, cutoff)
  if (refusal) return () => refusal
  return finished && !(await isOpenSlate(db, finished.slateId, invoice.id))
    ? () => ({ outcome: 'slate-closed' })
    : undefined
}

async function knownSlate(db: Queries, { id }: Payment): Promise<AcceptPaymentAnswer | undefined> {
  const payment = await findPayment(db, id)
  return payment && { outcome: 'known-slate', payment }
}

const ASSIGN = 'UPDATE payment SET invoice_id = ? WHERE id = ?'

async function assignPayment(db: Queries, payment: Payment, invoiceId: string, now: number): Promise<void> {
  const changed = INVOICE.change(assigned(payment, now))
  await db.run(ASSIGN, [invoiceId, payment.id])
  await db.run(`UPDATE invoice SET ${changed.sql} WHERE id = ?`, [...changed.values, invoiceId])
}
